package standin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Kind says on whose behalf the client made a request.
type Kind string

// The kinds of requests.
const (
	// Main is a call of the session's own thread.
	Main Kind = "main"
	// Subagent is a call of a subagent: it carries x-claude-code-agent-id.
	Subagent Kind = "subagent"
	// Side is a call the client makes for itself: a title, a check of a model, a
	// summary. It offers no tools.
	Side Kind = "side"
)

// Request is one POST /v1/messages, as it came and as it was understood.
type Request struct {
	Time   time.Time
	Header http.Header
	// Body is the exact bytes. RawSystem, RawTools and RawMessages are the exact
	// bytes of those fields, nil where the field is missing.
	Body        []byte
	RawSystem   json.RawMessage
	RawTools    json.RawMessage
	RawMessages json.RawMessage

	Kind      Kind
	SessionID string // X-Claude-Code-Session-Id; "" is none
	AgentID   string // x-claude-code-agent-id; "" is the main thread
	APIKey    string // x-api-key, or the bearer token

	Model     string
	MaxTokens int
	Stream    bool
	System    []Content // a string comes as one text block
	Tools     []Tool
	Messages  []Message

	toolChoice   json.RawMessage
	thinking     json.RawMessage
	outputFormat string       // output_config.format.type; "" is none
	automatic    *cacheMarker // cache_control of the request itself
}

// Tool is one tool the request offers.
type Tool struct {
	Name        string
	Description string
	Raw         json.RawMessage
	marker      *cacheMarker
}

// Message is one message of the request.
type Message struct {
	Role    string // user, assistant or system
	Content []Content
	Raw     json.RawMessage
}

// Text returns the message's text blocks, one a line.
func (m Message) Text() string { return joinText(m.Content) }

// Content is one block of content. Only the fields of its type are set.
type Content struct {
	Type      string
	Text      string          // text
	Thinking  string          // thinking
	ID        string          // tool_use
	Name      string          // tool_use
	Input     json.RawMessage // tool_use
	ToolUseID string          // tool_result
	Content   []Content       // tool_result
	IsError   bool            // tool_result
	Raw       json.RawMessage
	marker    *cacheMarker
}

// ToolResult is the answer of a tool to the model's call.
type ToolResult struct {
	ToolUseID string
	Tool      string // the name of the tool that was called; "" when the call is not in the request
	Text      string
	IsError   bool
}

type cacheMarker struct {
	Type string `json:"type"`
	TTL  string `json:"ttl"`
}

