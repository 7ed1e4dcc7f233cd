package claude

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type greeting struct {
	Name string `json:"name"`
}

// server has two tools: one that greets, one that waits for its context.
func server(waits chan<- string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "channel", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Meta: mcp.Meta{"anthropic/alwaysLoad": true}}, func(_ context.Context, _ *mcp.CallToolRequest, in greeting) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello " + in.Name}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ greeting) (*mcp.CallToolResult, any, error) {
		waits <- "running"
		<-ctx.Done()
		waits <- "cancelled"
		return nil, nil, ctx.Err()
	})
	return s
}

// rpc sends JSON-RPC in a control request.
func (f *fake) rpc(request string, message object) {
	message["jsonrpc"] = "2.0"
	f.emit(object{"type": "control_request", "request_id": request, "request": object{"subtype": "mcp_message", "server_name": "channel", "message": message}})
}

// rpcSaid is the JSON-RPC that came back.
func rpcSaid(response object) object {
	r, _ := response["response"].(object)
	m, _ := r["mcp_response"].(object)
	return m
}

func greet(id any, version string) object {
	return object{"id": id, "method": "initialize", "params": object{
		"protocolVersion": version, "capabilities": object{}, "clientInfo": object{"name": "claude-code", "version": "2"}}}
}

func init() {
	parts["mcp"] = func(f *fake) {
		// All of it may come before our `initialize` is answered; 2.1.197 sends it twice, overlapping, with equal ids.
		f.rpc("i1", greet(0, "2025-06-18"))
		f.rpc("i2", greet(0, "2025-06-18"))
		one, two := rpcSaid(f.response("i1")), rpcSaid(f.response("i2"))
		f.rpc("n1", object{"method": "notifications/initialized"})
		f.rpc("n2", object{"method": "notifications/initialized"})
		f.response("n1")
		f.response("n2")
		f.rpc("i3", greet(7, "2025-06-18"))
		three := rpcSaid(f.response("i3"))
		f.initialize()
		f.rpc("l1", object{"id": 1, "method": "tools/list"})
		list := rpcSaid(f.response("l1"))
		f.rpc("c1", object{"id": "a string", "method": "tools/call", "params": object{"name": "greet", "arguments": object{"name": "Ann"}}})
		call := rpcSaid(f.response("c1"))
		f.rpc("e1", object{"id": 3, "method": "no/such"})
		none := rpcSaid(f.response("e1"))
		f.inTurn(func() string {
			b, _ := json.Marshal([]object{one, two, three, list, call, none})
			return string(b)
		})
		f.loop()
	}
	parts["mcp cancel"] = func(f *fake) {
		f.initialize()
		f.rpc("i1", greet(0, "2025-06-18"))
		f.response("i1")
		f.rpc("n1", object{"method": "notifications/initialized"})
		// by JSON-RPC, with the client's own id
		f.rpc("c1", object{"id": 5, "method": "tools/call", "params": object{"name": "wait", "arguments": object{"name": ""}}})
		f.mark("wait until it runs")
		f.rpc("x1", object{"method": "notifications/cancelled", "params": object{"requestId": 5}})
		f.response("x1")
		f.rpc("x2", object{"method": "notifications/cancelled", "params": object{"requestId": 77}})
		f.response("x2")
		f.mark("wait until it has ended")
		// by the control protocol: nobody waits for the answer any more
		f.rpc("c2", object{"id": 6, "method": "tools/call", "params": object{"name": "wait", "arguments": object{"name": ""}}})
		f.mark("wait until it runs, again")
		f.emit(object{"type": "control_cancel_request", "request_id": "c2"})
		f.loop()
	}
	parts["mcp notify"] = func(f *fake) {
		f.initialize()
		f.rpc("i1", greet(0, "2025-06-18"))
		f.response("i1")
		f.rpc("n1", object{"method": "notifications/initialized"})
		f.inTurn(func() string {
			r := f.request("mcp_message", nil)
			m, _ := r["message"].(object)
			return r["server_name"].(string) + " " + m["method"].(string)
		})
		f.loop()
	}
}

