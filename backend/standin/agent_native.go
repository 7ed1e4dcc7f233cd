package standin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// nativeCommands are the slash commands that the agent names at its start. They are the client's, not those of
// perform: only a message that is nothing but such a command is one.
var nativeCommands = []map[string]any{
	{"name": "clear", "description": "Start a new session with empty context", "argumentHint": "[name]", "aliases": []string{"reset", "new"}, "builtin": true},
	{"name": "compact", "description": "Free up context by summarizing the conversation so far", "argumentHint": "<optional custom summarization instructions>", "builtin": true},
	{"name": "context", "description": "Show current context usage", "argumentHint": "", "builtin": true},
	{"name": "usage", "description": "Show session cost and usage", "argumentHint": "", "aliases": []string{"cost"}, "builtin": true},
}

// nativeName is the command that a message is, by its own name; "" is none.
func nativeName(text string) string {
	said, slash := strings.CutPrefix(text, "/")
	words := strings.Fields(said)
	if !slash || len(words) == 0 || !strings.HasPrefix(said, words[0]) {
		return ""
	}
	for _, c := range nativeCommands {
		aliases, _ := c["aliases"].([]string)
		if name := c["name"].(string); name == words[0] || slices.Contains(aliases, words[0]) { //nolint:forcetypeassert // ours, above
			return name
		}
	}
	return ""
}

// native does a command as the client does: without a call of the model, and with another session for clear.
func (a *agent) native(t *turn, name string) error {
	a.lifecycle(t, "queued")
	if err := a.record(*t.asked); err != nil {
		return err
	}
	a.lifecycle(t, "started")
	text := ""
	switch name {
	case "clear":
		a.session = uuid.NewString()
	case "compact":
		if a.turns == 0 && a.restored == 0 {
			text = "Error: No messages to compact"
			break
		}
		a.mu.Lock()
		before := a.told
		a.told, a.heard = len(a.flags.framing), 0
		after := a.told
		a.mu.Unlock()
		a.emit(map[string]any{"type": "system", "subtype": "compact_boundary", "compact_metadata": map[string]any{
			"trigger": "manual", "pre_tokens": tokensOf(before), "post_tokens": tokensOf(after),
		}})
	case "context":
		text = fmt.Sprintf("## Context Usage\n\n**Tokens:** %v of %d\n\nThere is no model behind the stand-in.", a.contextUsage()["totalTokens"], contextWindow)
	case "usage":
		text = fmt.Sprintf("Estimated cost:        $0.0000\nTotal tokens:          %d", a.usage.InputTokens+a.usage.OutputTokens)
	}
	t.open()
	if text != "" {
		a.emit(map[string]any{"type": "assistant", "uuid": uuid.NewString(), "parent_tool_use_id": nil, "message": map[string]any{
			"id": uuid.NewString(), "type": "message", "role": "assistant", "model": "<synthetic>",
			"content": []any{map[string]any{"type": "text", "text": text}}, "usage": Usage{},
		}})
	}
	t.replay()
	if name == "compact" {
		text = "" // as the client: what went wrong is said on the way only
	}
	return a.finish(t, reply{text: text}, nil)
}
