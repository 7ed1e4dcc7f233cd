package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// turn is one turn under way, asked for or not.
type turn struct {
	a        *agent
	asked    *asked // nil: nobody asked for it
	began    time.Time
	model    string
	replayed bool
	messages int
	usage    Usage
	denials  []any
	inside   *subagent // that does what is done now; nil is the main thread
}

// parent is the call that started whoever does what is done now, as lines say it.
func (t *turn) parent() any {
	if t.inside == nil {
		return nil
	}
	return t.inside.call
}

// turn takes a turn the host asked for.
func (a *agent) turn(ctx context.Context, message asked) error {
	a.awaitServers(ctx)
	t := a.begin(&message)
	if name := nativeName(message.text); name != "" {
		return a.native(t, name)
	}
	life := ctx
	ctx, stop := a.interruptible(ctx)
	defer stop()
	a.lifecycle(t, "queued")
	if err := a.record(message); err != nil {
		return err
	}
	a.lifecycle(t, "started")
	t.open()
	said := understand(message.text)
	warmth := a.warmth(said)
	failedBefore := a.memory.unanswered
	a.memory.hear(said, len(message.text))
	a.turns++
	a.grow(len(message.text))
	if err := a.misbehave(life, ctx, t); err != nil {
		return a.finish(t, reply{}, err)
	}
	r, err := a.perform(ctx, t, said, warmth, failedBefore)
	return a.finish(t, r, err)
}

// unasked takes a turn nobody asked for: a background task has ended.
func (a *agent) unasked(ctx context.Context, done *task) error {
	t := a.begin(nil)
	ctx, stop := a.interruptible(ctx)
	defer stop()
	note := "<task-notification>\n<task-id>" + done.id + "</task-id>\n<status>completed</status>\n<summary>" + done.summary() + "</summary>\n</task-notification>"
	if err := a.transcript.add("user", uuid.NewString(), map[string]any{"role": "user", "content": note}, map[string]any{"isMeta": true}); err != nil {
		return err
	}
	a.grow(len(note))
	t.open()
	text := fmt.Sprintf("A background task of mine has ended: %s. Nobody asked me for this turn; the client takes one by itself when that happens.", done.description)
	return a.finish(t, reply{text: text}, t.say(ctx, a.pieces(text, 0)))
}

// reply is how a turn ends: with text that was said, or with a failure.
type reply struct {
	text   string
	failed bool
}

func (a *agent) begin(message *asked) *turn {
	a.mu.Lock()
	defer a.mu.Unlock()
	return &turn{a: a, asked: message, began: time.Now(), model: a.model}
}

// interruptible returns a context that an interrupt of the host ends.
func (a *agent) interruptible(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	a.mu.Lock()
	a.interrupt = cancel
	a.mu.Unlock()
	return ctx, func() {
		a.mu.Lock()
		a.interrupt = nil
		a.mu.Unlock()
		cancel(nil)
	}
}

// record writes what was asked into the transcript: the queue's entries, which
// prove nothing, and the message itself under its own uuid.
func (a *agent) record(message asked) error {
	if err := a.transcript.write(map[string]any{"type": "queue-operation", "operation": "enqueue", "content": message.text}); err != nil {
		return err
	}
	if err := a.transcript.write(map[string]any{"type": "queue-operation", "operation": "dequeue"}); err != nil {
		return err
	}
	a.mu.Lock()
	mode := a.permissionMode
	a.mu.Unlock()
	return a.transcript.add("user", message.uuid, map[string]any{"role": "user", "content": message.text},
		map[string]any{"permissionMode": mode, "promptSource": "sdk"})
}

// lifecycle says where the host's message stands.
func (a *agent) lifecycle(t *turn, state string) {
	if t.asked != nil {
		a.emit(map[string]any{"type": "command_lifecycle", "command_uuid": t.asked.uuid, "state": state})
	}
}

// open says that the turn has begun.
func (t *turn) open() {
	a := t.a
	if !a.hostile.noInit {
		a.mu.Lock()
		mode := a.permissionMode
		a.mu.Unlock()
		a.emit(map[string]any{
			"type": "system", "subtype": "init", "cwd": a.transcript.cwd, "tools": a.toolNames(), "mcp_servers": a.serverStates(false),
			"model": t.model, "permissionMode": mode, "slash_commands": []string{}, "apiKeySource": "none",
			"claude_code_version": agentVersion, "output_style": "default", "agents": []string{}, "skills": []string{}, "plugins": []string{},
		})
	}
	t.requesting()
}

