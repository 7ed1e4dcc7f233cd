package claude

import (
	"context"

	"hearth/backend/pty"
)

// A Server is an MCP server that the client works with. Its configuration is not taken: that may hold keys.
type Server struct {
	Name   string
	Status string // connected, failed, needs-auth, pending, disabled
	Error  string // why it failed
	Scope  string // where it was configured: user, project, local, dynamic, ...
	Info   struct {
		Name    string
		Version string
	} `json:"serverInfo"`
	Tools []ServerTool
}

// A ServerTool is what the client says of a server's tool. Clients up to 2.1.332 give a name and notes and no description,
// and none gives the schema.
type ServerTool struct {
	Name        string
	Description string
	Notes       struct {
		ReadOnly    bool `json:"readOnly"`
		Destructive bool `json:"destructive"`
		OpenWorld   bool `json:"openWorld"`
	} `json:"annotations"`
}

// Servers asks the client for its MCP servers and their tools, in its order. It answers during a turn, too. Before the first
// turn servers may still be pending, and those of this process be missing.
func (s *Session) Servers(ctx context.Context) ([]Server, error) {
	raw, err := s.Request(ctx, "mcp_status", nil)
	if err != nil {
		return nil, err
	}
	var said struct {
		Servers []Server `json:"mcpServers"`
	}
	if err := decode(raw, &said); err != nil {
		return nil, &Error{Code: CodeRefused, Op: "request mcp_status", Err: err}
	}
	return said.Servers, nil
}

// Memory looks how much memory the client and all that it started take now.
func (s *Session) Memory(ctx context.Context) (pty.Memory, error) { return s.proc.Memory(ctx) }
