package api

import (
	"encoding/json"
	"time"

	"hearth/backend/ledger"
	"hearth/backend/run"
)

// AgentDetail is one agent, looked at closely.
type AgentDetail struct {
	Binding  Binding        `json:"binding"`
	State    State          `json:"state"`
	Process  *Process       `json:"process,omitempty" doc:"Left out: none lives."`
	Session  *NativeSession `json:"session,omitempty" doc:"What it would go on with: the session of its process, or else the saved one. It is what Start fresh forgets. Left out: there is none."`
	Forecast *CacheForecast `json:"forecast,omitempty" doc:"What its conversation holds, and what its next turn costs in each case. Left out: it has had no turn."`
	Queue    []QueuedRun    `json:"queue" doc:"What waits, in order: the first 50 of state.queued."`
	Leases   []PastLease    `json:"leases" doc:"Its last turns that are over, newest first, and what became of the process after each."`
	Tools    AgentTools     `json:"tools"`
}

// StartedFresh is an agent that was started fresh, and what it had before.
type StartedFresh struct {
	Binding  Binding        `json:"binding"`
	Forgot   *NativeSession `json:"forgot,omitempty" doc:"The session that it would have gone on with. Left out: there was none."`
	Forecast *CacheForecast `json:"forecast,omitempty" doc:"What was to be expected of it before. Left out: it has had no turn."`
}

// FreshUndone is an agent whose Start fresh was taken back.
type FreshUndone struct {
	Binding Binding  `json:"binding"`
	Session *Session `json:"session,omitempty" doc:"What the next turn goes on in. Left out: there was none to load; what the agent was asked and answered is told it again."`
}

// Process is a living process and all that it started.
type Process struct {
	PID         int       `json:"pid"`
	BeganAt     time.Time `json:"began_at"`
	MemoryBytes int64     `json:"memory_bytes" doc:"Resident memory of all its processes; what they share is counted in each."`
	Processes   int       `json:"processes" doc:"How many there are, itself included."`
	Fault       string    `json:"fault" doc:"Why its memory can't be seen; empty: it can."`
}

// NativeSession is a native session and what is stored of it.
type NativeSession struct {
	Native        string    `json:"native"`
	Saved         bool      `json:"saved" doc:"No process holds it: Restore would load it."`
	Turns         int       `json:"turns"`
	BeganAt       time.Time `json:"began_at,omitzero" doc:"When its first turn began; left out: it had none."`
	ContextTokens int64     `json:"context_tokens" doc:"What the conversation in it holds; 0: not known."`
}

// QueuedRun is a run that waits, with the message it is about.
type QueuedRun struct {
	RunID    string    `json:"run_id"`
	RowID    string    `json:"row_id"`
	Handle   string    `json:"handle" doc:"Who wrote the message; empty: the owner of this Hearth."`
	Agent    bool      `json:"agent" doc:"An agent wrote it."`
	Text     string    `json:"text" doc:"The beginning of the message, 300 characters at most."`
	QueuedAt time.Time `json:"queued_at"`
}

// PastLease is a turn that is over.
type PastLease struct {
	RunID         string      `json:"run_id"`
	Temperature   string      `json:"temperature" enum:",warm,restored,cold" doc:"Empty: no lease was taken."`
	Native        string      `json:"native"`
	ClientVersion string      `json:"client_version"`
	BeganAt       time.Time   `json:"began_at"`
	EndedAt       time.Time   `json:"ended_at"`
	ProcessEnd    *ProcessEnd `json:"process_end,omitempty" doc:"How its process ended before the next turn. Left out: the process had the next one too, or lives."`
}

