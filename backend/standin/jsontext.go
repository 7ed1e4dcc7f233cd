package standin

import (
	"bytes"
	"encoding/json"
	"sort"
)

// The functions of this file work on JSON text that is known to be valid. They
// keep what a decode and encode would lose: the order of keys and the spelling
// of numbers, both of which are part of a cached prefix.

// spaces skips white space from i on.
func spaces(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns the index after the string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// valueEnd returns the index after the value that starts at i.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default: // a number or a word
			for i < len(b) && !structural(b[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

func structural(c byte) bool {
	switch c {
	case '"', '{', '}', '[', ']', ',', ':', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// withoutMember returns an object's text less one of its members; everything
// else keeps its bytes.
func withoutMember(object []byte, name string) []byte {
	i := spaces(object, 0)
	if i >= len(object) || object[i] != '{' {
		return object
	}
	out := append([]byte(nil), object[:i+1]...)
	kept := 0
	for i++; i < len(object); {
		start := i
		key := spaces(object, i)
		if key >= len(object) || object[key] == '}' {
			break
		}
		end := stringEnd(object, key)
		same := unquote(object[key:end]) == name
		colon := spaces(object, end)
		end = valueEnd(object, spaces(object, colon+1))
		comma := spaces(object, end) // or the closing brace
		last := comma >= len(object) || object[comma] == '}'
		if !same {
			if kept > 0 {
				out = append(out, ',')
			}
			out = append(out, object[start:comma]...)
			kept++
		}
		i = comma
		if last {
			break
		}
		i++
	}
	return append(out, object[i:]...)
}

// withoutCacheControl returns the text of a system or tools field with the
// cache_control member of each block taken out and every other byte kept. A
// field that is not a list comes back as it is.
func withoutCacheControl(list []byte) []byte {
	i := spaces(list, 0)
	if i >= len(list) || list[i] != '[' {
		return list
	}
	out := append([]byte(nil), list[:i+1]...)
	i++
	for i < len(list) {
		start := spaces(list, i)
		if start >= len(list) || list[start] == ']' {
			break
		}
		end := valueEnd(list, start)
		out = append(out, list[i:start]...)
		out = append(out, withoutMember(list[start:end], "cache_control")...)
		i = end
		if next := spaces(list, i); next < len(list) && list[next] == ',' {
			out = append(out, list[i:next+1]...)
			i = next + 1
		}
	}
	return append(out, list[i:]...)
}

// unquote returns what a JSON string says.
func unquote(quoted []byte) string {
	if len(quoted) >= 2 && bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		return ""
	}
	return s
}

// appendQuoted spells a string with the fewest escapes JSON allows, so that two
// spellings of one string come out the same.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// appendCompact appends JSON text without white space and with its strings
// spelled in one way. The order of keys stays.
func appendCompact(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := stringEnd(text, i)
			dst = appendQuoted(dst, unquote(text[i:end]))
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// appendBlock appends the canonical text of a content block: what the model
// would read of it, whatever way it was written down. cache_control is not part
// of it, the order of the block's own fields is not, a text that stands alone
// is the list of one text block, and "is_error": false is its absence. The order of
// keys further down (a tool's input) is part of it, as it is of the real prefix.
func appendBlock(dst []byte, raw json.RawMessage) []byte {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return appendCompact(dst, raw)
	}
	delete(fields, "cache_control")
	if string(fields["is_error"]) == "false" {
		delete(fields, "is_error")
	}
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, name), ':')
		if name == "content" {
			dst = appendContent(dst, fields[name])
			continue
		}
		dst = appendCompact(dst, fields[name])
	}
	return append(dst, '}')
}

// appendContent appends the canonical text of a content field.
func appendContent(dst []byte, raw json.RawMessage) []byte {
	blocks := contentBlocks(raw)
	if blocks == nil {
		return appendCompact(dst, raw)
	}
	dst = append(dst, '[')
	for i, block := range blocks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBlock(dst, block)
	}
	return append(dst, ']')
}

// contentBlocks returns the blocks of a content field: a string is one text
// block. It is nil for anything else.
func contentBlocks(raw json.RawMessage) []json.RawMessage {
	i := spaces(raw, 0)
	if i >= len(raw) {
		return nil
	}
	switch raw[i] {
	case '"':
		text := appendQuoted([]byte(`{"type":"text","text":`), unquote(raw[i:stringEnd(raw, i)]))
		return []json.RawMessage{append(text, '}')}
	case '[':
		blocks := []json.RawMessage{}
		if err := json.Unmarshal(raw, &blocks); err != nil {
			return nil
		}
		return blocks
	}
	return nil
}
