package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"hearth/backend/folders"
	"hearth/backend/guard"
	"hearth/backend/plain"
)

const (
	// maxOutput is the most bytes that are spilled: 1 GiB, as of any output. Fixed.
	maxOutput = 1 << 30
	// maxRounds is how often the end of an output may turn out not to be the end,
	// because a job that was left running writes on. Fixed.
	maxRounds = 8
)

// errShort says that there is nothing to spill.
var errShort = errors.New("the output is short")

// An output is the client's file, which our stdout and stderr are.
type output struct {
	info   os.FileInfo // of the file when the command began
	append bool
}

// findOutput says whether stdout and stderr are one regular file.
func findOutput() (output, bool) {
	stdout, err := os.Stdout.Stat()
	if err != nil || !stdout.Mode().IsRegular() {
		return output{}, false
	}
	stderr, err := os.Stderr.Stat()
	if err != nil || !os.SameFile(stdout, stderr) {
		return output{}, false
	}
	flags, err := statusFlags(syscall.Stdout)
	return output{info: stdout, append: flags&syscall.O_APPEND != 0}, err == nil
}

// size is how long the file is now. One that has no name any more is nobody's: the
// client has taken it away.
func (o output) size() (int64, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(syscall.Stdout, &stat); err != nil {
		return 0, fmt.Errorf("look at the output: %w", err)
	}
	if stat.Nlink == 0 {
		return 0, errShort
	}
	return stat.Size, nil
}

// open opens the file to read: our own descriptors only write.
func (o output) open() (*os.File, error) {
	path, err := outputPath()
	if err != nil {
		return nil, fmt.Errorf("find the output's file: %w", err)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open the output: %w", err)
	}
	if info, err := file.Stat(); err != nil || !os.SameFile(info, o.info) {
		return nil, errors.Join(fmt.Errorf("open the output: %s is another file by now", path), err, file.Close())
	}
	return file, nil
}

// replace puts a text in the place of all that the file holds.
func (o output) replace(text string) error {
	if err := syscall.Ftruncate(syscall.Stdout, 0); err != nil {
		return fmt.Errorf("replace the output: %w", err)
	}
	if !o.append {
		if _, err := syscall.Seek(syscall.Stdout, 0, io.SeekStart); err != nil {
			return fmt.Errorf("replace the output: %w", err)
		}
	}
	if _, err := os.Stdout.WriteString(text); err != nil {
		return fmt.Errorf("replace the output: %w", err)
	}
	return nil
}

// spill takes the output of a command that failed out of the client's file. Whatever
// is in the way, the output is whole: there, or in the spill folder.
func (c Config) spill(o output, asked string, status int) {
	r := Record{At: time.Now().UTC(), Session: os.Getenv("CLAUDE_CODE_SESSION_ID"), Command: asked, Status: status}
	err := c.move(o, asked, &r)
	if errors.Is(err, errShort) {
		return
	}
	if err != nil {
		r.Error, r.Path, r.Name, r.Kept = err.Error(), "", "", 0
	}
	if c.Records != "" {
		_ = r.append(c.Records) // there is nobody to tell but the file
	}
}

func (c Config) move(o output, asked string, r *Record) error {
	size, err := o.size()
	if err != nil {
		return err
	}
	if r.Bytes = size; size <= int64(c.Over) || readsSpill(asked, c.Folder) {
		return errShort
	}
	if size > maxOutput {
		return errors.New("the output has more than 1 GB, which is the most that is spilled")
	}
	source, err := o.open()
	if err != nil {
		return err
	}
	defer source.Close()
	folder, err := openFolder(c.Folder)
	if err != nil {
		return err
	}
	defer folder.Close() //nolint:errcheck // a folder, looked into
	m := newMeasure()
	part := folders.PartPrefix + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(r.At.UnixNano(), 36)
	if err := o.copy(source, folder, part, m); err != nil {
		return errors.Join(err, folder.Remove(part))
	}
	pointer := m.pointer(filepath.Join(c.Name, m.name()))
	r.Bytes, r.Chars, r.Lines, r.Kept = m.Bytes, m.Chars, m.Lines, plain.Length(pointer)
	if m.Chars <= c.Over || r.Kept >= m.Chars {
		return errors.Join(errShort, folder.Remove(part))
	}
	if err := folder.Rename(part, m.name()); err != nil {
		return errors.Join(fmt.Errorf("keep the output: %w", err), folder.Remove(part))
	}
	// The same text is the same file, so one that is not needed after all may be
	// another spill's too: it stays.
	if now, err := o.size(); err != nil || now != m.Bytes {
		return errors.Join(errGrows, err)
	}
	r.Path, r.Name = filepath.Join(c.Folder, m.name()), filepath.Join(c.Name, m.name())
	return o.replace(pointer)
}

var errGrows = errors.New("the output still grows")

// copy copies all there is of the output to a new file in a folder.
func (o output) copy(source *os.File, folder *os.Root, part string, m *measure) error {
	to, err := folder.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("keep the output: %w", err)
	}
	err = o.copyTo(io.MultiWriter(to, m), source, m)
	if closed := to.Close(); closed != nil && err == nil {
		err = fmt.Errorf("keep the output: %w", closed)
	}
	m.End()
	return err
}

func (o output) copyTo(to io.Writer, source io.Reader, m *measure) error {
	piece := make([]byte, 256<<10)
	for range maxRounds {
		if _, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{io.LimitReader(source, maxOutput+1-m.Bytes)}, piece); err != nil {
			return fmt.Errorf("keep the output: %w", err)
		}
		if now, err := o.size(); err != nil || now == m.Bytes {
			return err
		}
	}
	return errGrows
}

// openFolder opens the spill folder, and makes it in a workbench that is there.
// Neither may be a link: an agent can put one there that leads anywhere.
func openFolder(path string) (_ *os.Root, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("open the spill folder: %w", err)
		}
	}()
	workbench, spill := filepath.Split(filepath.Clean(path))
	workbench = filepath.Clean(workbench)
	above, err := folders.Open(filepath.Dir(workbench))
	if err != nil {
		return nil, err
	}
	defer above.Close() //nolint:errcheck // a folder, looked into
	flower, err := folders.Enter(above, filepath.Base(workbench))
	if err != nil {
		return nil, err
	}
	defer flower.Close() //nolint:errcheck // a folder, looked into
	if err := flower.Mkdir(spill, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return folders.Enter(flower, spill)
}

// readsSpill says that a command only reads what was spilled before: what it prints
// must not be spilled again.
func readsSpill(asked, folder string) bool {
	cwd, err := os.Getwd()
	if err != nil {
		return false
	}
	input, err := json.Marshal(map[string]string{"command": asked})
	return err == nil && guard.ReadsSpill("Bash", input, cwd, folder)
}