func (t *turn) requesting() {
	t.a.emit(map[string]any{"type": "system", "subtype": "status", "status": "requesting"})
}

// replay says the host's message back, once, as the client does when the model
// begins to answer or the turn is over before it could.
func (t *turn) replay() {
	if t.asked == nil || t.replayed {
		return
	}
	t.replayed = true
	if t.a.flags.replay {
		t.a.emit(map[string]any{
			"type": "user", "uuid": t.asked.uuid, "message": map[string]any{"role": "user", "content": t.asked.text},
			"parent_tool_use_id": nil, "timestamp": timestamp(time.Now()), "isReplay": true,
		})
	}
}

// say answers with text, in pieces.
func (t *turn) say(ctx context.Context, pieces []piece) error {
	return t.message(ctx, pieces, "end_turn", Block{Type: "text", Text: textOf(pieces)})
}

// message is one call of the model that is not there: its blocks share one
// message id and one usage. Pieces are how its text is streamed; nil leaves that
// to the pace.
func (t *turn) message(ctx context.Context, pieces []piece, stop string, blocks ...Block) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	t.messages++
	id, usage := newID("msg_"), t.a.nextUsage()
	message := func(content any, stop any) map[string]any {
		return map[string]any{"id": id, "type": "message", "role": "assistant", "model": t.model, "content": content,
			"stop_reason": stop, "stop_sequence": nil, "usage": usage}
	}
	t.replay()
	t.stream("message_start", map[string]any{"message": message([]any{}, nil)})
	bytes := 0
	for i, b := range blocks {
		t.stream("content_block_start", map[string]any{"index": i, "content_block": b.opening()})
		for _, p := range t.piecesOf(b, pieces) {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			t.stream("content_block_delta", map[string]any{"index": i, "delta": b.delta(p.text)})
			if err := rest(ctx, p.pause); err != nil {
				return err
			}
		}
		entry := uuid.NewString()
		whole := message([]any{b.whole()}, nil)
		t.a.emit(map[string]any{"type": "assistant", "uuid": entry, "message": whole, "parent_tool_use_id": t.parent()})
		whole["stop_reason"] = stop
		if t.inside == nil { // a subagent has a transcript of its own, which nobody reads here
			if err := t.a.transcript.add("assistant", entry, whole, nil); err != nil {
				return err
			}
		}
		t.stream("content_block_stop", map[string]any{"index": i})
		bytes += len(b.streamed())
	}
	usage.OutputTokens = tokensOf(bytes)
	t.stream("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	t.stream("message_stop", map[string]any{})
	t.a.grow(bytes)
	t.usage.add(usage)
	return nil
}

// piecesOf is how a block is streamed: text as a person would see it come, the
// input of a tool at once.
func (t *turn) piecesOf(b Block, pieces []piece) []piece {
	switch {
	case b.Type != "text":
		return []piece{{text: b.streamed()}}
	case pieces != nil:
		return pieces
	}
	return t.a.pieces(b.streamed(), 0)
}

// stream says an event of the model's stream, if the host wants those.
func (t *turn) stream(kind string, event map[string]any) {
	if t.a.flags.partial && t.inside == nil {
		event["type"] = kind
		t.a.emit(map[string]any{"type": "stream_event", "event": event, "parent_tool_use_id": nil})
	}
}

// toolResult says what a tool answered.
func (t *turn) toolResult(id, text string, isError bool, structured any) error {
	entry := uuid.NewString()
	message := map[string]any{"role": "user", "content": []any{map[string]any{
		"type": "tool_result", "tool_use_id": id, "content": text, "is_error": isError}}}
	t.a.emit(map[string]any{"type": "user", "uuid": entry, "message": message, "parent_tool_use_id": t.parent(),
		"timestamp": timestamp(time.Now()), "tool_use_result": structured})
	if t.inside != nil {
		return nil
	}
	t.a.grow(len(text))
	if err := t.a.transcript.add("user", entry, message, map[string]any{"toolUseResult": structured}); err != nil {
		return err
	}
	t.requesting()
	return nil
}

