package guard

import (
	"encoding/json"
	"strings"
	"testing"

	"hearth/backend/golden"
	"hearth/backend/plain"
)

func log(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString("ok   test ")
		out.WriteString(strings.Repeat("x", i%40))
		out.WriteString(" 한국어 ✓\n")
	}
	return out.String()
}

func TestPointers(t *testing.T) {
	text := log(12_000) + "FAIL: the last one\nexit status 1\n"
	golden.Equal(t, "pointer.txt", Pointer(text, ".flower/spill/"+SpillName(text))+"\n")
	golden.Equal(t, "pointer_failed.txt", FailedPointer(text, ".flower/spill/"+SpillName(text))+"\n")
}

func object(t *testing.T, v map[string]any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// over is how long the texts are at most that stay.
const over = 4000

func TestSpillKeepsTheShape(t *testing.T) {
	long, short := strings.Repeat("한", over+1), strings.Repeat("한", over)
	in := json.RawMessage(`{"stdout":` + string(encode(long)) + `,"n":1.50e3,"list":[` + string(encode(long)) + `],"stderr":` + string(encode(short)) +
		`,"deep":{"file":{"content":` + string(encode(long+"!")) + `,"<&>":null}},"interrupted":false}`)
	out, spilled := Spill(in, over, "/w/.flower/spill/", false)
	if len(spilled) != 2 || spilled[0].Text != long || spilled[1].Text != long+"!" || spilled[0].Chars != over+1 || spilled[0].Lines != 1 {
		t.Fatalf("%d spilled", len(spilled))
	}
	want := strings.Replace(string(in), `"stdout":`+string(encode(long)), `"stdout":`+string(encode(Pointer(long, "/w/.flower/spill/"+SpillName(long)))), 1)
	want = strings.Replace(want, string(encode(long+"!")), string(encode(Pointer(long+"!", "/w/.flower/spill/"+SpillName(long+"!")))), 1)
	if string(out) != want {
		t.Errorf("got  %.300s\nwant %.300s", out, want)
	}
	if again, more := Spill(out, over, "/w/.flower/spill", false); len(more) != 0 || string(again) != string(out) {
		t.Errorf("a pointer was spilled: %v", more)
	}
}

func TestSpillLeavesAlone(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	image := map[string]any{"type": "image", "source": map[string]any{"type": "base64", "data": long}}
	for name, test := range map[string]struct {
		in     json.RawMessage
		over   int
		blocks bool
	}{
		"turned off":                   {object(t, map[string]any{"stdout": long}), 0, false},
		"no JSON":                      {json.RawMessage(`{"stdout":"` + long), over, false},
		"a list":                       {object(t, map[string]any{"content": []any{map[string]any{"type": "text", "text": long}}}), over, false},
		"an image among blocks":        {json.RawMessage("[" + string(object(t, image)) + "]"), over, true},
		"an image that Read found":     {json.RawMessage(`{"type":"image","file":{"base64":"` + long + `","type":"image/png","originalSize":50000}}`), over, false},
		"a PDF that Read found":        {json.RawMessage(`{"type":"pdf","file":{"filePath":"/w/a.pdf","base64":"` + long + `","originalSize":50000}}`), over, false},
		"an image that Bash printed":   {json.RawMessage(`{"stdout":"data:image/png;base64,` + long + `","stderr":"","isImage":true}`), over, false},
		"a list of plain texts":        {json.RawMessage("[" + string(encode(long)) + "]"), over, true},
		"short":                        {object(t, map[string]any{"stdout": "hello"}), over, false},
		"a pointer would be longer":    {object(t, map[string]any{"stdout": strings.Repeat("x", 120)}), 100, false},
		"nothing":                      {json.RawMessage(`null`), over, false},
		"a number with all its digits": {json.RawMessage(`{"n":12345678901234567890.10}`), over, false},
	} {
		out, spilled := Spill(test.in, test.over, "/spill", test.blocks)
		if len(spilled) != 0 || string(out) != string(test.in) {
			t.Errorf("%s: %d spilled", name, len(spilled))
		}
	}
}

func TestSpillJudgesTheBlocksOfAnMCPToolOneByOne(t *testing.T) {
	long := strings.Repeat("x\n", 3000)
	in := json.RawMessage(`[{"type":"text","text":"hi"},{"type":"text","text":` + string(encode(long)) + `},{"type":"image","data":` + string(encode(long)) + `}]`)
	out, spilled := Spill(in, over, "/spill", true)
	if len(spilled) != 1 || spilled[0].Lines != 3000 || !strings.Contains(string(out), `{"type":"text","text":"hi"}`) || !strings.Contains(string(out), `"data":`+string(encode(long))) {
		t.Errorf("%d spilled: %.200s", len(spilled), out)
	}
}

func TestTheSameTextIsTheSameFile(t *testing.T) {
	if again := SpillName("a"); again != SpillName(strings.Repeat("a", 1)) || again == SpillName("b") {
		t.Error("names do not stand for texts")
	}
}

func TestTheEndOfAFailureIsWhole(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"abc":                           "abc",
		"ab\ncd":                        "ab\ncd",
		"한국어\n끝입니다":                     "끝입니다",
		"xxxxxxxxx":                     "xxxxxx",
		"x\x80\x80\x80\x80\x80\x80\x80": "\x80\x80\x80\x80\x80\x80",
	} {
		if got := last(text, 6); got != want {
			t.Errorf("%q ends with %q, want %q", text, got, want)
		}
	}
	if got := FailedPointer(log(500), "f"); plain.Length(got) > SpillHead+SpillTail+250 {
		t.Errorf("it keeps %d characters", plain.Length(got))
	}
}

