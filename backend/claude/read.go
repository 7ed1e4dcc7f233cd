package claude

import (
	"encoding/json"
	"io"
	"time"
)

const (
	// oddLines and oddLength bound what is kept of lines that could not be understood.
	oddLines, oddLength = 8, 300
	// unknownRaw is up to which size an unknown line is handed on.
	unknownRaw = 64 << 10
	// toolsTimed is of how many tool calls the beginning is remembered.
	toolsTimed = 10000
)

// read reads the client's output to its end. It waits for nobody but the client.
func (s *Session) read() {
	out := s.proc.Stdout()
	if s.opts.tap != nil {
		out = io.TeeReader(out, s.opts.tap)
	}
	lines := newLineReader(out, MaxLine, func(size int64) {
		s.log.Warn("dropped a line that is too long", "bytes", size, "limit", MaxLine)
	})
	for {
		line, err := lines.next()
		if err != nil {
			return
		}
		s.line(line)
	}
}

// line takes one line.
func (s *Session) line(raw []byte) {
	var w wireLine
	object := salvage(raw)
	if object == nil || decode(object, &w) != nil || w.Type == "" {
		s.oddLine(raw)
		return
	}
	switch w.Type {
	case "control_response":
		s.replied(w.Response)
	case "control_request":
		s.ask(w.RequestID, w.Request)
	case "control_cancel_request":
		s.withdraw(w.RequestID)
	case "keep_alive":
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.message(&w, object)
	}
}

func (s *Session) oddLine(raw []byte) {
	text := string(raw[:min(len(raw), oddLength)])
	s.log.Warn("skipped a line that is no message", "bytes", len(raw), "begins", text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.odd = append(s.odd, text)
	if len(s.odd) > oddLines {
		s.odd = s.odd[1:]
	}
}

// message takes a line that tells what happens in a cycle. The lock is held.
func (s *Session) message(w *wireLine, raw []byte) {
	switch w.Type {
	case "system":
		s.system(w, raw)
	case "stream_event":
		s.stream(w)
	case "assistant":
		s.assistant(w)
	case "user":
		if w.IsReplay {
			s.repeated(w.UUID)
			return
		}
		s.toolResults(w)
	case "result":
		var r wireResult
		if err := decode(raw, &r); err != nil {
			s.log.Warn("a result that can't be read", "error", err)
		}
		s.finish(r, raw)
	case "command_lifecycle":
		var l wireLifecycle
		if decode(raw, &l) == nil && l.State == "started" {
			s.claim(l.UUID)
		}
	case "rate_limit_event":
		var l wireRateLimit
		if decode(raw, &l) == nil {
			at := time.Unix(int64(l.Info.ResetsAt), 0)
			if l.Info.ResetsAt == 0 {
				at = time.Time{}
			}
			s.show(RateLimit{Status: l.Info.Status, Kind: l.Info.Kind, ResetsAt: at, Utilization: l.Info.Utilization})
		}
	default:
		s.unknown(w.Type, raw)
	}
}

func (s *Session) unknown(kind string, raw []byte) {
	s.log.Debug("a line of an unknown kind", "type", kind, "bytes", len(raw))
	u := Unknown{Type: kind}
	if len(raw) <= unknownRaw {
		u.Raw = append(json.RawMessage(nil), raw...)
	}
	s.show(u)
}

func (s *Session) system(w *wireLine, raw []byte) {
	var y wireSystem
	if decode(raw, &y) != nil {
		return
	}
	switch w.Subtype {
	case "init":
		var info Init
		if decode(raw, &info) != nil {
			return
		}
		s.info = info
		if info.Native != s.opts.Native {
			s.wrongSession(info.Native)
			return
		}
		s.begin()
	case "commands_changed":
		s.commandsAre(raw)
	case "status":
		if y.Status != "" {
			if y.Status == "requesting" {
				s.begin()
			}
			s.show(Status{Name: y.Status})
		}
	case "task_started", "task_progress", "task_updated", "task_notification", "background_tasks_changed":
		s.task(w.Subtype, &y)
	case "compact_boundary":
		c := Compacted{
			Trigger: y.Compact.Trigger, PreTokens: y.Compact.PreTokens, PostTokens: y.Compact.PostTokens,
			Calls: len(s.cycle.book.order),
		}
		s.cycle.compacted = append(s.cycle.compacted, c)
		s.show(c)
	case "informational":
		s.show(Status{Name: w.Subtype, Text: y.Content})
	case "api_retry":
		s.show(Status{Name: w.Subtype, Text: y.Error})
	default:
		s.unknown("system/"+w.Subtype, raw)
	}
}

// wrongSession ends a client that opened another session than the one asked for, before it can do anything there. The
// lock is held.
func (s *Session) wrongSession(got string) {
	s.failLocked(&Error{Code: CodeWrongSession, Op: "open the session", Err: errWrongSession(s.opts.Native, got), Sent: true})
	s.end()
}

func (s *Session) stream(w *wireLine) {
	e, book := &w.Event, &s.cycle.book
	switch e.Type {
	case "message_start":
		if w.Parent == "" {
			s.begin()
		}
		book.begin(w.Parent, e.Message, milliseconds(w.TTFT), s.opts.Clock())
	case "content_block_delta":
		if e.Delta.Type == "text_delta" && e.Delta.Text != "" {
			s.show(TextDelta{MessageID: book.messageID(w.Parent), Text: e.Delta.Text, Parent: w.Parent})
		}
	case "message_delta":
		if c := book.delta(w.Parent, e, s.opts.Clock()); c != nil {
			s.show(CallUsage{*c})
		}
	}
}

func (s *Session) assistant(w *wireLine) {
	m := &w.Message
	if w.Parent == "" {
		s.begin()
	}
	known := len(s.cycle.book.order)
	c := s.cycle.book.note(w.Parent, m, s.opts.Clock())
	if c != nil && len(s.cycle.book.order) > known {
		s.show(CallUsage{*c}) // not streamed: a subagent's, or a client that sends no partial messages
	}
	for i, b := range blocksOf(m.Content) {
		switch b.Type {
		case "text":
			s.show(Text{MessageID: m.ID, Text: b.Text, Parent: w.Parent})
		case "thinking":
			s.show(Thinking{MessageID: m.ID, Text: b.Thinking, Parent: w.Parent})
		case "tool_use", "server_tool_use", "mcp_tool_use":
			if len(s.toolBegan) < toolsTimed {
				s.toolBegan[b.ID] = time.Now()
			}
			s.show(ToolUse{ID: b.ID, Name: b.Name, Input: b.Input, Parent: w.Parent})
		case "redacted_thinking":
		default:
			s.unknown("assistant/"+b.Type, rawBlock(m.Content, i))
		}
	}
}

func (s *Session) toolResults(w *wireLine) {
	for _, b := range blocksOf(w.Message.Content) {
		if b.Type != "tool_result" {
			continue // what a subagent was told, notes of the client: nothing that happened
		}
		r := ToolResult{ID: b.ToolUseID, Content: b.Content, Structured: w.ToolUse, IsError: b.IsError, Parent: w.Parent}
		if at, ok := s.toolBegan[b.ToolUseID]; ok {
			r.Duration = time.Since(at)
			delete(s.toolBegan, b.ToolUseID)
		}
		s.show(r)
	}
}
