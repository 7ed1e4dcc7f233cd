package changes

import (
	"io/fs"
	"time"
)

const (
	// MaxKept is the most bytes of a file whose content is kept, so that it can be shown
	// and restored: 1 MiB. Fixed. Of a larger file only its hash is known.
	MaxKept = 1 << 20
	// MaxFiles is of how many files of one run the changes are recorded. Fixed.
	MaxFiles = 500
	// maxHashed is the most bytes that are read to tell one version from another.
	maxHashed = 64 << 20
)

// Unknown is the hash of a file that is too large to be told from another version.
// It is equal to no hash, not to itself either: see Same.
const Unknown = "-"

// Version is what a file was at one moment. The zero Version is no file.
type Version struct {
	Hash string      // SHA-256 of the content, in hexadecimal; "" is no file; Unknown
	Size int64       // bytes
	Mode fs.FileMode // permission bits
	Text []byte      // the content; nil when it is not kept
}

// Exists says whether there was a file.
func (v Version) Exists() bool { return v.Hash != "" }

// Restorable says whether a file can be made this version again.
func (v Version) Restorable() bool { return !v.Exists() || v.Text != nil }

// Same says whether two hashes are known to be of the same content, or of no file.
func Same(one, other string) bool { return one == other && one != Unknown }

// Form says how a change can be shown.
type Form string

// The forms.
const (
	FormText   Form = "text"   // line by line
	FormBinary Form = "binary" // it is no text
	FormLarge  Form = "large"  // its content is not kept
)

// Change is what one run made of one file.
type Change struct {
	N      int     // 0, 1, 2 … within the run
	Path   string  // absolute, with its links resolved
	Before Version // as the run found it
	After  Version // as it left it
	Form   Form
	Added  int // lines; of another form than text 0, as is Removed
	// Removed is counted in lines, too.
	Removed int
	// Mixed says that the file was changed by something else while the run went on,
	// between two of its changes: by a command of its own, a person or another agent.
	// The difference holds that as well.
	Mixed bool
	At    time.Time // when the run last changed it

	// Over is what undo took out of its place: After, or what others had made of it
	// since. The zero Version while nothing was taken back.
	Over     Version
	UndoneAt time.Time // when it was taken back; zero: it was not, or was put back again
}

// Observed is one call of a tool that changed a file.
type Observed struct {
	Path          string
	Before, After Version
	// Mixed says that the file was not Before any more when the call began: a person
	// may be asked for a permission in between.
	Mixed bool
	At    time.Time
}

// Join adds what a call did to what the run had made of the file before; known is
// false for the first one. ok is false when the run has changed nothing, all in all.
func Join(c Change, known bool, o Observed) (joined Change, ok bool) {
	if !known {
		c = Change{Path: o.Path, Before: o.Before}
	} else if !Same(c.After.Hash, o.Before.Hash) {
		c.Mixed = true
	}
	c.Mixed = c.Mixed || o.Mixed
	c.After, c.At = o.After, o.At
	if Same(c.Before.Hash, c.After.Hash) {
		return c, false
	}
	c.Form, c.Added, c.Removed = formOf(c.Before, c.After), 0, 0
	if c.Form == FormText {
		d := Compare(c.Before.Text, c.After.Text, 0)
		c.Added, c.Removed = d.Added, d.Removed
	}
	return c, true
}

func formOf(versions ...Version) Form {
	for _, v := range versions {
		if !v.Restorable() {
			return FormLarge
		}
	}
	for _, v := range versions {
		if !isText(v.Text) {
			return FormBinary
		}
	}
	return FormText
}