func TestReadingASpillFileIsKnown(t *testing.T) {
	const cwd, folder = "/w/repo", "/w/repo/.flower/spill"
	for call, want := range map[[2]string]bool{
		{"Read", `{"file_path":"/w/repo/.flower/spill/a.txt","offset":10}`}:     true,
		{"Read", `{"file_path":".flower/spill/a.txt"}`}:                         true,
		{"Read", `{"file_path":"./.flower/spill/a.txt"}`}:                       true,
		{"Read", `{"file_path":"/w/repo/.flower/spill/../../secret"}`}:          false,
		{"Read", `{"file_path":"/w/repo/.flower/spilled/a.txt"}`}:               false,
		{"Read", `{"file_path":""}`}:                                            false,
		{"Read", `nonsense`}:                                                    false,
		{"Grep", `{"path":".flower/spill/a.txt","pattern":"x"}`}:                true,
		{"Grep", `{"path":".flower/spill","pattern":"x"}`}:                      true,
		{"Grep", `{"pattern":"x"}`}:                                             false,
		{"Bash", `{"command":"cat .flower/spill/a.txt"}`}:                       true,
		{"Bash", `{"command":"head -n 100 ./.flower/spill/a.txt"}`}:             true,
		{"Bash", `{"command":"sed -n '100,200p' /w/repo/.flower/spill/a.txt"}`}: true,
		{"Bash", `{"command":"sed -n '/a\\/b/p' .flower/spill/a.txt | head"}`}:  true,
		{"Bash", `{"command":"grep -n 'x/y' .flower/spill/a.txt | tail -5"}`}:   true,
		{"Bash", `{"command":"cat .flower/spill/a.txt other/b.txt"}`}:           false,
		{"Bash", `{"command":"make; cat .flower/spill/a.txt"}`}:                 false,
		{"Bash", `{"command":"ls -R / ; cat .flower/spill/a.txt"}`}:             false,
		{"Bash", `{"command":"cat /etc/services; cat .flower/spill/a.txt"}`}:    false,
		{"Bash", `{"command":"echo .flower/spill/a.txt"}`}:                      false,
		{"Bash", `{"command":"cat $X .flower/spill/a.txt"}`}:                    false,
		{"Bash", `{"command":"ls"}`}:                                            false,
		{"WebFetch", `{"url":"/w/repo/.flower/spill/a.txt"}`}:                   false,
	} {
		if got := ReadsSpill(call[0], json.RawMessage(call[1]), cwd, folder); got != want {
			t.Errorf("%s %s: %t", call[0], call[1], got)
		}
	}
}

func FuzzSpill(f *testing.F) {
	f.Add([]byte(`{"a":"bbbbbbbbbbbbbbb","c":[1,{"d":"eeeeeeeeeeeee"}]}`), true)
	f.Fuzz(func(t *testing.T, in []byte, blocks bool) {
		out, spilled := Spill(in, 10, "/s", blocks)
		if len(spilled) == 0 && string(out) != string(in) || json.Valid(in) && !json.Valid(out) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}
