package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func init() {
	parts["huge"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.emit(f.init(), replay(uuid, asked))
		f.emit(f.assistant("msg_1", text(strings.Repeat("0123456789abcdef", 4<<20)))) // 64 MiB
		f.emit(f.result("whole", nil))
		f.loop()
	}
	// writes one byte at a time
	parts["split"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		b, _ := json.Marshal(f.assistant("msg_1", text("안녕 👩‍👩‍👧 é")))
		f.emit(f.init(), replay(uuid, asked))
		for _, c := range append(b, '\n') {
			f.raw(string([]byte{c}))
		}
		f.emit(f.result("whole", nil))
		f.loop()
	}
	parts["garbage"] = func(f *fake) {
		f.initialize()
		uuid, asked := f.user()
		f.raw("Debugger attached.\n\n\x1b[?25l")
		f.emit(f.init())
		f.raw("{\n[1,2]\n{\"type\":7}\n{\"no\":\"type\"}\nnull\n\xff\xfe\x00\n" + strings.Repeat("x", 100000) + "\n")
		f.emit(replay(uuid, asked))
		f.emit(object{"type": "hologram", "data": 1}, system("mood", object{"mood": "fine"}),
			f.assistant("msg_1", block("smell", object{"of": "roses"})),
			object{"type": "assistant", "message": "a string now"}, object{"type": "stream_event", "event": []int{1}},
			object{"type": "user", "message": object{"content": 7}}, object{"type": "system", "subtype": 5, "uuid": object{}},
			object{"type": "rate_limit_event", "rate_limit_info": "soon"}, object{"type": "keep_alive"},
			object{"type": "hologram", "data": strings.Repeat("y", unknownRaw)})
		f.emit(f.result("through", object{"duration_ms": "a while", "errors": "none"}))
		f.loop()
	}
}

func TestA64MegabyteLine(t *testing.T) {
	r, events := ask(t, open(t, options("huge")), "x")
	if r.Text != "whole" || len(each[Text](events)) != 1 || len(each[Text](events)[0].Text) != 64<<20 {
		t.Errorf("%s: %s", r.Text, kinds(events))
	}
}

