package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"hearth/backend/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	scope = Scope{ChannelID: "CHANNEL", BindingID: "BINDING"}
	noon  = time.Date(2026, 3, 4, 12, 0, 0, 123456000, time.UTC)
)

// fake is a backend that answers from memory, and remembers what it was asked.
type fake struct {
	rows      []Row // of every place and channel, oldest first
	roster    Roster
	runs      RunActivity
	workspace string
	result    PostResult
	err       error // answers every call
	panics    bool
	hangs     bool // until the context ends

	queries []HistoryQuery
	posts   []PostRequest
	reasons []string
}

func (f *fake) begin(ctx context.Context) error {
	if f.panics {
		panic("a fault in the backend")
	}
	if f.hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	return f.err
}

func (f *fake) History(ctx context.Context, s Scope, q HistoryQuery) (Page, error) {
	f.queries = append(f.queries, q)
	if err := f.begin(ctx); err != nil {
		return Page{}, err
	}
	var page Page
	for _, row := range f.rows {
		if row.ID == q.Before {
			break
		}
		if row.ChannelID == s.ChannelID && row.ThreadRootID == q.ThreadRootID {
			page.Rows = append(page.Rows, row)
		}
	}
	if cut := len(page.Rows) - q.Limit; cut > 0 {
		page.Rows, page.More = page.Rows[cut:], true
	}
	return page, nil
}

func (f *fake) Message(ctx context.Context, _ Scope, id string) (Row, error) {
	if err := f.begin(ctx); err != nil {
		return Row{}, err
	}
	for _, row := range f.rows {
		if row.ID == id {
			return row, nil
		}
	}
	return Row{}, chat.Errorf(chat.CodeNotFound, "There is no message %s.", id)
}

func (f *fake) Roster(ctx context.Context, _ Scope) (Roster, error) { return f.roster, f.begin(ctx) }

func (f *fake) Activity(ctx context.Context, _ Scope) (RunActivity, string, error) {
	return f.runs, f.workspace, f.begin(ctx)
}

func (f *fake) Post(ctx context.Context, _ Scope, r PostRequest) (PostResult, error) {
	f.posts = append(f.posts, r)
	return f.result, f.begin(ctx)
}

func (f *fake) Decline(ctx context.Context, _ Scope, reason string) error {
	f.reasons = append(f.reasons, reason)
	return f.begin(ctx)
}

var _ Backend = (*fake)(nil)

// row makes a row of the scope's channel; "@" before the author makes it an agent.
func row(id, author, body string) Row {
	r := Row{Row: chat.Row{ID: id, ChannelID: scope.ChannelID, Kind: chat.KindUser, Handle: author, Body: body, CreatedAt: noon}}
	if handle, ok := strings.CutPrefix(author, "@"); ok {
		r.Kind, r.Handle = chat.KindAgent, handle
	}
	return r
}

// wire is a log of what went over a transport.
type wire struct {
	mutex sync.Mutex
	log   bytes.Buffer
}

func (w *wire) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.log.Write(p)
}

func (w *wire) String() string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.log.String()
}

func (w *wire) read() []string {
	var lines []string
	for line := range strings.Lines(w.String()) {
		if text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "read: "); ok {
			lines = append(lines, text)
		}
	}
	return lines
}

// connect starts a server and a client of the SDK's, and logs what the client reads.
func connect(t testing.TB, b Backend) (*mcp.ClientSession, *wire) {
	t.Helper()
	mine, its := mcp.NewInMemoryTransports()
	server, err := New(b, scope).Connect(t.Context(), its, nil)
	if err != nil {
		t.Fatal(err)
	}
	log := &wire{}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.LoggingTransport{Transport: mine, Writer: log}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	})
	return client, log
}

// call calls a tool with arguments in JSON.
func call(t testing.TB, b Backend, name, args string) (text string, isError bool) {
	t.Helper()
	client, _ := connect(t, b)
	params := &mcp.CallToolParams{Name: name}
	if args != "" {
		params.Arguments = json.RawMessage(args)
	}
	result, err := client.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s %.200s: a protocol error: %v", name, args, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s: %d contents, want 1", name, len(result.Content))
	}
	content, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s: content is %T, want text", name, result.Content[0])
	}
	return content.Text, result.IsError
}
