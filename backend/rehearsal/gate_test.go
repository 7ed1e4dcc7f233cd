package rehearsal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/backend/standin"
)

func TestWithLine(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{
			"in front of what is there", `{"model":"m", "system" : [ {"type":"text","text":"a"}],"x":[1]}`,
			`{"model":"m", "system" : [{"text":"line\n","type":"text"}, {"type":"text","text":"a"}],"x":[1]}`,
		},
		{"alone", `{"system":[ ]}`, `{"system":[{"text":"line\n","type":"text"} ]}`},
		{"not inside of something else", `{"messages":[{"system":[1]}],"system":[2]}`, `{"messages":[{"system":[1]}],"system":[{"text":"line\n","type":"text"},2]}`},
		{"a text is left alone", `{"system":"a"}`, ""},
		{"none is left alone", `{"model":"m"}`, ""},
		{"no object", `[1]`, ""},
		{"no JSON", `{"system":[`, ""},
		{"nothing", ``, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := withLine([]byte(c.body), "line\n")
			if string(got) != c.want || ok != (c.want != "") {
				t.Errorf("%s, %v", got, ok)
			}
		})
	}
}

// Whatever comes, what leaves is the same JSON with one block more, or untouched.
func FuzzWithLine(f *testing.F) {
	for _, seed := range []string{`{"system":[{"text":"é\u2028"}]}`, `{"system":[]}`, `{"a":{"system":[]},"system":[[],{}]}`, `{"system":[1],"system":[2]}`, `{`, "\xff"} {
		f.Add([]byte(seed), "line \n")
	}
	f.Fuzz(func(t *testing.T, body []byte, line string) {
		got, ok := withLine(bytes.Clone(body), line)
		if !ok || !json.Valid(body) {
			return
		}
		var after struct{ System []json.RawMessage }
		if !json.Valid(got) {
			t.Fatalf("%q became %q", body, got)
		}
		if bytes.Count(body, []byte("ystem")) > 1 {
			return // which of two counts is no matter of ours
		}
		if err := json.Unmarshal(got, &after); err != nil || len(after.System) == 0 {
			t.Fatalf("%q became %q: %v", body, got, err)
		}
	})
}

func mustOpen(t *testing.T) *gate {
	t.Helper()
	g, err := openGate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.stop)
	return g
}

// The gate lets nothing out: it is the proxy, and says no.
func TestTheGateRefusesWhatIsOutside(t *testing.T) {
	g := mustOpen(t)
	g.lead(newModel(false))
	proxy, err := url.Parse(g.url)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), DisableKeepAlives: true}}
	answer, err := client.Get("http://example.com:81/x")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("status %d", answer.StatusCode)
	}
	if answer, err := client.Get("https://api.example.org/"); err == nil {
		answer.Body.Close()
		t.Error("a tunnel was opened")
	}
	if got := g.refused(); !slices.Equal(got, []string{"api.example.org", "example.com"}) {
		t.Errorf("noted %q", got)
	}
}

// A connection that is kept open does not keep the gate from closing.
func TestTheGateCloses(t *testing.T) {
	g, err := openGate()
	if err != nil {
		t.Fatal(err)
	}
	g.lead(newModel(false))
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodHead}); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", answer, err)
	}
	g.stop()
	if _, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://")); err == nil {
		t.Error("it still listens")
	}
}

const asking = `{"model":"claude-opus-4-8","max_tokens":9,"system":[{"type":"text","text":"be nice"}],"tools":[{"name":"t"}],"messages":[{"role":"user","content":"hi"}]}`

func post(t *testing.T, g *gate, body string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+"/v1/messages", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", "k")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	return answer
}

// The line stands in front of the system prompt, the answer says that a proxy put it
// there, and without a line nothing is touched.
func TestTheGateSaysTheLine(t *testing.T) {
	g := mustOpen(t)
	m := newModel(false)
	g.lead(m)
	g.say("6 online\n")
	if label := post(t, g, asking).Header.Get("X-Hearth-Rehearsal"); !strings.HasPrefix(label, "unstable: ") {
		t.Errorf("labelled %q", label)
	}
	g.say("")
	if label := post(t, g, asking).Header.Get("X-Hearth-Rehearsal"); label != "" {
		t.Errorf("labelled %q", label)
	}
	book := m.Book()
	if len(book) != 2 || book[0].SystemText() != "6 online\n\nbe nice" || string(book[1].Body) != asking {
		t.Errorf("the book has %+v", book)
	}
	if book[0].ToolsHash(false) != book[1].ToolsHash(false) {
		t.Error("the tools were touched")
	}
}

func TestTheClockNeverExpiresWhatIsUsed(t *testing.T) {
	c := newClock()
	first := c.look()
	if d := c.look().Sub(first); d != time.Second {
		t.Errorf("a look takes %v", d)
	}
	c.pass(time.Hour)
	if d := c.look().Sub(first); d != time.Hour+2*time.Second {
		t.Errorf("%v passed", d)
	}
	if _, err := newModel(false).last("none"); err == nil {
		t.Error("there is a request of no session")
	}
	var _ http.Handler = model{API: standin.NewAPI(standin.Options{})}
}