func TestMCPServerInThisProcess(t *testing.T) {
	o := options("mcp")
	o.Servers = map[string]*mcp.Server{"channel": server(nil)}
	r, _ := ask(t, open(t, o), "x")
	var got []object
	if err := json.Unmarshal([]byte(r.Text), &got); err != nil {
		t.Fatal(err)
	}
	result := func(i int) object {
		m, _ := got[i]["result"].(object)
		return m
	}
	for i, id := range []any{0.0, 0.0, 7.0} {
		info, _ := result(i)["serverInfo"].(object)
		if got[i]["id"] != id || info["name"] != "channel" || result(i)["protocolVersion"] != "2025-06-18" {
			t.Errorf("initialize %d: %v", i+1, got[i])
		}
	}
	var names []string
	for _, tool := range result(3)["tools"].([]any) {
		tool := tool.(object)
		names = append(names, tool["name"].(string))
		if tool["name"] == "greet" && tool["_meta"].(object)["anthropic/alwaysLoad"] != true {
			t.Errorf("the tool's meta: %v", tool)
		}
	}
	if slices.Sort(names); got[3]["id"] != 1.0 || !slices.Equal(names, []string{"greet", "wait"}) {
		t.Errorf("tools %v in %v", names, got[3])
	}
	if text, _ := json.Marshal(result(4)["content"]); got[4]["id"] != "a string" || string(text) != `[{"text":"hello Ann","type":"text"}]` {
		t.Errorf("the call: %v", got[4])
	}
	if got[5]["id"] != 3.0 || got[5]["error"] == nil {
		t.Errorf("an unknown method: %v", got[5])
	}
}

func TestMCPCallsAreCancelled(t *testing.T) {
	waits := make(chan string, 1)
	o := options("mcp cancel")
	o.Servers = map[string]*mcp.Server{"channel": server(waits)}
	at, on := marks(&o)
	s := open(t, o)
	for i := range 2 {
		if i > 0 {
			<-at // the first has ended
			on()
		}
		<-at
		if got := <-waits; got != "running" {
			t.Fatal(got)
		}
		on()
		if got := <-waits; got != "cancelled" {
			t.Fatal(got)
		}
	}
	ask(t, s, "x")
}

func TestWhatAServerSaysByItselfReachesTheClient(t *testing.T) {
	o := options("mcp notify")
	srv := server(nil)
	o.Servers = map[string]*mcp.Server{"channel": srv}
	s := open(t, o)
	begun := make(chan struct{}, 9)
	done := make(chan Result)
	go func() {
		r, err := s.Turn(t.Context(), Message{Text: "x"}, func(Event) { begun <- struct{}{} })
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	mcp.AddTool(srv, &mcp.Tool{Name: "late"}, func(context.Context, *mcp.CallToolRequest, greeting) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	if r := <-done; r.Text != "channel notifications/tools/list_changed" {
		t.Errorf("the client got %q", r.Text)
	}
}

func TestServersGoIntoTheConfiguration(t *testing.T) {
	o := options("")
	o.Servers = map[string]*mcp.Server{"b": nil, "a": nil}
	o.Framing, o.Model, o.PermissionMode, o.Allowed, o.Args = "be nice", "opus", "plan", []string{"mcp__a", "Read"}, []string{"--add-dir", "/x"}
	args, err := o.arguments()
	if err != nil {
		t.Fatal(err)
	}
	want := "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --replay-user-messages" +
		" --permission-prompt-tool stdio --session-id " + native + " --append-system-prompt be nice --exclude-dynamic-system-prompt-sections" +
		` --model opus --permission-mode plan --mcp-config {"mcpServers":{"a":{"type":"sdk","name":"a"},"b":{"type":"sdk","name":"b"}}}` +
		" --allowedTools mcp__a --allowedTools Read --add-dir /x"
	if got := strings.Join(args, " "); got != want {
		t.Errorf("arguments\n%s\nwant\n%s", got, want)
	}
	o = options("")
	o.Resume, o.Prefix = true, []string{"agent"}
	args, _ = o.arguments()
	if got := strings.Join(args, " "); !strings.HasPrefix(got, "agent -p ") || !strings.HasSuffix(got, " stdio --resume "+native) {
		t.Errorf("arguments %s", got)
	}
}
