package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// ConfigDir returns the folder where a client with that environment keeps its
// files: CLAUDE_CONFIG_DIR, else .claude in the home directory. As for the
// client, a variable that is set but empty counts, and names the folder it
// works in; so the result can be relative to that.
func ConfigDir(env []string) string {
	home, dir, set := "", "", false
	for _, entry := range env { // of two settings the later one counts
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "HOME":
			home = value
		case "CLAUDE_CONFIG_DIR":
			dir, set = value, true
		}
	}
	if set {
		return dir
	}
	if home == "" {
		if me, err := user.Current(); err == nil {
			home = me.HomeDir
		}
	}
	return filepath.Join(home, ".claude")
}

// Find returns the transcript of the native session that was started in cwd.
// Its error is fs.ErrNotExist when there is none: the session has not taken a
// message yet, or belongs to another folder.
//
// The client keeps a session under projects, in a folder named after the real
// path of cwd. The name is lossy: paths in Korean or Japanese all become dashes,
// and a long one is cut and told apart by a hash. So the folder is where to look
// first, and the cwd that the entries carry is what counts.
func Find(configDir, cwd, native string) (path string, err error) {
	if native == "" || len(native) > 128 || strings.ContainsFunc(native, notOfAnID) {
		return "", fmt.Errorf("find transcript: %q is no session id", native)
	}
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		cwd = real // else the folder is gone, and its name is all there is
	}
	if !filepath.IsAbs(configDir) {
		configDir = filepath.Join(cwd, configDir)
	}
	projects := filepath.Join(configDir, "projects")
	likely := filepath.Join(projects, folderName(cwd), native+".jsonl")
	if of, err := startedIn(likely); err == nil && (of == "" || same(of, cwd)) {
		return likely, nil
	}
	folders, err := os.ReadDir(projects)
	if err != nil {
		return "", fmt.Errorf("find transcript of %s: %w", native, err)
	}
	for _, folder := range folders {
		path := filepath.Join(projects, folder.Name(), native+".jsonl")
		if of, err := startedIn(path); err == nil && same(of, cwd) {
			return path, nil
		}
	}
	return "", fmt.Errorf("find transcript of %s: %w", native, fs.ErrNotExist)
}

// maxFolderName is the length from which the client cuts a folder's name and
// adds a hash to it. The hash is the client's own affair: such a folder is found
// by looking into all.
const maxFolderName = 200

// folderName is the client's name for a working directory: every UTF-16 unit
// that is no ASCII letter or digit becomes a dash.
func folderName(cwd string) string {
	var name strings.Builder
	for _, unit := range utf16.Encode([]rune(cwd)) {
		if unit < 0x80 && isAlphanumeric(byte(unit)) {
			name.WriteByte(byte(unit))
		} else {
			name.WriteByte('-')
		}
	}
	return name.String()[:min(name.Len(), maxFolderName)]
}

// headOfFile is how far into a transcript the first cwd is looked for, in
// bytes. It stands in one of the first three entries.
const headOfFile = 64 << 20

// startedIn returns the cwd of the first entry that has one, "" when none has.
func startedIn(path string) (cwd string, err error) {
	file, err := open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	lines := bufio.NewReaderSize(io.LimitReader(file, headOfFile), chunk)
	for {
		e, ok, err := readEntry(lines)
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", fmt.Errorf("read transcript: %w", err)
		}
		if ok && e.cwd != "" {
			return e.cwd, nil
		}
	}
}

// same says whether two paths name one folder.
func same(a, b string) bool {
	if a == b {
		return true
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func notOfAnID(r rune) bool {
	return r >= 0x80 || !isAlphanumeric(byte(r)) && r != '-' && r != '_'
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
