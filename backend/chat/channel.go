package chat

import (
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of what people type, in characters. Fixed.
const (
	MaxName   = 80
	MaxTopic  = 500
	MaxHandle = 40
	MaxBody   = 100_000
)

// Channel is a place people and agents write in.
type Channel struct {
	ID         string
	Name       string // unique among channels that are not archived, compared in lower case
	Topic      string
	Workspace  string // absolute folder the channel's agents work in
	Direct     bool   // a direct line: one agent, and every row of a person addresses it
	CreatedAt  time.Time
	ArchivedAt time.Time // zero: not archived
}

// Archived says whether the channel was put away; nobody can post to it then.
func (c Channel) Archived() bool { return !c.ArchivedAt.IsZero() }

// Check says what is wrong with the channel's own fields, as a CodeInvalid error.
func (c Channel) Check() error {
	if err := CheckName(c.Name); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(c.Topic); n > MaxTopic {
		return Errorf(CodeInvalid, "The topic has %d characters; %d is the most.", n, MaxTopic)
	}
	if hasControl(c.Topic) {
		return Errorf(CodeInvalid, "The topic has a control character or a line break in it; remove it.")
	}
	if c.Workspace == "" || !filepath.IsAbs(c.Workspace) {
		return Errorf(CodeInvalid, "The workspace must be an absolute folder path; got %q.", c.Workspace)
	}
	if strings.ContainsRune(c.Workspace, 0) {
		return Errorf(CodeInvalid, "The workspace path has a NUL byte in it.")
	}
	return nil
}

// CleanName trims and composes (NFC) a name, so that the same name typed two
// ways is one name.
func CleanName(name string) string {
	return norm.NFC.String(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "#")))
}

// CheckName says what is wrong with a channel name.
func CheckName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return Errorf(CodeInvalid, "A channel needs a name.")
	case n > MaxName:
		return Errorf(CodeInvalid, "The name has %d characters; %d is the most.", n, MaxName)
	case !utf8.ValidString(name) || hasControl(name):
		return Errorf(CodeInvalid, "The name has a control character or a line break in it; remove it.")
	}
	return nil
}

// CleanHandle trims, drops a leading @ or ＠ and composes (NFC) a handle.
func CleanHandle(handle string) string {
	handle = strings.TrimSpace(handle)
	handle = strings.TrimPrefix(strings.TrimPrefix(handle, "@"), "＠")
	return norm.NFC.String(handle)
}

// CheckHandle says what is wrong with a handle. A handle holds letters, marks,
// digits, `-` and `_` of any script, and starts with a letter or a digit: so it
// can hold neither spaces, line breaks nor anything a row's shape is made of.
func CheckHandle(handle string) error {
	n := utf8.RuneCountInString(handle)
	switch {
	case n == 0:
		return Errorf(CodeInvalid, "A handle can't be empty.")
	case n > MaxHandle:
		return Errorf(CodeInvalid, "The handle has %d characters; %d is the most.", n, MaxHandle)
	case !utf8.ValidString(handle):
		return Errorf(CodeInvalid, "The handle is not valid UTF-8.")
	}
	for i, r := range handle {
		if i == 0 && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return Errorf(CodeInvalid, "The handle %q must start with a letter or a digit.", handle)
		}
		if !HandleRune(r) {
			return Errorf(CodeInvalid, "The handle %q can hold letters, digits, - and _ only.", handle)
		}
	}
	return nil
}

// HandleRune says whether a character can be part of a handle.
func HandleRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '_'
}

// Fold is the form in which names and handles are compared: composed and in
// lower case.
func Fold(s string) string { return strings.ToLower(norm.NFC.String(s)) }

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
	})
}
