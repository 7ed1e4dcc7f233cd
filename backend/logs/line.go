package logs

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"hearth/backend/plain"
)

// maxValue is how many characters of a value are shown: a stack fits.
const maxValue = 16_000

// Line is one line of the log. Its texts are safe to show.
type Line struct {
	ID         string     // the cursor of its beginning
	At         time.Time  // zero: it is no record of ours
	Level      slog.Level // info when it is no record of ours
	Message    string
	Attributes []Attribute // in the order they were written
}

// Attribute is what a line says besides.
type Attribute struct{ Key, Value string }

// parse reads a line as it stands in the file, without its end.
func parse(raw string) Line {
	given, ok := attributes(raw)
	line := Line{Message: shown(raw), Level: slog.LevelInfo}
	if !ok || len(given) < 3 || given[0].Key != slog.TimeKey || given[1].Key != slog.LevelKey || given[2].Key != slog.MessageKey {
		return line
	}
	at, err := time.Parse(time.RFC3339Nano, given[0].Value)
	if err != nil || line.Level.UnmarshalText([]byte(given[1].Value)) != nil {
		line.Level = slog.LevelInfo
		return line
	}
	line.At, line.Message = at, shown(given[2].Value)
	for _, a := range given[3:] {
		line.Attributes = append(line.Attributes, Attribute{shown(a.Key), shown(a.Value)})
	}
	return line
}

// attributes takes a line apart; ok says whether all of it is key=value.
func attributes(raw string) (out []Attribute, ok bool) {
	for raw != "" {
		key, rest, found := quotable(raw, "= ")
		if !found || !strings.HasPrefix(rest, "=") {
			return nil, false
		}
		value, rest, found := quotable(rest[1:], " ")
		if !found || rest != "" && rest[0] != ' ' {
			return nil, false
		}
		out = append(out, Attribute{key, value})
		raw = strings.TrimPrefix(rest, " ")
	}
	return out, len(out) > 0
}

// quotable takes a word from the front of a text: quoted, or up to one of ends.
func quotable(text, ends string) (word, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", false
		}
		word, err := strconv.Unquote(quoted)
		return word, text[len(quoted):], err == nil
	}
	if at := strings.IndexAny(text, ends); at >= 0 {
		return text[:at], text[at:], true
	}
	return text, "", true
}

// shown makes a text of the file safe to show, and bounds it.
func shown(text string) string {
	kept, cut := plain.Cut(plain.Repair(text), maxValue)
	kept = plain.Inline(kept)
	if cut > 0 {
		kept += fmt.Sprintf(" … (%s more in the file)", plain.Count(cut, "character", "characters"))
	}
	return kept
}

// String is the line as people read it, without its time.
func (l Line) String() string {
	var out strings.Builder
	out.WriteString(l.Message)
	for _, a := range l.Attributes {
		out.WriteString(" " + a.Key + "=")
		if a.Value == "" || strings.ContainsAny(a.Value, ` "=`) {
			out.WriteString(strconv.Quote(a.Value))
		} else {
			out.WriteString(a.Value)
		}
	}
	return out.String()
}
