package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

const ours = "11111111-1111-4111-8111-111111111111"

// TestRealTranscripts looks into sessions as the client wrote them: a message,
// one that was interrupted, and three that were sent while a turn went and that
// the client merged into one of its own.
func TestRealTranscripts(t *testing.T) {
	tests := []struct {
		path string
		held map[string]bool
	}{
		{"2.1.197/99999999-1111-4111-8111-111111111111.jsonl", map[string]bool{
			ours:                                   true,
			"22222222-1111-4111-8111-111111111111": true,  // interrupted: the session has it all the same
			"4e65b4ff-1813-49ca-bbbe-db5abffe02dd": false, // an assistant's
			"27f5619d-b0b1-42be-a096-c45e65883f75": false, // a promptId
			"99999999-1111-4111-8111-111111111111": false, // the session's own id
			"33333333-1111-4111-8111-111111111111": false,
		}},
		{"2.1.332/bf54e7c4-0b11-4f3c-9421-bb6690a76cd1.jsonl", map[string]bool{
			ours:                                   true,
			"22222222-1111-4111-8111-111111111111": true,
			"b51e9b42-849e-4d2f-bf1c-34c9b7094edb": true,  // the merged one
			"33333333-1111-4111-8111-111111111111": false, // merged: its text is there, it is not
			"2f3396c2-8df7-46c3-bf6e-cedac20f40c6": false, // an attachment's
			"53b7a0c2-5b64-420f-ae3d-49f604dbad46": false, // named as a leaf and a parent only
		}},
	}
	for _, tt := range tests {
		for id, want := range tt.held {
			if got, err := Holds(t.Context(), filepath.Join("testdata", tt.path), id); err != nil || got != want {
				t.Errorf("%s holds %s: %v, %v; want %v", tt.path, id, got, err, want)
			}
		}
	}
}

// message is the entry that proves that a message was taken.
var message = `{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"hello"},"uuid":"` + ours + `","cwd":"/home/someone/project"}`