type wireContent struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	Thinking     string          `json:"thinking"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	Content      json.RawMessage `json:"content"`
	IsError      bool            `json:"is_error"`
	CacheControl *cacheMarker    `json:"cache_control"`
}

type wireRequest struct {
	Model        string          `json:"model"`
	MaxTokens    *int            `json:"max_tokens"`
	Stream       bool            `json:"stream"`
	System       json.RawMessage `json:"system"`
	Tools        json.RawMessage `json:"tools"`
	Messages     json.RawMessage `json:"messages"`
	ToolChoice   json.RawMessage `json:"tool_choice"`
	Thinking     json.RawMessage `json:"thinking"`
	CacheControl *cacheMarker    `json:"cache_control"`
	OutputConfig struct {
		Format struct {
			Type string `json:"type"`
		} `json:"format"`
	} `json:"output_config"`
}

// parseRequest reads a request. Its error is a sentence for the caller of the API.
func parseRequest(header http.Header, body []byte, now time.Time, counting bool) (Request, error) {
	r := Request{
		Time: now, Header: header.Clone(), Body: body,
		SessionID: header.Get("X-Claude-Code-Session-Id"),
		AgentID:   header.Get("X-Claude-Code-Agent-Id"),
		APIKey:    apiKey(header),
	}
	var w wireRequest
	if err := json.Unmarshal(body, &w); err != nil {
		return r, fmt.Errorf("the request body is not valid JSON: %w", err)
	}
	r.RawSystem, r.RawTools, r.RawMessages = w.System, w.Tools, w.Messages
	r.Model, r.Stream = w.Model, w.Stream
	r.toolChoice, r.thinking = w.ToolChoice, w.Thinking
	r.outputFormat, r.automatic = w.OutputConfig.Format.Type, w.CacheControl
	if w.Model == "" {
		return r, fmt.Errorf("model: Field required")
	}
	if w.MaxTokens != nil {
		r.MaxTokens = *w.MaxTokens
	} else if !counting {
		return r, fmt.Errorf("max_tokens: Field required")
	}
	if len(w.System) > 0 && string(w.System) != "null" {
		blocks, err := parseContent(w.System, "system")
		if err != nil {
			return r, err
		}
		r.System = blocks
	}
	if err := r.parseTools(w.Tools); err != nil {
		return r, err
	}
	if err := r.parseMessages(w.Messages); err != nil {
		return r, err
	}
	r.Kind = r.kind()
	return r, nil
}

func (r *Request) parseTools(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("tools: Input should be a valid list")
	}
	for i, one := range list {
		var w struct {
			Name         string       `json:"name"`
			Description  string       `json:"description"`
			CacheControl *cacheMarker `json:"cache_control"`
		}
		if err := json.Unmarshal(one, &w); err != nil {
			return fmt.Errorf("tools.%d: Input should be a valid dictionary", i)
		}
		r.Tools = append(r.Tools, Tool{Name: w.Name, Description: w.Description, Raw: one, marker: w.CacheControl})
	}
	return nil
}

func (r *Request) parseMessages(raw json.RawMessage) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return fmt.Errorf("messages: Input should be a valid list")
	}
	if len(list) == 0 {
		return fmt.Errorf("messages: at least one message is required")
	}
	for i, one := range list {
		var w struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		}
		if err := json.Unmarshal(one, &w); err != nil {
			return fmt.Errorf("messages.%d: Input should be a valid dictionary", i)
		}
		switch w.Role {
		case "user", "assistant", "system":
		default:
			return fmt.Errorf("messages.%d.role: Input should be 'user', 'assistant' or 'system'", i)
		}
		content, err := parseContent(w.Content, fmt.Sprintf("messages.%d.content", i))
		if err != nil {
			return err
		}
		r.Messages = append(r.Messages, Message{Role: w.Role, Content: content, Raw: one})
	}
	return nil
}

func parseContent(raw json.RawMessage, where string) ([]Content, error) {
	blocks := contentBlocks(raw)
	if blocks == nil {
		return nil, fmt.Errorf("%s: Input should be a valid string or list", where)
	}
	out := make([]Content, 0, len(blocks))
	for i, one := range blocks {
		var w wireContent
		if err := json.Unmarshal(one, &w); err != nil {
			return nil, fmt.Errorf("%s.%d: Input should be a valid dictionary", where, i)
		}
		c := Content{
			Type: w.Type, Text: w.Text, Thinking: w.Thinking, ID: w.ID, Name: w.Name,
			Input: w.Input, ToolUseID: w.ToolUseID, IsError: w.IsError, Raw: one, marker: w.CacheControl,
		}
		if w.Type == "tool_result" && len(w.Content) > 0 && string(w.Content) != "null" {
			inner, err := parseContent(w.Content, fmt.Sprintf("%s.%d.content", where, i))
			if err != nil {
				return nil, err
			}
			c.Content = inner
			for _, block := range inner { // a marker inside counts where the result stands
				if c.marker == nil {
					c.marker = block.marker
				}
			}
		}
		out = append(out, c)
	}
	return out, nil
}

func apiKey(h http.Header) string {
	if key := h.Get("X-Api-Key"); key != "" {
		return key
	}
	if token, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return token
	}
	return ""
}

// kind tells requests apart. A request of the client that offers no tools is
// one it makes for itself: its threads always have some. A caller that is not
// the client (no session header) has only a main thread.
func (r *Request) kind() Kind {
	switch {
	case r.AgentID != "":
		return Subagent
	case len(r.Tools) == 0 && (r.SessionID != "" || strings.Contains(r.Model, "haiku")):
		return Side
	}
	return Main
}

// newest returns the newest message of role user. In the first turn of a
// session messages of role system come after it.
func (r Request) newest() Message {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i]
		}
	}
	return Message{}
}

// NewestUserText returns the text of the newest message of role user, its
// blocks one a line; "" when it holds only tool results.
func (r Request) NewestUserText() string { return r.newest().Text() }

// ToolResults returns the tool results in the newest message of role user.
func (r Request) ToolResults() []ToolResult {
	names := map[string]string{}
	for _, m := range r.Messages {
		for _, c := range m.Content {
			if c.Type == "tool_use" {
				names[c.ID] = c.Name
			}
		}
	}
	var out []ToolResult
	for _, c := range r.newest().Content {
		if c.Type == "tool_result" {
			out = append(out, ToolResult{ToolUseID: c.ToolUseID, Tool: names[c.ToolUseID], Text: joinText(c.Content), IsError: c.IsError})
		}
	}
	return out
}

// HasTool says whether the request offers a tool of this name.
func (r Request) HasTool(name string) bool {
	for _, t := range r.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// SystemText returns the text of the system field, its blocks one a line.
func (r Request) SystemText() string { return joinText(r.System) }

// SystemHash is the SHA-256, in hex, of the exact bytes of the system field, or
// of those bytes less every block's cache_control member.
func (r Request) SystemHash(withoutMarkers bool) string {
	return fieldHash(r.RawSystem, withoutMarkers)
}

// ToolsHash is the same of the tools field.
func (r Request) ToolsHash(withoutMarkers bool) string { return fieldHash(r.RawTools, withoutMarkers) }

func fieldHash(raw json.RawMessage, withoutMarkers bool) string {
	if withoutMarkers {
		raw = withoutCacheControl(raw)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func joinText(blocks []Content) string {
	var texts []string
	for _, c := range blocks {
		if c.Type == "text" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n")
}
