package claude

import (
	"encoding/json"
	"errors"
)

// wireLine is one line of the client's output, with what the frequent kinds of lines carry; a line can be many megabytes,
// and reading it twice costs as much again. The rest is read when the kind is known.
type wireLine struct {
	Type      string          `json:"type"`
	Subtype   string          `json:"subtype"`
	UUID      string          `json:"uuid"`
	Parent    string          `json:"parent_tool_use_id"`
	IsReplay  bool            `json:"isReplay"`
	Message   wireMessage     `json:"message"`
	Event     wireStream      `json:"event"`
	TTFT      float64         `json:"ttft_ms"` // of a message_start on the main thread
	ToolUse   json.RawMessage `json:"tool_use_result"`
	RequestID string          `json:"request_id"`
	Request   json.RawMessage `json:"request"`
	Response  json.RawMessage `json:"response"`
}

// decode reads JSON and forgives a field whose type is not the expected one: the others are still read. A new version
// that turns one string into an object must not cost the whole line.
func decode(b []byte, into any) error {
	err := json.Unmarshal(b, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

type wireMessage struct {
	ID          string           `json:"id"`
	Model       string           `json:"model"`
	Content     json.RawMessage  `json:"content"`
	Usage       *wireUsage       `json:"usage"`
	Diagnostics *wireDiagnostics `json:"diagnostics"`
}

type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// blocksOf reads content, which is a list of blocks or a plain string.
func blocksOf(content json.RawMessage) []wireBlock {
	if len(content) > 0 && content[0] == '"' {
		b := wireBlock{Type: "text"}
		if json.Unmarshal(content, &b.Text) != nil {
			return nil
		}
		return []wireBlock{b}
	}
	var blocks []wireBlock
	if decode(content, &blocks) != nil {
		return nil
	}
	return blocks
}

// rawBlock is the n-th block as it came.
func rawBlock(content json.RawMessage, n int) json.RawMessage {
	var blocks []json.RawMessage
	if json.Unmarshal(content, &blocks) != nil || n >= len(blocks) {
		return nil
	}
	return blocks[n]
}

// wireStream is a stream_event's event: the Messages API's own.
type wireStream struct {
	Type    string       `json:"type"`
	Message *wireMessage `json:"message"` // of message_start
	Delta   struct {
		Type        string           `json:"type"`
		Text        string           `json:"text"`
		Diagnostics *wireDiagnostics `json:"diagnostics"` // of message_delta
	} `json:"delta"`
	Usage *wireUsage `json:"usage"` // of message_delta
}

// wireSystem is what the kinds of system lines carry.
type wireSystem struct {
	Status      string `json:"status"`
	Content     string `json:"content"`
	Error       string `json:"error"`
	TaskID      string `json:"task_id"`
	ToolUseID   string `json:"tool_use_id"`
	TaskType    string `json:"task_type"`
	Description string `json:"description"`
	Background  *bool  `json:"is_backgrounded"`
	LastTool    string `json:"last_tool_name"`
	Summary     string `json:"summary"`
	OutputFile  string `json:"output_file"`
	Patch       struct {
		Status     string `json:"status"`
		Background *bool  `json:"is_backgrounded"`
	} `json:"patch"`
	Tasks []struct {
		ID string `json:"task_id"`
	} `json:"tasks"`
	Compact struct {
		Trigger    string `json:"trigger"`
		PreTokens  int64  `json:"pre_tokens"`
		PostTokens int64  `json:"post_tokens"`
	} `json:"compact_metadata"`
}

type wireRateLimit struct {
	Info struct {
		Status      string  `json:"status"`
		Kind        string  `json:"rateLimitType"`
		ResetsAt    float64 `json:"resetsAt"` // seconds since 1970
		Utilization float64 `json:"utilization"`
	} `json:"rate_limit_info"`
}

// wireLifecycle says what became of a message (2.1.332).
type wireLifecycle struct {
	UUID  string `json:"command_uuid"`
	State string `json:"state"` // queued, started, completed, cancelled
}

type wireResult struct {
	Subtype   string   `json:"subtype"`
	IsError   bool     `json:"is_error"`
	APIStatus *int     `json:"api_error_status"`
	Text      string   `json:"result"`
	Native    string   `json:"session_id"`
	NumTurns  int      `json:"num_turns"`
	Duration  float64  `json:"duration_ms"`
	API       float64  `json:"duration_api_ms"` // since the process began
	TTFT      float64  `json:"ttft_ms"`
	Terminal  string   `json:"terminal_reason"`
	Errors    []string `json:"errors"`
	Failure   string   `json:"startup_failure_reason"`
	Origin    struct {
		Kind string `json:"kind"` // task-notification, ...; empty or "human" for a message
	} `json:"origin"`
	CostUSD float64                   `json:"total_cost_usd"` // since the process began, or more
	Models  map[string]wireModelUsage `json:"modelUsage"`     // likewise
	// Since 2.1.332:
	SinceLast map[string]wireModelUsage `json:"model_usage_since_last_result"`
	Messages  []string                  `json:"user_message_uuids"` // the messages it answers
	Queued    int                       `json:"queued_turn_count"`  // messages that wait; turns for tasks are not counted
}

// aborted begins the terminal reasons of an interrupted turn: aborted_streaming, aborted_tools.
const aborted = "aborted"
