package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Once is a file that takes long to make: it is made once for a test program and
// copied from then on. The zero value is ready.
type Once struct {
	once    sync.Once
	content []byte
	err     error
}

// Copy puts the file at a path, making its folder, unless one is there already.
// It is made by the function that the first call brings.
func (o *Once) Copy(path string, make func(path string) error) error {
	o.once.Do(func() { o.content, o.err = made(make) })
	if o.err != nil {
		return o.err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.Write(o.content)
	return errors.Join(err, file.Close())
}

func made(make func(path string) error) (content []byte, err error) {
	dir, err := os.MkdirTemp("", "once-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "file")
	if err := make(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
