package changes

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hearth/backend/folders"
)

// ErrChanged says that a file is not the version that was to be replaced. It is as
// it was.
var ErrChanged = errors.New("the file was changed since")

// Replace makes a file the version want, if it is the one with the hash expect now
// ("" is no file), and returns what it took out of its place. The content is on the
// disk before it has the name. The file keeps its permission bits; one that is made
// anew has those of want. Errors: ErrChanged, a Fault, want is not Restorable, or
// what writing met; the file is as it was then.
func Replace(path, expect string, want Version) (taken Version, err error) {
	if !want.Restorable() || expect == Unknown {
		return Version{}, &Fault{"was too large to be kept"}
	}
	in, err := folders.Reach(filepath.Dir(path), want.Exists() && expect == "")
	if errors.Is(err, fs.ErrNotExist) {
		return Version{}, ErrChanged // its folder went with it
	}
	if err != nil {
		return Version{}, faultOf(err)
	}
	defer in.Close() //nolint:errcheck // a folder, looked into
	r := replacing{in: in, name: filepath.Base(path), part: folders.PartPrefix + rand.Text(), expect: expect}
	now, err := look(in, r.name)
	if err != nil {
		return Version{}, err
	}
	if !Same(now.Hash, expect) {
		return Version{}, ErrChanged
	}
	switch {
	case !want.Exists() && expect == "":
		return Version{}, nil
	case !want.Exists():
		taken, err = r.remove()
	case expect == "":
		err = r.create(want)
	default:
		want.Mode = now.Mode
		taken, err = r.exchange(want)
	}
	if err != nil {
		return Version{}, faultOf(err)
	}
	return taken, nil
}

// replacing is one replacement in an open folder.
type replacing struct {
	in         *os.Root
	name, part string // part is a name that nobody else knows
	expect     string
	between    func() // tests: called right before the file is taken out of its place
}

// write puts content under the name of the part.
func (r replacing) write(want Version) error {
	file, err := r.in.OpenFile(r.part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(want.Text)
	if err == nil {
		err = file.Chmod(want.Mode.Perm())
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, folders.Absent(r.in.Remove(r.part)))
	}
	return nil
}

func (r replacing) create(want Version) error {
	if err := r.write(want); err != nil {
		return err
	}
	r.now()
	err := folders.Move(r.in, r.part, r.in, r.name)
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrChanged
	}
	return errors.Join(err, folders.Absent(r.in.Remove(r.part)))
}

// exchange puts the new content in the file's place and looks at what came out: only
// now nobody can write to it by its name any more.
func (r replacing) exchange(want Version) (Version, error) {
	if err := r.write(want); err != nil {
		return Version{}, err
	}
	r.now()
	if err := folders.Exchange(r.in, r.part, r.name); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrChanged
		}
		return Version{}, errors.Join(err, folders.Absent(r.in.Remove(r.part)))
	}
	taken, err := look(r.in, r.part)
	if err == nil && !Same(taken.Hash, r.expect) {
		err = ErrChanged
	}
	if err == nil {
		return taken, r.in.Remove(r.part)
	}
	// It goes back. Who has written meanwhile did so over our content, and has the last word.
	put, _ := look(r.in, r.name)
	if !Same(put.Hash, hashOf(want.Text)) {
		return Version{}, r.beside(err)
	}
	if back := folders.Exchange(r.in, r.part, r.name); back != nil {
		return Version{}, errors.Join(r.beside(err), back)
	}
	return Version{}, errors.Join(err, folders.Absent(r.in.Remove(r.part)))
}

// remove takes the file out of its place and looks at it before it goes.
func (r replacing) remove() (Version, error) {
	r.now()
	if err := folders.Move(r.in, r.name, r.in, r.part); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrChanged
		}
		return Version{}, err
	}
	taken, err := look(r.in, r.part)
	if err == nil && !Same(taken.Hash, r.expect) {
		err = ErrChanged
	}
	if err == nil {
		return taken, r.in.Remove(r.part)
	}
	if back := folders.Move(r.in, r.part, r.in, r.name); back != nil {
		return Version{}, r.beside(err)
	}
	return Version{}, err
}

// beside leaves what was taken out next to what has its place by now, under a name
// that a person recognises.
func (r replacing) beside(cause error) error {
	as := r.name + ".hearth-kept"
	for n := 2; ; n++ {
		err := folders.Move(r.in, r.part, r.in, as)
		if err == nil {
			return fmt.Errorf("%w; what stood there is kept beside it as %q", cause, as)
		}
		if !errors.Is(err, fs.ErrExist) || n > 100 {
			return fmt.Errorf("%w; what stood there is kept beside it as %q", cause, r.part)
		}
		as = fmt.Sprintf("%s.hearth-kept-%d", r.name, n)
	}
}

func (r replacing) now() {
	if r.between != nil {
		r.between()
	}
}

// Beside says where an ErrChanged has left what somebody wrote in the same moment; ""
// is in its place.
func Beside(err error) string {
	_, where, _ := strings.Cut(err.Error(), "; ")
	return where
}
