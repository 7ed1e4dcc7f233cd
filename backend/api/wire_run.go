package api

import (
	"time"

	"hearth/backend/ledger"
	"hearth/backend/run"
)

// Run is a run on the wire.
type Run struct {
	ID           string      `json:"id"`
	ChannelID    string      `json:"channel_id"`
	BindingID    string      `json:"binding_id"`
	RowID        string      `json:"row_id" doc:"The row that addressed the agent; empty: nobody asked."`
	ThreadRootID string      `json:"thread_root_id"`
	Cause        string      `json:"cause" enum:"mention,direct,agent,retry,unasked"`
	RetryOf      string      `json:"retry_of"`
	Hops         int         `json:"hops" doc:"Agents that woke one another since a person spoke."`
	State        string      `json:"state" enum:"queued,waiting,running,succeeded,declined,failed,stopped"`
	Temperature  string      `json:"temperature" enum:",warm,restored,cold" doc:"Empty: not begun."`
	Native       string      `json:"native" doc:"The native session that worked; empty: not begun."`
	MessageUUID  string      `json:"message_uuid" doc:"What the session's transcript knows the message by."`
	ReplyID      string      `json:"reply_id" doc:"The row that answered; empty: none yet."`
	Failure      *Failure    `json:"failure,omitempty"`
	Usage        Usage       `json:"usage"`
	Break        *CacheBreak `json:"break,omitempty" doc:"Left out: its turn has not ended, or read the cache as far as it could."`
	Changed      *Changed    `json:"changed,omitempty" doc:"Which files it changed with the client's own tools. Left out: none."`
	QueuedAt     time.Time   `json:"queued_at"`
	StartedAt    time.Time   `json:"started_at,omitzero"`
	EndedAt      time.Time   `json:"ended_at,omitzero"`
}

// Failure is why a run failed.
type Failure struct {
	Code    string `json:"code" enum:"start,crashed,api,turn,interrupted,stuck,internal"`
	Message string `json:"message"`
	Held    bool   `json:"held" doc:"The native session holds the run's message all the same."`
}

// Usage is what a turn used, as the client reports it.
type Usage struct {
	InputTokens        int64   `json:"input_tokens" doc:"Neither read from nor written to the cache."`
	CacheReadTokens    int64   `json:"cache_read_tokens"`
	CacheWrite5mTokens int64   `json:"cache_write_5m_tokens" doc:"Written to live five minutes."`
	CacheWrite1hTokens int64   `json:"cache_write_1h_tokens" doc:"Written to live an hour."`
	OutputTokens       int64   `json:"output_tokens"`
	CostUSD            float64 `json:"cost_usd" doc:"The client's own figure for this turn alone; 0: not known."`

	ThinkingTokens int64  `json:"thinking_tokens" doc:"How much of output_tokens was thinking; 0 also where the client does not say."`
	ContextTokens  int64  `json:"context_tokens" doc:"What the conversation holds after the turn; 0: not known, or a summary took its place."`
	WindowTokens   int64  `json:"context_window_tokens" doc:"What it can hold, by the client; 0: not known."`
	TTFTMS         int64  `json:"ttft_ms" doc:"From the agent's own first request to the beginning of the answer; 0: not known."`
	Calls          []Call `json:"calls" doc:"Every API call of the turn, in order. Lists of runs leave it empty."`
}

// Call is one API call of a turn.
type Call struct {
	MessageID          string `json:"message_id"`
	Model              string `json:"model"`
	Main               bool   `json:"main" doc:"The main thread; false: a subagent."`
	InputTokens        int64  `json:"input_tokens"`
	CacheReadTokens    int64  `json:"cache_read_tokens"`
	CacheWrite5mTokens int64  `json:"cache_write_5m_tokens"`
	CacheWrite1hTokens int64  `json:"cache_write_1h_tokens"`
	OutputTokens       int64  `json:"output_tokens"`

	ThinkingTokens int64     `json:"thinking_tokens"`
	TTFTMS         int64     `json:"ttft_ms" doc:"From the request to the beginning of the answer; 0: not known."`
	BeganAt        time.Time `json:"began_at,omitzero" doc:"When the answer began. Left out: not known."`
	EndedAt        time.Time `json:"ended_at,omitzero" doc:"When it ended. Left out: it was cut off, or not known."`
	MissReason     string    `json:"miss_reason" doc:"The API's own word on a cache that it could not fully use; empty: it said nothing."`
	MissTokens     int64     `json:"miss_tokens" doc:"How many tokens it names."`
}

// Step is one thing that happened in a turn.
type Step struct {
	N      int       `json:"n"`
	Kind   string    `json:"kind" doc:"text, thinking, tool, task or status."`
	ID     string    `json:"id" doc:"The tool call's or the task's."`
	Parent string    `json:"parent" doc:"The call of the subagent this belongs to; empty: the main thread."`
	Name   string    `json:"name" doc:"The tool's."`
	Input  string    `json:"input" doc:"JSON, cut at 20,000 characters."`
	Output string    `json:"output" doc:"Text, cut at 20,000 characters."`
	Error  bool      `json:"error" doc:"The tool answered with an error."`
	At     time.Time `json:"at" doc:"When it began."`
	TookMS int64     `json:"took_ms" doc:"0 while it goes on."`
}