var cases = []struct {
	name string
	text string
	want bool
}{
	{"empty", "", false},
	{"the entry", message + "\n", true},
	{"without a last line break", message, true},
	{"merged into a turn", `{"type":"attachment","uuid":"x","attachment":{"type":"queued_command","prompt":"hello","source_uuid":"` + ours + `"}}`, true},
	{"an attachment made of another", `{"type":"attachment","uuid":"` + ours + `","attachment":{"source_uuid":"x"}}`, false},
	{"an attachment's source in another type", `{"type":"queue-operation","attachment":{"source_uuid":"` + ours + `"}}`, false},
	{"an attachment that is none", `{"type":"attachment","attachment":["` + ours + `"]}`, false},
	{"a source too deep", `{"type":"attachment","attachment":{"a":{"source_uuid":"` + ours + `"}}}`, false},
	{"a later attachment counts", `{"type":"attachment","attachment":{"source_uuid":"` + ours + `"},"attachment":{}}`, false},
	{"an attachment of a sidechain", `{"type":"attachment","isSidechain":true,"attachment":{"source_uuid":"` + ours + `"}}`, false},
	{"behind garbage", "\x00\xff garbage {{{\n\n\r\n[1,2]\n\"x\"\nnull\n" + message + "\r\n{", true},
	{"behind an entry half written, on its own line", message[:40] + "\n" + message + "\n", true},
	{"behind an entry half written, on the same line", message[:40] + message + "\n", false},
	{"half written", message[:len(message)-1], false},
	{"half written, and more", message[:len(message)-1] + "\n{}\n", false},
	{"two on a line", message + message, false},
	{"something behind it", message + " x\n", false},
	{"spaces", " " + strings.ReplaceAll(strings.ReplaceAll(message, ":", " : "), ",", "\t,\r ") + " \r\n", true},
	{"a line break in it", strings.Replace(message, ",", ",\n", 1), false},
	{"sidechain", strings.Replace(message, `Sidechain":false`, `Sidechain":true`, 1), false},
	{"sidechain, of another type", strings.Replace(message, `Sidechain":false`, `Sidechain":"false"`, 1), false},
	{"no word on the sidechain", strings.Replace(message, `"isSidechain":false,`, ``, 1), true},
	{"of an assistant", strings.Replace(message, `"type":"user"`, `"type":"assistant"`, 1), false},
	{"of no type", strings.Replace(message, `"type":"user",`, ``, 1), false},
	{"of a type that is none", strings.Replace(message, `"type":"user"`, `"type":["user"]`, 1), false},
	{"its child", `{"type":"user","isSidechain":false,"parentUuid":"` + ours + `","uuid":"x"}`, false},
	{"with a similar name", strings.Replace(message, `"uuid"`, `"UUID"`, 1), false},
	{"queued", `{"type":"queue-operation","operation":"enqueue","uuid":"` + ours + `","content":"hello"}`, false},
	{"quoted in a string", `{"type":"user","isSidechain":false,"uuid":"x","message":{"content":` + quote(message) + `}}`, false},
	{"quoted with a line break", `{"type":"queue-operation","content":` + quote("\n"+message+"\n") + `}`, false},
	{"inside of another", `{"type":"user","isSidechain":false,"uuid":"x","toolUseResult":` + message + `}`, false},
	{"inside of a list", `[` + message + `]`, false},
	{"a type further in", strings.Replace(message, `"type":"user","message":{`, `"message":{"type":"user",`, 1), false},
	{"a name in parts", strings.Replace(message, `"type"`, `"t\u0079pe"`, 1), true},
	{"named twice, the last counts", strings.Replace(message, `"type":"user"`, `"type":"assistant","type":"user"`, 1), true},
	{"named twice, the first does not", strings.Replace(message, `"type":"user"`, `"type":"user","type":"assistant"`, 1), false},
	{"invalid UTF-8 in it", strings.Replace(message, "hello", "\xff\xfe", 1), true},
	{"a control character in it", strings.Replace(message, "hello", "a\tb", 1), false},
	{"all of JSON", strings.Replace(message, `"hello"`, `[-0,0.5e+3,1E-7,true,false,null,{},[],{"a":{"b":[[]]}},"\"\\\/\b\f\n\r\t\ud83d\ude00가"]`, 1), true},
	{"a number with a zero", strings.Replace(message, `"hello"`, `01`, 1), false},
	{"a number of nothing", strings.Replace(message, `"hello"`, `-`, 1), false},
	{"an unknown word", strings.Replace(message, `"hello"`, `undefined`, 1), false},
	{"an unknown escape", strings.Replace(message, `"hello"`, `"\x"`, 1), false},
	{"a comma too many", strings.Replace(message, `"hello"`, `[1,]`, 1), false},
	{"a comma too many at the end", message[:len(message)-1] + ",}", false},
	{"deep", strings.Replace(message, `"hello"`, strings.Repeat("[", 9998)+strings.Repeat("]", 9998), 1), true},
	{"too deep", strings.Replace(message, `"hello"`, strings.Repeat("[", 9999)+strings.Repeat("]", 9999), 1), false},
	{"deep, and a value", strings.Replace(message, `"hello"`, strings.Repeat("[", 9998)+"1"+strings.Repeat("]", 9998), 1), true},
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestHolds(t *testing.T) {
	for _, tt := range cases {
		// In front of the entry what makes it fall on every place of a chunk's end.
		for _, before := range []int{0, chunk - len(message) - 1, chunk - 60, chunk - 20, chunk, 3*chunk + 7} {
			text := tt.text
			if before > 1 {
				text = `"` + strings.Repeat("x", before-2) + "\n" + text
			}
			got, err := holds(t.Context(), strings.NewReader(text), ours, maxLine)
			if err != nil || got != tt.want {
				t.Errorf("%s, behind %d bytes: %v, %v; want %v", tt.name, before, got, err, tt.want)
			}
			if oracle(text, ours) != tt.want {
				t.Errorf("%s: encoding/json does not agree", tt.name)
			}
		}
	}
}

// oracle is Holds by encoding/json.
func oracle(text, id string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &fields) != nil {
			continue
		}
		is := func(name, want string) bool {
			var s *string
			return json.Unmarshal(fields[name], &s) == nil && s != nil && *s == want
		}
		side := string(fields["isSidechain"])
		main := side == "" || side == "false" || side == "null"
		var attachment map[string]json.RawMessage
		var from *string
		_ = json.Unmarshal(fields["attachment"], &attachment) // whatever else it is has no source
		made := json.Unmarshal(attachment["source_uuid"], &from) == nil && from != nil && *from == id
		if main && (is("type", "user") && is("uuid", id) || is("type", "attachment") && made) {
			return true
		}
	}
	return false
}