// finish ends a turn: with its reply, or as interrupted. Any other error is the
// agent's own end.
func (a *agent) finish(t *turn, r reply, err error) error {
	switch {
	case errors.Is(err, errInterrupted):
		t.replay()
		entry := uuid.NewString()
		message := map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": interruption}}}
		if err := a.transcript.add("user", entry, message, nil); err != nil {
			return err
		}
		a.emit(map[string]any{"type": "user", "uuid": entry, "message": message, "parent_tool_use_id": nil, "timestamp": timestamp(time.Now())})
		a.settle(t, a.resultLine(t, "error_during_execution", "", true, "aborted_streaming"), "cancelled", true)
		return nil
	case err != nil:
		return err
	case r.failed:
		a.settle(t, a.resultLine(t, "success", r.text, true, "api_error"), "completed", true)
		return nil
	}
	a.memory.unanswered = 0
	a.settle(t, a.resultLine(t, "success", r.text, false, "completed"), "completed", false)
	return nil
}

func (a *agent) settle(t *turn, result map[string]any, state string, failed bool) {
	a.failed = failed
	a.emit(result)
	a.lifecycle(t, state)
}

func (a *agent) resultLine(t *turn, subtype, text string, isError bool, reason string) map[string]any {
	a.usage.add(t.usage)
	result := map[string]any{
		"type": "result", "subtype": subtype, "is_error": isError, "num_turns": t.messages, "session_id": a.session,
		"uuid": uuid.NewString(), "duration_ms": time.Since(t.began).Milliseconds(), "duration_api_ms": 0,
		"total_cost_usd": 0, "usage": t.usage, "permission_denials": t.denials, "terminal_reason": reason, "stop_reason": "end_turn",
		"modelUsage": map[string]any{t.model: map[string]any{
			"inputTokens": a.usage.InputTokens, "outputTokens": a.usage.OutputTokens, "cacheReadInputTokens": a.usage.CacheReadInputTokens,
			"cacheCreationInputTokens": a.usage.CacheCreationInputTokens, "costUSD": 0, "contextWindow": contextWindow, "maxOutputTokens": 32_000,
		}},
	}
	if t.denials == nil {
		result["permission_denials"] = []any{}
	}
	if subtype == "success" {
		result["result"] = text
		result["ttft_ms"] = 0
		if isError {
			result["api_error_status"] = 500
		}
	} else {
		result["stop_reason"] = nil
		if text != "" {
			result["errors"] = []string{text}
		}
	}
	return result
}

// add adds up what two calls cost.
func (u *Usage) add(v Usage) {
	u.InputTokens += v.InputTokens
	u.OutputTokens += v.OutputTokens
	u.CacheReadInputTokens += v.CacheReadInputTokens
	u.CacheCreationInputTokens += v.CacheCreationInputTokens
	u.CacheCreation.Ephemeral5m += v.CacheCreation.Ephemeral5m
	u.CacheCreation.Ephemeral1h += v.CacheCreation.Ephemeral1h
}

// tokensOf estimates tokens: four bytes each.
func tokensOf(bytes int) int { return (bytes + 3) / 4 }

// grow notes that the session has become longer.
func (a *agent) grow(bytes int) {
	a.mu.Lock()
	a.told += bytes
	a.mu.Unlock()
}

// nextUsage is what the next call costs on its way in: what an earlier call has
// sent is read from the cache, the rest is written to it.
func (a *agent) nextUsage() Usage {
	tools := a.toolBytes()
	a.mu.Lock()
	defer a.mu.Unlock()
	all := tools + a.told
	u := Usage{InputTokens: 3, CacheReadInputTokens: tokensOf(a.heard)}
	u.CacheCreationInputTokens = max(0, tokensOf(all)-u.CacheReadInputTokens)
	u.CacheCreation.Ephemeral5m = u.CacheCreationInputTokens
	a.heard = all
	return u
}

// misbehave does what the hostile modes want of a turn. life is the agent's own
// context: nothing else ends a hang.
func (a *agent) misbehave(life, ctx context.Context, t *turn) error {
	h := a.hostile
	if h.dieMidLine {
		a.out.half(map[string]any{"type": "assistant", "session_id": a.session, "message": map[string]any{"content": "this line never ends, 이 줄은 끝나지 않는다"}})
		return errors.New("died in the middle of a line, as it was told to")
	}
	if h.hang { // its last line is written
		<-never(life)
		return context.Cause(life)
	}
	for i := range h.flood {
		t.replay()
		if err := context.Cause(ctx); err != nil {
			return err
		}
		a.emit(map[string]any{"type": "stream_event", "parent_tool_use_id": nil, "event": json.RawMessage(
			fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"flood %d "}}`, i))})
	}
	return nil
}
