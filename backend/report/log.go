package report

import (
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"unicode/utf8"

	"hearth/backend/logs"
	"hearth/backend/plain"
)

const (
	// maxError is how many characters of an error are told.
	maxError = 600
	// maxStack is how many of a stack.
	maxStack = 6000
)

// ours are the attributes whose values are Hearth's own: ids, numbers, names of
// kinds. Of others, only how long they are is told.
var ours = map[string]bool{
	"version": true, "address": true, "pid": true, "window": true, "from": true, "to": true, "after": true, "reason": true,
	"channel": true, "binding": true, "key": true, "run": true, "native": true, "permission": true,
	"bytes": true, "limit": true, "odd_lines": true, "rules": true, "method": true, "event": true, "subtype": true,
}

// folders are the attributes that hold a path.
var folders = map[string]bool{"path": true, "workbench": true}

// errs are the attributes that tell what went wrong.
var errs = map[string]bool{"error": true, "err": true, "fault": true, "panic": true}

var (
	// plainWord is a value that says what it is: an id, a number, a kind, or a short
	// reason.
	plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:/{}\[\] -]{0,80}$`)
	// plainPath is a path of which nothing is told that somebody named.
	plainPath = regexp.MustCompile(`^(?:\[[a-z]+(?: folder| \d+)?\]|~)?(?:/[A-Za-z0-9_.-]+)*(?:/?\[path\])?$`)
	// frame is a line of a stack: where the program was.
	frame = regexp.MustCompile(`^(?:goroutine \d+ \[[a-z ]+(?:, [a-z0-9 ]+)*\]:|(?:created by )?[\w./*()\[\]-]+\((?:[0-9a-fx{}, ?.]*|\.\.\.)\)|created by [\w./*()\[\]-]+(?: in goroutine \d+)?|\s*[\w./@+~-]+:\d+(?: \+0x[0-9a-f]+)?|)$`)
)

// quoted is what stands in quotes: foreign, in every message of ours.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"?|“[^”]*”?`)

// line is a line of the log as it may be told.
func (c *cleaner) line(l logs.Line) string {
	if l.At.IsZero() {
		return fmt.Sprintf("[a line of %s that is no record of Hearth’s]", plain.Count(utf8.RuneCountInString(l.Message), "character", "characters"))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s %-5s %s", l.At.UTC().Format("2006-01-02T15:04:05.000Z"), l.Level, c.text(l.Message))
	for _, a := range l.Attributes {
		fmt.Fprintf(&out, " %s=%s", attribute(a.Key), c.value(a))
	}
	return out.String()
}

// attribute is a key as it may be told: ours have no odd characters.
func attribute(key string) string {
	if ours[key] || errs[key] || folders[key] || key == "stack" || key == slog.SourceKey {
		return key
	}
	if len(key) <= 20 && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return key
	}
	return "[attribute]"
}

func (c *cleaner) value(a logs.Attribute) string {
	switch {
	case ours[a.Key]:
		if v := c.text(a.Value); plainWord.MatchString(v) {
			return v
		}
	case errs[a.Key] && !c.blind:
		return "“" + bounded(c.fault(a.Value), maxError) + "”"
	case folders[a.Key]:
		if v := c.text(a.Value); plainPath.MatchString(v) {
			return v
		}
	case a.Key == "stack":
		return "“" + bounded(c.stack(a.Value), maxStack) + "”"
	}
	return fmt.Sprintf("[%s]", plain.Count(utf8.RuneCountInString(a.Value), "character", "characters"))
}

// stack is a stack without the lines that say something else than where the program
// was: what a panic said may be anything.
func (c *cleaner) stack(s string) string {
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "␉", " "), "␊") {
		if frame.MatchString(line) {
			out = append(out, c.text(line))
		}
	}
	return strings.Join(out, "␊")
}

// fault is an error without what it quotes.
func (c *cleaner) fault(s string) string {
	// The reader of the log has made line breaks visible.
	first, rest, more := strings.Cut(s, "␊")
	first = quoted.ReplaceAllStringFunc(c.known.Replace(first), func(q string) string {
		return fmt.Sprintf(`"[%s]"`, plain.Count(max(0, utf8.RuneCountInString(q)-2), "character", "characters"))
	})
	if more {
		first += fmt.Sprintf(" [%s more]", plain.Count(strings.Count(rest, "␊")+1, "line", "lines"))
	}
	return c.text(first)
}

func bounded(s string, most int) string {
	kept, cut := plain.Cut(s, most)
	if cut > 0 {
		kept += fmt.Sprintf(" … [%s more]", plain.Count(cut, "character", "characters"))
	}
	return kept
}