// Saving is what one of Hearth's rules did in a turn to keep the agent's context small.
type Saving struct {
	Kind    string    `json:"kind" enum:"spill,denial,glance,index,isolated" doc:"spill: long output is in a file. denial: a coordinator was told to delegate a call. glance: it looked by itself. index: the workbench's index was told by what changed. isolated: a worker was given a worktree."`
	StepID  string    `json:"step_id" doc:"The id of the step it is about; empty: of none."`
	AgentID string    `json:"agent_id" doc:"The subagent that made the call; empty: the main thread."`
	Tool    string    `json:"tool"`
	Detail  string    `json:"detail" doc:"The command, or the reason; at most 1,000 characters."`
	Path    string    `json:"path" doc:"The file that has the whole; empty: none."`
	Chars   int       `json:"chars"`
	Lines   int       `json:"lines"`
	Tokens  int       `json:"tokens" doc:"About how many tokens the context has less by it; 0: none, or not known."`
	Fault   string    `json:"fault" doc:"Why output that should have been spilled was not."`
	At      time.Time `json:"at"`
}

func toSaving(s run.Saving) Saving {
	return Saving{
		Kind: string(s.Kind), StepID: s.StepID, AgentID: s.AgentID, Tool: s.Tool, Detail: s.Detail, Path: s.Path,
		Chars: s.Chars, Lines: s.Lines, Tokens: s.Tokens, Fault: s.Fault, At: utc(s.At),
	}
}

// Session is a saved native session.
type Session struct {
	Native    string    `json:"native"`
	BindingID string    `json:"binding_id"`
	ChannelID string    `json:"channel_id"`
	Workspace string    `json:"workspace"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	EndReason string    `json:"end_reason"`
}

// toRun maps a run without its calls, as lists and events carry it.
func toRun(r run.Run) Run {
	out := Run{
		ID: r.ID, ChannelID: r.ChannelID, BindingID: r.BindingID, RowID: r.RowID, ThreadRootID: r.ThreadRootID,
		Cause: string(r.Cause), RetryOf: r.RetryOf, Hops: r.Hops, State: string(r.State), Temperature: r.Temperature,
		Native: r.Native, MessageUUID: r.MessageUUID, ReplyID: r.ReplyID, Usage: toUsage(r.Usage), Break: toBreak(r.Break), Changed: toChanged(r.Changed),
		QueuedAt: utc(r.QueuedAt), StartedAt: utc(r.StartedAt), EndedAt: utc(r.EndedAt),
	}
	if r.Failure != nil {
		out.Failure = &Failure{Code: string(r.Failure.Code), Message: r.Failure.Message, Held: r.Failure.Held}
	}
	return out
}

// toWholeRun maps a run with its calls.
func toWholeRun(r run.Run) Run {
	out := toRun(r)
	out.Usage.Calls = each(r.Usage.Calls, toCall)
	return out
}

func toUsage(u run.Usage) Usage {
	return Usage{
		InputTokens: u.Input, CacheReadTokens: u.CacheRead, CacheWrite5mTokens: u.CacheWrite5m,
		CacheWrite1hTokens: u.CacheWrite1h, OutputTokens: u.Output, CostUSD: u.CostUSD, Calls: []Call{},
		ThinkingTokens: u.Thinking, ContextTokens: u.Context, WindowTokens: u.Window, TTFTMS: u.TTFT.Milliseconds(),
	}
}

func toCall(c ledger.Call) Call {
	return Call{
		MessageID: c.MessageID, Model: c.Model, Main: c.Main, InputTokens: c.Usage.Input, CacheReadTokens: c.Usage.CacheRead,
		CacheWrite5mTokens: c.Usage.CacheWrite5m, CacheWrite1hTokens: c.Usage.CacheWrite1h, OutputTokens: c.Usage.Output,
		ThinkingTokens: c.Usage.Thinking, TTFTMS: c.TTFT.Milliseconds(), BeganAt: utc(c.Began), EndedAt: utc(c.Ended),
		MissReason: c.Miss.Reason, MissTokens: c.Miss.Tokens,
	}
}

func toStep(s run.Step) Step {
	return Step{
		N: s.N, Kind: s.Kind, ID: s.ID, Parent: s.Parent, Name: s.Name, Input: s.Input, Output: s.Output,
		Error: s.Error, At: utc(s.At), TookMS: s.Took.Milliseconds(),
	}
}

func toSession(s run.Session) Session {
	return Session{
		Native: s.Native, BindingID: s.BindingID, ChannelID: s.ChannelID, Workspace: s.Workspace,
		StartedAt: utc(s.StartedAt), EndedAt: utc(s.EndedAt), EndReason: s.EndReason,
	}
}
