package chat

import (
	"strings"
	"unicode/utf8"
)

// Limits of texts, in characters. Fixed.
const (
	MaxName   = 80
	MaxTopic  = 500
	MaxHandle = 40
	MaxBody   = 100_000 // of any row, whoever wrote it
	MaxReason = 4_000   // of why a permission was denied
)

// MaxUnread is as far as unread rows are counted. Fixed: past it nobody reads the
// number, and a count that stops costs the same in a channel of any size. The
// store's query has it written out.
const MaxUnread = 100

// CleanBody repairs invalid UTF-8 and drops trailing white space.
func CleanBody(body string) string {
	return strings.TrimRight(strings.ToValidUTF8(body, "\uFFFD"), " \t\r\n")
}

// CheckBody says what is wrong with a message's text.
func CheckBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return Errorf(CodeInvalid, "The message is empty; write something first.")
	}
	if n := utf8.RuneCountInString(body); n > MaxBody {
		return Errorf(CodeTooLarge, "The message has %d characters; %d is the most. Put long text into a file of the workspace and name it.", n, MaxBody)
	}
	if strings.ContainsRune(body, 0) {
		return Errorf(CodeInvalid, "The message has a NUL character in it; remove it.")
	}
	return nil
}

// CheckReason says what is wrong with the reason for which a person denied a
// permission, once CleanBody was applied to it. It may be empty.
func CheckReason(reason string) error {
	if n := utf8.RuneCountInString(reason); n > MaxReason {
		return Errorf(CodeTooLarge, "The reason has %d characters; %d is the most. Say the rest in a message.", n, MaxReason)
	}
	if strings.ContainsRune(reason, 0) {
		return Errorf(CodeInvalid, "The reason has a NUL character in it; remove it.")
	}
	return nil
}