func TestCharactersSplitBetweenReads(t *testing.T) {
	_, events := ask(t, open(t, options("split")), "x")
	if got := each[Text](events); len(got) != 1 || got[0].Text != "안녕 👩‍👩‍👧 é" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNotUnderstoodIsSkipped(t *testing.T) {
	s := open(t, options("garbage"))
	r, events := ask(t, s, "x")
	if r.Text != "through" || r.NumTurns != 1 {
		t.Errorf("%+v", r)
	}
	var types []string
	for _, u := range each[Unknown](events) {
		types = append(types, fmt.Sprintf("%s:%v", u.Type, u.Raw != nil))
	}
	if want := []string{"hologram:true", "system/mood:true", "assistant/smell:true", "system/:true", "hologram:false"}; !slices.Equal(types, want) {
		t.Errorf("unknown: %v, want %v", types, want)
	}
	if len(s.odd) != 8 || s.odd[0] != "Debugger attached." || len(s.odd[7]) != oddLength {
		t.Errorf("%d odd lines: %q", len(s.odd), s.odd)
	}
	ask(t, s, "again")
}

// lines reads all.
func lines(r io.Reader, limit int) (got []string, dropped []int64, err error) {
	l := newLineReader(r, limit, func(n int64) { dropped = append(dropped, n) })
	for {
		line, err := l.next()
		if err != nil {
			return got, dropped, err
		}
		got = append(got, string(line))
	}
}

func TestLineReader(t *testing.T) {
	const limit = 100 << 10 // more than the buffer below it
	long := strings.Repeat("é", limit/2)
	for name, c := range map[string]struct {
		in      string
		want    []string
		dropped []int64
	}{
		"nothing":                      {"", nil, nil},
		"empty lines":                  {"\n\n \r\n", nil, nil},
		"two":                          {"a\nb\n", []string{"a", "b"}, nil},
		"carriage returns":             {"a\r\nb\r\n", []string{"a", "b"}, nil},
		"the last without its end":     {"a\nb", []string{"a", "b"}, nil},
		"as long as may be":            {long[:limit-2] + "\nb\n", []string{long[:limit-2], "b"}, nil},
		"too long":                     {"a\n" + long + "xyz\nb\n", []string{"a", "b"}, []int64{limit + 4}},
		"too long, and the last":       {"a\n" + long + "xyz", []string{"a"}, []int64{limit + 3}},
		"too long twice, then a whole": {long + long + "\n" + long + long + "\nb\n", []string{"b"}, []int64{2*limit + 1, 2*limit + 1}},
	} {
		for how, r := range map[string]io.Reader{
			"whole":        strings.NewReader(c.in),
			"byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
			"halves":       iotest.HalfReader(strings.NewReader(c.in)),
			"data and EOF": iotest.DataErrReader(strings.NewReader(c.in)),
		} {
			got, dropped, err := lines(r, limit)
			if !errors.Is(err, io.EOF) || !slices.Equal(got, c.want) || !slices.Equal(dropped, c.dropped) {
				t.Errorf("%s, %s: %d lines, dropped %v, %v", name, how, len(got), dropped, err)
			}
		}
	}
}

func TestAReadErrorIsReported(t *testing.T) {
	if _, _, err := lines(iotest.ErrReader(io.ErrClosedPipe), 100); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestALongLinesMemoryIsGivenBack(t *testing.T) {
	l := newLineReader(strings.NewReader(strings.Repeat("x", 8<<20)+"\na\nb\n"), MaxLine, nil)
	for range 3 {
		if _, err := l.next(); err != nil {
			t.Fatal(err)
		}
	}
	if cap(l.buf) > keepBuffer {
		t.Errorf("%d bytes are kept", cap(l.buf))
	}
}

func TestALineThatIsTooLongTakesNoMemory(t *testing.T) {
	var l *lineReader
	kept := 0
	l = newLineReader(strings.NewReader(strings.Repeat("x", 32<<20)+"\na\n"), 1<<20, func(int64) { kept = cap(l.buf) })
	if line, err := l.next(); err != nil || string(line) != "a" {
		t.Fatalf("%.20q, %v", line, err)
	}
	if kept == 0 || kept > 4<<20 {
		t.Errorf("%d bytes were kept of a line of 32 MiB", kept)
	}
}

func TestSalvage(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, "\x1b[?25h{\"a\":1}": `{"a":1}`, "nothing": "", "{": "{", "warning {x} {\"a\":1}": `{"a":1}`,
	} {
		if got := string(salvage([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		`{"type":"system","subtype":"init","session_id":"` + native + `"}`,
		`{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"t","input":{}}],"usage":{"input_tokens":1}}}`,
		`{"type":"stream_event","event":{"type":"message_start","message":{"id":"m","usage":{"output_tokens":1}}}}`,
		`{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":2}}}`,
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"x"}]}]}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","input":{}}}`,
		`{"type":"control_request","request_id":"1","request":{"subtype":"hook_callback","callback_id":"h0"}}`,
		`{"type":"control_cancel_request","request_id":"1"}`,
		`{"type":"control_response","response":{"subtype":"success","request_id":"hearth-1"}}`,
		`{"type":"result","is_error":true,"modelUsage":{"m":{"inputTokens":1}},"queued_turn_count":1}`,
		`{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"1"}]}`,
		`{"type":"system","subtype":"task_notification","task_id":"1","status":"completed"}`,
		`{"type":"command_lifecycle","command_uuid":"u","state":"started"}`, "x\x00{\"", "\xff", `{"type":{}}`,
	} {
		f.Add([]byte(seed), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		o := options("")
		if err := o.complete(); err != nil {
			t.Fatal(err)
		}
		s := newSession(o)
		s.initialized = true
		s.turn = &turn{uuid: "u", sent: true, events: newEventQueue(), result: make(chan Result, 1), claimed: make(chan struct{}), repeat: make(chan struct{}, 1)}
		for range 2 { // twice, because the second meets the state the first left
			for _, raw := range [][]byte{a, b} {
				got, _, _ := lines(bytes.NewReader(raw), MaxLine)
				for _, line := range got {
					s.line([]byte(line))
				}
			}
		}
		s.callback.Wait()
		s.mu.Lock()
		s.expect(false)
		s.mu.Unlock()
		for _, l := range s.out.lines {
			if !json.Valid(l.bytes) || bytes.Count(l.bytes, []byte("\n")) != 1 {
				t.Errorf("an answer that is no line of JSON: %q", l.bytes)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	o := options("")
	if err := o.complete(); err != nil {
		b.Fatal(err)
	}
	f := &fake{}
	kinds := map[string]object{
		"delta":        delta("some words "),
		"tool_result":  {"type": "user", "message": object{"content": []object{block("tool_result", object{"tool_use_id": "t", "content": strings.Repeat("line of output\n", 2000)})}}},
		"megabyte":     f.assistant("m", text(strings.Repeat("0123456789abcdef", 1<<16))),
		"unknown_type": {"type": "hologram", "data": "x"},
	}
	for name, o2 := range kinds {
		line, err := json.Marshal(o2)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			s := newSession(o)
			s.turn = &turn{sent: true, events: newEventQueue()}
			s.cycle.ours = true
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				s.line(line)
				if i%64 == 0 {
					s.turn.events = newEventQueue()
				}
			}
		})
	}
}
