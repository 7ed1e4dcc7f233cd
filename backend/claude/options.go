package claude

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Defaults of Options.
const (
	// DefaultStart bounds the time from the start of the process to its answer to `initialize`. It takes 0.2 to 0.8 s
	// warm, three and more on a loaded machine with a cold disk.
	DefaultStart = 60 * time.Second
	// DefaultInterrupt is how long a turn that was told to stop may take. Measured: some 20 ms.
	DefaultInterrupt = 2 * time.Second
	// DefaultUnasked is how long the client is expected to begin a turn of its own after a background task ended.
	// Measured: up to 1.3 s on a loaded machine.
	DefaultUnasked = 3 * time.Second
)

// Options says what to start and who answers its questions. Callbacks run on goroutines of the session; they may call the
// session's methods except Close, which waits for them, and must return when their context ends.
type Options struct {
	Path   string   // the client, see Locate
	Prefix []string // arguments before the client's flags, for a program that plays the client by a subcommand
	Dir    string   // the working directory
	Env    []string // the complete environment, see Environment
	Mark   string   // by which the process is known after a crash of ours; see package pty

	Native string // the native session's id, a UUID: of a new session, or with Resume of the one to go on with
	Resume bool

	// Framing is appended to the client's own system prompt, and the parts of that prompt which differ between directories
	// and days are moved out of it, so that its bytes are the same in every process. The kernel takes at most 128 KiB.
	Framing        string
	Model          string   // empty: the person's own choice
	PermissionMode string   // empty: the person's own setting
	Args           []string // further flags

	Servers map[string]*mcp.Server // MCP servers in this process, by name; the person's own keep working beside them
	Allowed []string               // tools that need no question, like "mcp__channel"; they go into flags, so: few and short
	Rules   []Rule                 // what needs no question besides, of any length and number

	// Agents are subagents that the model can start with the client's Agent tool, by name, beside the client's own and the
	// person's. They are told over the client's input, so they may be of any length. They become part of what the model is
	// sent before the first message: the same map gives the same bytes in every process.
	Agents map[string]Agent

	Hooks []Hook
	// Permission decides whether a tool may run. Its context ends when the client takes the question back, when the turn
	// that asked is over (unless a background subagent asked), and on Close; the answer is then a no without waiting for
	// the callback. Nil is a no to everything.
	Permission func(ctx context.Context, q Question) Answer
	// Unasked gets the client's own turns after their results, one after the other, in order.
	Unasked func(Turn)
	// Changed says that Busy or BackgroundTasks may have changed. Several changes may make one call.
	Changed func()
	Clock   func() time.Time // nil: time.Now. When calls began and ended is told by it
	Log     *slog.Logger     // nil: nothing is logged

	StartBound     time.Duration // 0: DefaultStart
	InterruptGrace time.Duration // 0: DefaultInterrupt
	UnaskedGrace   time.Duration // 0: DefaultUnasked

	tap io.Writer // gets a copy of the client's output; for recordings
}

// An Agent is a subagent that can be started.
type Agent struct {
	Description string // when to start it; the model reads it before it does
	Prompt      string // the subagent's own system prompt
	// Tools are all that it may use; nil: the client's own, and of MCP servers, what the main thread has. One that the
	// client does not know is left out by it, silently.
	Tools []string
	Model string // "inherit", or empty: what the main thread has
}

// A Hook is asked at an event of the client's.
type Hook struct {
	Event   string        // PreToolUse, PostToolUse, PostToolUseFailure, UserPromptSubmit, Stop, ...
	Matcher string        // of tool events: a pattern for the tool's name, like "Bash|Write"; empty: all
	Timeout time.Duration // how long the client, and this package, wait for Call; 0: the client's own bound
	// Call returns the hook's output as JSON, or nil for no opinion. An error or a panic is logged and is no opinion.
	Call func(ctx context.Context, in HookInput) (json.RawMessage, error)
}

// HookInput is what a hook is told.
type HookInput struct {
	Event          string          `json:"hook_event_name"`
	Native         string          `json:"session_id"`
	TranscriptPath string          `json:"transcript_path"`
	Dir            string          `json:"cwd"`
	PermissionMode string          `json:"permission_mode"`
	ToolName       string          `json:"tool_name"`
	ToolInput      json.RawMessage `json:"tool_input"`
	ToolResponse   json.RawMessage `json:"tool_response"`
	ToolUseID      string          `json:"tool_use_id"`
	AgentID        string          `json:"agent_id"` // empty: the main thread
	AgentType      string          `json:"agent_type"`
	Raw            json.RawMessage `json:"-"` // all of it
}