// ProcessEnd is how a process ended.
type ProcessEnd struct {
	How    string    `json:"how" enum:"idle,evicted,crashed,fresh,closed,lost,changed,revoked,replaced,afresh,ended,unknown" doc:"idle: nobody asked the agent anything for its idle time. evicted: another agent wanted its place. crashed: by itself, out of order. fresh: a person started the agent fresh. closed: Hearth was closed. lost: Hearth was not closed in order, and it ended with Hearth. changed: the agent's settings or its workspace were changed. revoked: a permission was taken back. replaced: to restore a saved session. afresh: its agent keeps no process between turns. ended: for another reason, which is said. unknown: nobody wrote it down."`
	Reason string    `json:"reason" doc:"In words; empty: how says it all."`
	At     time.Time `json:"at,omitzero" doc:"When that was put down: of a process that was lost, when Hearth was started again. Left out: not known."`
}

func toProcessEnd(e *ledger.ProcessEnd) *ProcessEnd {
	if e == nil {
		return nil
	}
	return &ProcessEnd{How: string(e.How), Reason: e.Reason, At: utc(e.At)}
}

// AgentTools are the tools of an agent.
type AgentTools struct {
	Known        string      `json:"known" enum:"now,before,no" doc:"Whose list of the client's tools it is. now: of the client that runs. before: of the last one that had a turn since Hearth was started. no: none is known yet; a client names its tools at its first turn."`
	Items        []AgentTool `json:"items" doc:"Hearth's own, the client's, those of MCP servers, and last those that were called and are not offered any more."`
	Servers      []McpServer `json:"servers" doc:"MCP servers as the client that runs says; Hearth's own is called channel."`
	ServersFault string      `json:"servers_fault" doc:"Why the client does not say it; empty: it does, or none runs."`
}

// AgentTool is one tool, and how often it was called.
type AgentTool struct {
	Name          string          `json:"name" doc:"As the agent names it."`
	Source        string          `json:"source" enum:"hearth,client,server"`
	Server        string          `json:"server" doc:"The MCP server it is of; empty: the client's own."`
	Title         string          `json:"title" doc:"Its name without its server's."`
	Description   string          `json:"description" doc:"Empty: it is not told. A client tells no description of its own tools."`
	Schema        json.RawMessage `json:"schema,omitempty" doc:"JSON Schema of its arguments. Left out: it is not told; a client tells none."`
	ReadOnly      bool            `json:"read_only" doc:"By its own word it changes nothing."`
	Destructive   bool            `json:"destructive" doc:"By its own word it may destroy something."`
	OpenWorld     bool            `json:"open_world" doc:"By its own word it reaches things outside."`
	Offered       bool            `json:"offered" doc:"It is on the list; otherwise it was called and is on it no more, or never was."`
	Calls         int             `json:"calls" doc:"By its main thread, in all of its runs here, and the one that is going."`
	SubagentCalls int             `json:"subagent_calls" doc:"By its subagents."`
	Failed        int             `json:"failed" doc:"Calls of both that were answered with an error or refused."`
	LastCalledAt  time.Time       `json:"last_called_at,omitzero" doc:"Left out: never."`
}

// McpServer is an MCP server that a client works with.
type McpServer struct {
	Name    string `json:"name"`
	Status  string `json:"status" doc:"By the client: connected, failed, needs-auth, pending, ..."`
	Error   string `json:"error" doc:"Why it does not work; empty: it does, or the client does not say."`
	Scope   string `json:"scope" doc:"Where it is configured, by the client: user, project, local, dynamic, ..."`
	Version string `json:"version" doc:"By its own word; empty: not said."`
	LeftOut int    `json:"left_out" doc:"How many of its tools are not shown: there are too many."`
}

func toMcpServer(s ToolServer) McpServer {
	return McpServer{Name: s.Name, Status: s.Status, Error: s.Error, Scope: s.Scope, Version: s.Version, LeftOut: s.LeftOut}
}

func toPastLease(l run.PastLease) PastLease {
	t := l.Turn
	return PastLease{
		RunID: t.Run, Temperature: t.Temperature, Native: t.Native, ClientVersion: t.Version, BeganAt: utc(t.Began), EndedAt: utc(t.Ended),
		ProcessEnd: toProcessEnd(l.End),
	}
}
