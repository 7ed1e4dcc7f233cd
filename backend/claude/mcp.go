package claude

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A bridge joins one MCP server of this process to the client: it is the server's transport and its connection. JSON-RPC
// comes in control requests and goes back in their responses, so a call is known to the server by the control request's
// id, which is unique, and gets its own id back on the way out.
//
// Problem: 2.1.197 sends `initialize` twice, overlapping and with equal ids, when the first prompt comes at once.
// Why it matters: the server refuses the second, and the client then runs its first turn without the tools.
// Solution: the second gets the answer to the first, whether that was given already or not.
type bridge struct {
	s    *Session
	name string

	mu       sync.Mutex
	queue    []jsonrpc.Message
	wake     chan struct{} // holds a token when there is something to read
	closed   chan struct{}
	calls    map[string]json.RawMessage // the client's ids of open calls, by control request
	initID   string                     // the control request of the first initialize
	initSaid *jsonrpc.Response          // its answer
	initWait []string                   // later initializes that wait for it
}

var (
	_ mcp.Transport  = (*bridge)(nil)
	_ mcp.Connection = (*bridge)(nil)
)

func newBridge(s *Session, name string) *bridge {
	return &bridge{s: s, name: name, wake: make(chan struct{}, 1), closed: make(chan struct{}), calls: map[string]json.RawMessage{}}
}

// serve runs the server on this connection until it is closed.
func (b *bridge) serve(ctx context.Context, server *mcp.Server) {
	session, err := server.Connect(ctx, b, nil)
	if err == nil {
		err = session.Wait()
	}
	if err != nil {
		b.s.log.Warn("an MCP server ended", "server", b.name, "error", err)
	}
}

// Connect is part of mcp.Transport.
func (b *bridge) Connect(context.Context) (mcp.Connection, error) { return b, nil }

// SessionID is part of mcp.Connection.
func (b *bridge) SessionID() string { return "" }

// Close is part of mcp.Connection.
func (b *bridge) Close() error {
	b.close()
	return nil
}

func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.closed:
	default:
		close(b.closed)
	}
}

// wireRPC is JSON-RPC as far as the bridge looks into it.
type wireRPC struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// deliver takes a message of the client's. It is called by the reader and returns at once.
func (b *bridge) deliver(id string, raw json.RawMessage) {
	var rpc wireRPC
	message, err := jsonrpc.DecodeMessage(raw)
	if err == nil {
		err = decode(raw, &rpc)
	}
	if err != nil {
		b.s.refuse(id, "an MCP message that can't be read: "+err.Error())
		return
	}
	request, isRequest := message.(*jsonrpc.Request)
	if !isRequest || !request.IsCall() {
		// Nothing comes back for these. The client passes what we say to its own MCP library, which ignores an answer to
		// no question but not the lack of one.
		b.s.answer(id, map[string]any{"mcp_response": map[string]any{"jsonrpc": "2.0", "id": 0, "result": struct{}{}}})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if isRequest && !b.admit(id, request, rpc) {
		return
	}
	b.push(message)
}

// admit makes a request ready for the server, or says that the server is not to see it. The lock is held.
func (b *bridge) admit(id string, request *jsonrpc.Request, rpc wireRPC) bool {
	if !request.IsCall() {
		return request.Method != "notifications/cancelled" || b.translateCancel(request)
	}
	b.calls[id] = rpc.ID
	if request.Method == "initialize" {
		switch {
		case b.initSaid != nil:
			b.reply(id, b.initSaid)
			return false
		case b.initID != "":
			b.initWait = append(b.initWait, id)
			return false
		}
		b.initID = id
	}
	request.ID, _ = jsonrpc.MakeID(id) // a string is always an id
	return true
}

// translateCancel names the call to cancel by the id under which the server knows it. The lock is held.
func (b *bridge) translateCancel(request *jsonrpc.Request) bool {
	var params map[string]json.RawMessage
	if json.Unmarshal(request.Params, &params) != nil {
		return false
	}
	for control, id := range b.calls {
		if string(id) != string(params["requestId"]) {
			continue
		}
		return b.cancelCall(request, params, control)
	}
	return false // answered already
}

func (b *bridge) cancelCall(request *jsonrpc.Request, params map[string]json.RawMessage, control string) bool {
	quoted, err := json.Marshal(control)
	if err != nil {
		return false
	}
	params["requestId"] = quoted
	request.Params, err = json.Marshal(params)
	return err == nil
}

// withdraw cancels the call that came in a control request, and its answer is not sent.
func (b *bridge) withdraw(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, open := b.calls[id]; !open {
		return
	}
	delete(b.calls, id)
	request := &jsonrpc.Request{Method: "notifications/cancelled"}
	if b.cancelCall(request, map[string]json.RawMessage{}, id) {
		b.push(request)
	}
}

// push queues a message for the server. The lock is held.
func (b *bridge) push(m jsonrpc.Message) {
	b.queue = append(b.queue, m)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Read gives the server the client's next message.
func (b *bridge) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		b.mu.Lock()
		if len(b.queue) > 0 {
			m := b.queue[0]
			b.queue = b.queue[1:]
			b.mu.Unlock()
			return m, nil
		}
		b.mu.Unlock()
		select {
		case <-b.wake:
		case <-b.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Write takes a message of the server's: an answer, or something it says by itself.
func (b *bridge) Write(ctx context.Context, m jsonrpc.Message) error {
	response, ok := m.(*jsonrpc.Response)
	if !ok {
		return b.say(ctx, m)
	}
	id, _ := response.ID.Raw().(string)
	b.mu.Lock()
	defer b.mu.Unlock()
	if id == b.initID && b.initSaid == nil {
		b.initSaid = response
		for _, waiting := range b.initWait {
			b.reply(waiting, response)
		}
		b.initWait = nil
	}
	b.reply(id, response)
	return nil
}

// reply answers the control request in which a call came. The lock is held.
func (b *bridge) reply(id string, response *jsonrpc.Response) {
	original, open := b.calls[id]
	delete(b.calls, id)
	if !open {
		return // withdrawn
	}
	raw, err := jsonrpc.EncodeMessage(response)
	var fields map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &fields)
	}
	if err != nil {
		b.s.refuse(id, "the MCP answer could not be encoded: "+err.Error())
		return
	}
	fields["id"] = original
	b.s.answer(id, map[string]any{"mcp_response": fields})
}

// say sends what the server says by itself (a changed list of tools, a log entry) as a request of ours.
func (b *bridge) say(ctx context.Context, m jsonrpc.Message) error {
	raw, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	if !b.s.spawn(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), DefaultStart)
		defer cancel()
		fields := map[string]any{"server_name": b.name, "message": json.RawMessage(raw)}
		if _, err := b.s.Request(ctx, "mcp_message", fields); err != nil {
			b.s.log.Debug("an MCP server's message to the client", "server", b.name, "error", err)
		}
	}) {
		return mcp.ErrConnectionClosed
	}
	return nil
}