// A Question asks whether a tool may run.
type Question struct {
	ID          string          `json:"-"` // of the request
	Tool        string          `json:"tool_name"`
	Input       json.RawMessage `json:"input"`
	ToolUseID   string          `json:"tool_use_id"`
	AgentID     string          `json:"agent_id"`               // empty: the main thread
	Suggestions json.RawMessage `json:"permission_suggestions"` // rules that would make it need no question, a JSON list
	BlockedPath string          `json:"blocked_path"`
	Reason      string          `json:"decision_reason"`
	Description string          `json:"description"`
	Raw         json.RawMessage `json:"-"` // all of it
}

// An Answer is what a person, or a rule, says to a Question. The zero Answer is a no.
type Answer struct {
	Allow       bool
	Input       json.RawMessage // of a yes: run with this input instead; nil: as asked
	Permissions json.RawMessage // of a yes: rules to keep, a JSON list, usually the question's Suggestions; nil: none
	Message     string          // of a no: the reason, which the model gets
	Interrupt   bool            // of a no: the turn ends too
}

// A Message is what a turn sends.
type Message struct {
	// UUID names the message in the native session: its transcript entry has the same. Empty: a new one. The client skips
	// a message whose UUID its session already holds, and Turn returns CodeDuplicate.
	UUID string
	Text string
}

// Init is what the client says of itself at the beginning of each turn.
type Init struct {
	Native         string   `json:"session_id"`
	Dir            string   `json:"cwd"`
	Model          string   `json:"model"`
	PermissionMode string   `json:"permissionMode"`
	Version        string   `json:"claude_code_version"`
	Tools          []string `json:"tools"`
	Servers        []struct {
		Name   string `json:"name"`
		Status string `json:"status"` // connected, failed, needs-auth, pending
	} `json:"mcp_servers"`
}

func (o *Options) complete() error {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if err := uuid.Validate(o.Native); err != nil {
		return fmt.Errorf("the native id %q: %w", o.Native, err)
	}
	if o.Path == "" {
		return errors.New("no path to the client")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&o.StartBound, DefaultStart}, {&o.InterruptGrace, DefaultInterrupt}, {&o.UnaskedGrace, DefaultUnasked}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	return nil
}

// arguments are the client's flags. But for the session's id they are the same bytes for the same options, so that what
// the model is sent before the first message is too, and a new process reads it from the cache of the one before.
func (o *Options) arguments() ([]string, error) {
	args := append([]string{}, o.Prefix...)
	args = append(args, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--include-partial-messages", "--replay-user-messages", "--permission-prompt-tool", "stdio")
	if o.Resume {
		args = append(args, "--resume", o.Native)
	} else {
		args = append(args, "--session-id", o.Native)
	}
	if o.Framing != "" {
		args = append(args, "--append-system-prompt", o.Framing, "--exclude-dynamic-system-prompt-sections")
	}
	if o.Model != "" {
		args = append(args, "--model", o.Model)
	}
	if o.PermissionMode != "" {
		args = append(args, "--permission-mode", o.PermissionMode)
	}
	if len(o.Servers) > 0 {
		type server struct {
			Type string `json:"type"`
			Name string `json:"name"`
		}
		servers := map[string]server{}
		for name := range o.Servers {
			servers[name] = server{"sdk", name}
		}
		config, err := json.Marshal(map[string]any{"mcpServers": servers}) // maps come out sorted
		if err != nil {
			return nil, err
		}
		args = append(args, "--mcp-config", string(config))
	}
	for _, tool := range o.Allowed {
		args = append(args, "--allowedTools", tool)
	}
	return append(args, o.Args...), nil
}

// introduction is what `initialize` says beside its kind. A map comes out sorted, so it is the same bytes in every process.
func (o *Options) introduction(hooks map[string]any) map[string]any {
	said := map[string]any{"hooks": hooks}
	if len(o.Agents) == 0 {
		return said
	}
	type agent struct {
		Description string   `json:"description"`
		Prompt      string   `json:"prompt"`
		Tools       []string `json:"tools,omitempty"`
		Model       string   `json:"model,omitempty"`
	}
	agents := make(map[string]agent, len(o.Agents))
	for name, a := range o.Agents {
		agents[name] = agent(a)
	}
	said["agents"] = agents
	return said
}