// FuzzHolds compares with encoding/json on whatever a file could hold.
func FuzzHolds(f *testing.F) {
	for _, tt := range cases {
		if len(tt.text) < 4096 {
			f.Add([]byte(tt.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := holds(t.Context(), bytes.NewReader(text), ours, maxLine)
		if err != nil {
			t.Fatal(err)
		}
		if want := oracle(string(text), ours); got != want {
			// The client writes a uuid as it is. One that is written with escapes is
			// not looked for, and proves nothing.
			if want && !bytes.Contains(text, []byte(ours+`"`)) {
				return
			}
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}

// stretch is a file that is made up while it is read: a head, as many bytes of
// filling as it says, and a tail.
type stretch struct {
	head string
	fill byte
	size int64
	tail string
}

func (s stretch) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) {
		switch i := at + int64(n); {
		case i < int64(len(s.head)):
			n += copy(p[n:], s.head[i:])
		case i < int64(len(s.head))+s.size:
			part := p[n:min(int64(len(p)), int64(n)+int64(len(s.head))+s.size-i)]
			part[0] = s.fill
			for filled := 1; filled < len(part); filled *= 2 {
				copy(part[filled:], part[:filled])
			}
			n += len(part)
		case i < int64(len(s.head))+s.size+int64(len(s.tail)):
			n += copy(p[n:], s.tail[i-int64(len(s.head))-s.size:])
		default:
			return n, io.EOF
		}
	}
	return n, nil
}

func TestHugeLinesAreReadInBoundedMemory(t *testing.T) {
	const longest = 8 << 20 // thirty-two times a chunk: enough to see what grows
	begin, end, _ := strings.Cut(message, "hello")
	size := int64(longest - len(message) + len("hello"))
	tests := []struct {
		name string
		file stretch
		want bool
	}{
		{"the longest entry", stretch{begin, 'x', size, end}, true},
		{"one byte longer", stretch{begin, 'x', size + 1, end}, false},
		{"behind a line that is longer than any entry", stretch{`{"uuid":"` + ours + `","x":"`, 'x', 2 * longest, "\n" + message}, true},
		{"behind much garbage", stretch{"", '"', 2 * longest, "\n" + message}, true},
		{"behind many empty lines", stretch{message[:50] + ours + `"`, '\n', longest - 1000, message}, true},
		{"behind an entry of brackets", stretch{`{"uuid":"` + ours + `","x":`, '[', longest - 1000, "\n" + message}, true},
		{"in a very long name", stretch{begin + `","`, 'k', longest - 1000, `":"` + end}, true},
	}
	for _, tt := range tests {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := holds(t.Context(), tt.file, ours, longest)
		runtime.ReadMemStats(&after)
		if err != nil || got != tt.want {
			t.Errorf("%s: %v, %v; want %v", tt.name, got, err, tt.want)
		}
		// Everything ever allocated: two chunks, and room for what is short.
		if total := after.TotalAlloc - before.TotalAlloc; total > 4*chunk {
			t.Errorf("%s: allocated %d bytes", tt.name, total)
		}
	}
}

func TestHoldsIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := holds(ctx, stretch{"", 'x', 1 << 40, ""}, ours, maxLine); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it cancelled", err)
	}
}

type faulty struct{ at int64 }

func (f faulty) ReadAt(p []byte, at int64) (int, error) {
	if at >= f.at {
		return 0, errors.New("a bad sector")
	}
	n := copy(p, message+"\n")
	if at > 0 {
		n = len(p)
	}
	return n, nil
}

func TestFaultsAreErrors(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ path, id, want string }{
		{filepath.Join(dir, "missing"), ours, "no such file"},
		{dir, ours, "is no regular file"},
		{fifo, ours, "is no regular file"},
		{empty, "", "is no message uuid"},
		{empty, `x"},{"`, "is no message uuid"},
	} {
		if _, err := Holds(t.Context(), tt.path, tt.id); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Holds(%s, %q): %v, want %q", tt.path, tt.id, err, tt.want)
		}
	}
	if _, err := Holds(t.Context(), filepath.Join(dir, "missing"), ours); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
	if _, err := holds(t.Context(), faulty{at: 1}, strings.ReplaceAll(ours, "1", "2"), maxLine); err == nil {
		t.Error("a bad sector is no error")
	}
}

// BenchmarkHolds looks for the last message of a transcript of 100 MB.
func BenchmarkHolds(b *testing.B) {
	path := filepath.Join(b.TempDir(), "session.jsonl")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	const size = 100 << 20
	for written, i := 0, 0; written < size; i++ {
		n, err := fmt.Fprintf(file, `{"parentUuid":"%08d-0000-4000-8000-000000000000","isSidechain":false,"message":{"role":"user","content":%s},"type":"user","uuid":"%08d-0000-4000-8000-000000000000","cwd":"/home/someone/project"}`+"\n",
			i, quote(strings.Repeat("a line \"of\" output\n", i%500)), i+1)
		if err != nil {
			b.Fatal(err)
		}
		written += n
	}
	if _, err := file.WriteString(message + "\n"); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if held, err := Holds(b.Context(), path, ours); err != nil || !held {
			b.Fatal(held, err)
		}
	}
}

// BenchmarkEntry reads one entry of 16 MB.
func BenchmarkEntry(b *testing.B) {
	text := strings.Replace(message, "hello", strings.Repeat(`a line \"of\" output\n`, 16<<20/20), 1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if held, err := holds(b.Context(), strings.NewReader(text), ours, maxLine); err != nil || !held {
			b.Fatal(held, err)
		}
	}
}
