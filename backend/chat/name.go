package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CleanName trims and composes (NFC) a name, so that the same name typed two
// ways is one name. The # or ＃ before a name is how a channel is spoken of, and no
// part of it: a name begins with neither, however many were typed.
func CleanName(name string) string {
	return norm.NFC.String(strings.TrimRightFunc(strings.TrimLeftFunc(name, func(r rune) bool { return isHash(r) || unicode.IsSpace(r) }), unicode.IsSpace))
}

func isHash(r rune) bool { return r == '#' || r == '＃' }

// CheckName says what is wrong with a channel name. It may hold invisible
// characters, since names in many scripts and emoji are written with joiners and
// variation selectors, but not those alone.
func CheckName(name string) error {
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return Errorf(CodeInvalid, "A channel needs a name.")
	case n > MaxName:
		return Errorf(CodeInvalid, "The name has %d characters; %d is the most.", n, MaxName)
	case !utf8.ValidString(name) || hasControl(name):
		return Errorf(CodeInvalid, "The name has a control character or a line break in it; remove it.")
	case !strings.ContainsFunc(name, isShown):
		return Errorf(CodeInvalid, "The name has no character that can be seen; add one.")
	case strings.IndexFunc(name, isHash) == 0:
		return Errorf(CodeInvalid, "The name can't begin with #: that is put before every name.")
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
//
// Nor does it hold what can't be seen, joiners (U+200C, U+200D) and variation
// selectors among it, though some scripts spell words with them: a handle is typed
// by others to call someone, so it must be possible to type it by its looks, and
// no two handles may differ by something that shows nothing.
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
		if i == 0 && !isInvisible(r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return Errorf(CodeInvalid, "The handle %q must start with a letter or a digit.", handle)
		}
		if isInvisible(r) {
			return Errorf(CodeInvalid, "The handle has a character in it that can't be seen (%U); leave it out.", r)
		}
		if !HandleRune(r) {
			return Errorf(CodeInvalid, "The handle %q can hold letters, digits, - and _ only.", handle)
		}
	}
	return nil
}

// HandleRune says whether a character can be part of a handle.
func HandleRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '_') && !isInvisible(r)
}

// Fold is the form in which names and handles are compared: composed and in
// lower case.
func Fold(s string) string { return strings.ToLower(norm.NFC.String(s)) }
