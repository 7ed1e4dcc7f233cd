package guard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"hearth/backend/plain"
)

const (
	// SpillHead is how many of its first characters stay in the context. Fixed.
	SpillHead = 400
	// SpillTail is how many of the last characters of a command that failed stay
	// too: that is where the reason stands. Fixed.
	SpillTail = 1000
)

// Spilled is one text that was taken out of an output.
type Spilled struct {
	// Name is the file's name: a hash of the text, so that the same text is the
	// same file.
	Name  string
	Text  string
	Chars int
	Lines int
	// Kept is how many characters of it stay in the context, with the pointer.
	Kept int
}

// SpillName is the name of the file that a text is spilled to.
func SpillName(text string) string {
	sum := sha256.Sum256([]byte(text))
	return SpillNameOf(sum[:])
}

// SpillNameOf is SpillName of a text whose SHA-256 is known.
func SpillNameOf(sum []byte) string { return hex.EncodeToString(sum[:8]) + ".txt" }

// An Excerpt is all that a pointer says of a text, which nobody need hold whole.
type Excerpt struct {
	Chars, Lines int
	Head         string // its beginning: SpillHead characters and what belongs to the last of them, or more
	Tail         string // its end: more than SpillTail characters, or all of it
}

// Pointer is what stands in the context for a text that was spilled to path: what
// it is, where the whole is, how to read it, and its first characters.
func (e Excerpt) Pointer(path string) string {
	head, _ := plain.Cut(e.Head, SpillHead)
	return fmt.Sprintf("[%s characters, %s lines, spilled to %s. Read it in parts or search it with grep. It begins:]\n%s",
		plain.Grouped(e.Chars), plain.Grouped(e.Lines), path, head)
}

// FailedPointer is Pointer for the output of a command that failed, with its end.
func (e Excerpt) FailedPointer(path string) string {
	return e.Pointer(path) + "\n[… and ends:]\n" + last(e.Tail, SpillTail)
}

// Pointer is the pointer of a text.
func Pointer(text, path string) string { return excerpt(text).Pointer(path) }

// FailedPointer is the pointer of the output of a command that failed.
func FailedPointer(text, path string) string { return excerpt(text).FailedPointer(path) }

func excerpt(text string) Excerpt {
	return Excerpt{Chars: plain.Length(text), Lines: lines(text), Head: text, Tail: text}
}

// lines counts lines as an editor does: an end of line at the end begins none.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// last is the end of a text, n characters at most, from the start of a line if
// there is one among them.
func last(text string, n int) string {
	at := len(text)
	for range n {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	tail := text[at:]
	if _, whole, found := strings.Cut(tail, "\n"); found && at > 0 && whole != "" {
		return whole
	}
	return tail
}

// Spill takes the long texts out of a tool's output: every string of more than
// over characters, at any depth of objects, becomes a pointer into the folder; the
// shape stays. Lists are not touched (that is where images are), except that of
// the content blocks of an MCP tool (blocks), whose texts are judged one by one. What
// is no text stays too: the bytes of an image or a PDF that Read found, in base64,
// and those that a command printed.
// Nothing is spilled when over is 0 or the output is no JSON.
func Spill(output json.RawMessage, over int, folder string, blocks bool) (replaced json.RawMessage, spilled []Spilled) {
	if over <= 0 || !json.Valid(output) {
		return output, nil
	}
	s := spiller{over: over, folder: folder}
	replaced = s.value(output, blocks)
	if len(s.spilled) == 0 {
		return output, nil
	}
	return replaced, s.spilled
}

type spiller struct {
	over    int
	folder  string
	spilled []Spilled
}

// value rewrites one JSON value; blocks says that it may be a list of content
// blocks.
func (s *spiller) value(raw json.RawMessage, blocks bool) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return raw
	case raw[0] == '"':
		return s.text(raw)
	case raw[0] == '{':
		return s.object(raw)
	case raw[0] == '[' && blocks:
		return s.list(raw)
	}
	return raw
}

func (s *spiller) text(raw json.RawMessage) json.RawMessage {
	if len(raw) <= s.over {
		return raw
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || plain.Length(text) <= s.over {
		return raw
	}
	out := Spilled{Name: SpillName(text), Text: text, Chars: plain.Length(text), Lines: lines(text)}
	pointer := Pointer(text, strings.TrimSuffix(s.folder, "/")+"/"+out.Name)
	if out.Kept = plain.Length(pointer); out.Kept >= out.Chars {
		return raw // the pointer would be the longer one
	}
	s.spilled = append(s.spilled, out)
	return encode(pointer)
}

// object rewrites the values of an object, in the order they stand in.
func (s *spiller) object(raw json.RawMessage) json.RawMessage {
	var printed struct {
		Image bool `json:"isImage"` // Bash: stdout is one
	}
	if json.Unmarshal(raw, &printed) == nil && printed.Image {
		return raw
	}
	var out bytes.Buffer
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return raw
	}
	out.WriteByte('{')
	for n := 0; decoder.More(); n++ {
		key, err := decoder.Token()
		if err != nil {
			return raw
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return raw
		}
		if n > 0 {
			out.WriteByte(',')
		}
		name, _ := key.(string)
		out.Write(encode(name))
		out.WriteByte(':')
		if name != "base64" {
			value = s.value(value, false)
		}
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// list rewrites the text blocks of a list of content blocks.
func (s *spiller) list(raw json.RawMessage) json.RawMessage {
	var all []json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return raw
	}
	for i, block := range all {
		var kind struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(block, &kind) == nil && kind.Type == "text" {
			all[i] = s.value(block, false)
		}
	}
	out, err := json.Marshal(all)
	if err != nil {
		return raw
	}
	return out
}

// encode is a string as JSON, with <, > and & as they are.
func encode(text string) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("guard: a string that is no JSON: " + err.Error()) // there is none
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}
