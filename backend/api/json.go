package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// formats are what requests and answers are written in: JSON, whose errors are
// sentences for people.
func formats() map[string]huma.Format {
	all := maps.Clone(huma.DefaultFormats)
	for name, format := range all {
		format.Unmarshal = readJSON
		all[name] = format
	}
	return all
}

// readJSON is json.Unmarshal, which says of a text that is no JSON where that is,
// and what to look for.
func readJSON(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return notJSON(text, syntax)
	case errors.As(err, &mistyped):
		number, ok := strings.CutPrefix(mistyped.Value, "number ")
		if !ok {
			return fmt.Errorf("%s: a %s can't stand there", placeIn(text, mistyped.Offset), mistyped.Value)
		}
		return fmt.Errorf("%s: the number %s is too large, or not of the kind that is wanted there", placeIn(text, mistyped.Offset), number)
	}
	return err
}

// notJSON says where a text stops being JSON: the byte before the error's offset is
// the first that can't be.
func notJSON(text []byte, syntax *json.SyntaxError) error {
	at := syntax.Offset - 1
	switch {
	case strings.HasPrefix(syntax.Error(), "unexpected end"):
		return fmt.Errorf("this is no JSON: it ends too early, %s; look for a quote, a bracket or a brace that is never closed", placeIn(text, int64(len(text))))
	case at < 0 || at >= int64(len(text)):
		return errors.New("this is no JSON")
	case strings.Contains(syntax.Error(), "in string literal"):
		return fmt.Errorf("this is no JSON: %s, a text has a line break, a tab or another control character in it; write \\n, \\t or \\u and four digits", placeIn(text, at))
	case strings.Contains(syntax.Error(), "after top-level value"):
		return fmt.Errorf("this is no JSON: %s, something follows after its end; send one value alone", placeIn(text, at))
	}
	r, _ := utf8.DecodeRune(text[at:])
	return fmt.Errorf("this is no JSON: %s, %q can't stand there; look for a comma too many or too few, or a missing quote", placeIn(text, at), string(r))
}

// placeIn is where the byte at an offset stands, for people.
func placeIn(text []byte, offset int64) string {
	before := text[:min(max(offset, 0), int64(len(text)))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return fmt.Sprintf("line %d, character %d", bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(line)+1)
}
