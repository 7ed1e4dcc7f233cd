package folders

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Reach opens a folder by its absolute path, and follows no link on the way: one that
// stands in a folder's place is ErrNone. With create, what is not there is made.
func Reach(path string, create bool) (*os.Root, error) {
	in, err := Open("/")
	if err != nil {
		return nil, err
	}
	for part := range strings.SplitSeq(strings.Trim(filepath.Clean(path), "/"), "/") {
		if part == "" || part == "." {
			continue
		}
		next, err := Enter(in, part)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err = in.Mkdir(part, 0o755); err == nil || errors.Is(err, fs.ErrExist) {
				next, err = Enter(in, part)
			}
		}
		if closed := in.Close(); closed != nil && err == nil {
			err = errors.Join(closed, next.Close())
		}
		if err != nil {
			return nil, err
		}
		in = next
	}
	return in, nil
}
