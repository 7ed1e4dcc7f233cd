package claude

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// fakeVariable makes the test binary play a client instead of running tests.
const fakeVariable = "CLAUDE_TEST_FAKE"

func TestMain(m *testing.M) {
	if part := os.Getenv(fakeVariable); part != "" {
		fake := newFake()
		play, ok := parts[part]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such part:", part)
			os.Exit(2)
		}
		play(fake)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

type object = map[string]any

// A fake is a scripted client. A part is a function that reads and writes like one.
type fake struct {
	in     *bufio.Reader
	out    *bufio.Writer
	native string
	resume bool
	n      int
	cost   float64
	seen   []object // lines that were read while something else was waited for
}

func newFake() *fake {
	f := &fake{in: bufio.NewReaderSize(os.Stdin, 1<<20), out: bufio.NewWriterSize(os.Stdout, 1<<16)}
	for i, a := range os.Args {
		if (a == "--session-id" || a == "--resume") && i+1 < len(os.Args) {
			f.native, f.resume = os.Args[i+1], a == "--resume"
		}
	}
	return f
}

// next reads a line; at the end of the input the fake exits, as the client does.
func (f *fake) next() object {
	line, err := f.in.ReadBytes('\n')
	if err != nil {
		os.Exit(0)
	}
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		fmt.Fprintf(os.Stderr, "not JSON: %.200q\n", line)
		os.Exit(3)
	}
	return o
}

// await reads until a line fits, and keeps the others.
func (f *fake) await(fits func(object) bool) object {
	if i := slices.IndexFunc(f.seen, fits); i >= 0 {
		o := f.seen[i]
		f.seen = slices.Delete(f.seen, i, i+1)
		return o
	}
	for {
		o := f.next()
		if fits(o) {
			return o
		}
		f.seen = append(f.seen, o)
	}
}

func (f *fake) emit(objects ...object) {
	for _, o := range objects {
		if _, ok := o["session_id"]; !ok {
			o["session_id"] = f.native
		}
		b, _ := json.Marshal(o)
		f.raw(string(b) + "\n")
	}
}

func (f *fake) raw(s string) {
	_, _ = f.out.WriteString(s)
	_ = f.out.Flush()
}

// request waits for a control request of that subtype and answers it.
func (f *fake) request(subtype string, response object) object {
	o := f.await(func(o object) bool {
		r, _ := o["request"].(object)
		return o["type"] == "control_request" && r["subtype"] == subtype
	})
	f.emit(object{"type": "control_response", "response": object{"subtype": "success", "request_id": o["request_id"], "response": response}})
	r, _ := o["request"].(object)
	return r
}

func (f *fake) initialize() object { return f.request("initialize", object{"commands": []any{}}) }

// user waits for a message.
func (f *fake) user() (uuid, text string) {
	o := f.await(func(o object) bool { return o["type"] == "user" })
	m, _ := o["message"].(object)
	return o["uuid"].(string), m["content"].(string)
}

// response waits for the answer to a question of ours.
func (f *fake) response(id string) object {
	o := f.await(func(o object) bool {
		r, _ := o["response"].(object)
		return o["type"] == "control_response" && r["request_id"] == id
	})
	return o["response"].(object)
}

func (f *fake) init() object {
	return object{"type": "system", "subtype": "init", "model": "model-a", "claude_code_version": "9.9.9", "permissionMode": "default", "tools": []string{"Bash"}}
}

func replay(uuid, text string) object {
	return object{"type": "user", "uuid": uuid, "isReplay": true, "message": object{"role": "user", "content": text}}
}

// usage is 10 in, 20 read, 30 written, and what was put out.
func usage(output int) object {
	return object{"input_tokens": 10, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 30, "output_tokens": output}
}

func block(kind string, rest object) object {
	rest["type"] = kind
	return rest
}

func text(s string) object { return block("text", object{"text": s}) }

func (f *fake) assistant(id string, content ...object) object {
	return object{"type": "assistant", "message": object{"id": id, "role": "assistant", "model": "model-a", "content": content, "usage": usage(1)}}
}

func stream(event object) object { return object{"type": "stream_event", "event": event} }

func delta(s string) object {
	return stream(object{"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": s}})
}

// messageID is a new one.
func (f *fake) messageID() string {
	f.n++
	return fmt.Sprintf("msg_%d", f.n)
}

// say is a call to the API with one block of text, streamed.
func (f *fake) say(s string) {
	id := f.messageID()
	f.emit(
		stream(object{"type": "message_start", "message": object{"id": id, "model": "model-a", "usage": usage(1)}}),
		delta(s),
		f.assistant(id, text(s)),
		stream(object{"type": "message_delta", "usage": object{"output_tokens": 7}}),
		stream(object{"type": "message_stop"}),
	)
}

// result ends a cycle; the cost grows by 1 each time.
func (f *fake) result(s string, more object) object {
	f.cost++
	o := object{
		"type": "result", "subtype": "success", "is_error": false, "result": s, "num_turns": 1, "duration_ms": 100,
		"duration_api_ms": 40 * f.cost, "ttft_ms": 12, "total_cost_usd": f.cost, "terminal_reason": "completed",
	}
	for k, v := range more {
		o[k] = v
	}
	return o
}

// answer is a whole turn.
func (f *fake) answer(uuid, asked, answer string) {
	f.emit(f.init(), replay(uuid, asked))
	f.say(answer)
	f.emit(f.result(answer, nil))
}

// loop answers every message with its text.
func (f *fake) loop() {
	for {
		uuid, asked := f.user()
		f.answer(uuid, asked, "you said "+asked)
	}
}

const native = "11111111-2222-4333-8444-555555555555"

// options are those of a session with a fake.
func options(part string) Options {
	return Options{
		Path: os.Args[0], Dir: os.TempDir(), Native: native, Mark: fmt.Sprintf("claude-test-%d/1", os.Getpid()),
		Env:            append(os.Environ(), fakeVariable+"="+part),
		InterruptGrace: 5 * time.Second, // generous: no test waits for it but those that say so
	}
}

// open starts a session with a fake, and closes it with the test.
func open(t testing.TB, o Options) *Session {
	t.Helper()
	s, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, s) })
	return s
}

func shut(t testing.TB, s *Session) {
	t.Helper()
	if err := s.Close(t.Context()); err != nil { // the context has ended: no grace
		t.Error(err)
	}
}

// ask takes a turn that must succeed.
func ask(t testing.TB, s *Session, text string) (Result, []Event) {
	t.Helper()
	var events []Event
	r, err := s.Turn(t.Context(), Message{Text: text}, func(e Event) { events = append(events, e) })
	if err != nil {
		t.Fatal(err)
	}
	return r, events
}

// kinds lists the events' types, repetitions left out.
func kinds(events []Event) string {
	var list []string
	for _, e := range events {
		if k := strings.TrimPrefix(fmt.Sprintf("%T", e), "claude."); len(list) == 0 || list[len(list)-1] != k {
			list = append(list, k)
		}
	}
	return strings.Join(list, " ")
}

// each returns the events of one type.
func each[E Event](events []Event) []E {
	var out []E
	for _, e := range events {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}
