package shell

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// built holds the helper for this platform when the build made one, beside a file
// that is always there. The helper itself does not use it, so it holds none.
//
//go:embed bin
var built embed.FS

// ErrNotExecutable says that programs can't be started from the data folder's file
// system (it is mounted noexec). Agents work without the helper; only the output of
// commands that fail is not spilled then.
var ErrNotExecutable = errors.New("programs can't be started from there (is it mounted noexec?)")

// Install puts the helper into folder/bin, a data folder of this user's, and returns
// its path, for Config.Environment. What is there already is checked and used again;
// call it before each start of an agent. Without a helper in this build it is a link
// to self, this program's own file, whose main must call Main when Called says so.
//
// Errors: ErrNotExecutable; the path holds " -", which the client would take for the
// beginning of arguments; others than this user may write there; what the file
// system says.
func Install(folder, self string) (helper string, err error) {
	return install(folder, self, embedded())
}

// embedded is the helper of this build, nil if there is none.
func embedded() []byte {
	program, err := built.ReadFile("bin/helper-" + runtime.GOOS + "-" + runtime.GOARCH)
	if err != nil {
		return nil
	}
	return program
}

func install(folder, self string, program []byte) (helper string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("install the helper for commands: %w", err)
		}
	}()
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return "", err
	}
	folder = filepath.Join(folder, "bin")
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	if err := private(folder); err != nil {
		return "", err
	}
	if strings.Contains(folder, " -") {
		return "", fmt.Errorf("%s: the client can't start a program whose path holds a space and a hyphen", folder)
	}
	if program == nil {
		helper = filepath.Join(folder, helperName)
		err = link(folder, helper, self)
	} else {
		sum := sha256.Sum256(program)
		helper = filepath.Join(folder, helperName+"-"+hex.EncodeToString(sum[:8]))
		err = write(folder, helper, program, sum)
	}
	if err != nil {
		return "", err
	}
	if err := unix.Access(helper, unix.X_OK); errors.Is(err, os.ErrPermission) {
		return "", fmt.Errorf("%s: %w", helper, ErrNotExecutable)
	} else if err != nil {
		return "", fmt.Errorf("%s: %w", helper, err)
	}
	return helper, nil
}

// private says whether only this user can put programs into a folder: it is a real
// one of theirs that nobody else can write to, and in none above it can everybody
// rename what it holds.
func private(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() || !owned(info) {
		return fmt.Errorf("%s is no folder of this user's", folder)
	}
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s: others can write there", folder)
	}
	for above := filepath.Dir(folder); ; above = filepath.Dir(above) {
		info, err := os.Stat(above)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 {
			return fmt.Errorf("%s: everybody can write there", above)
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

func owned(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// link makes helper a link to self, which is checked as it stands.
func link(folder, helper, self string) error {
	if !filepath.IsAbs(self) {
		return fmt.Errorf("%q is no absolute path of this program", self)
	}
	if to, err := os.Readlink(helper); err == nil && to == self {
		return nil
	}
	part := filepath.Join(folder, fmt.Sprintf(".part-%d", os.Getpid()))
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Symlink(self, part); err != nil {
		return err
	}
	return os.Rename(part, helper)
}

// write makes helper a file that holds program, whose hash is sum, unless it is.
func write(folder, helper string, program []byte, sum [sha256.Size]byte) error {
	if holds(helper, int64(len(program)), sum) {
		return nil
	}
	part, err := os.CreateTemp(folder, ".part-")
	if err != nil {
		return err
	}
	_, err = part.Write(program)
	err = errors.Join(err, part.Chmod(0o700), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), helper)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return nil
}

// holds says whether a file is the program of a size and a hash, and can't be changed
// by others.
func holds(helper string, size int64, want [sha256.Size]byte) bool {
	file, err := os.OpenFile(helper, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != 0o700 || !owned(info) || info.Size() != size {
		return false
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return false
	}
	return bytes.Equal(sum.Sum(nil), want[:])
}
