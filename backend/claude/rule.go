package claude

import (
	"context"
	"strings"
)

// A Rule says what needs no question: a tool, or what of it.
type Rule struct {
	Tool    string // like Bash
	Content string // in the tool's own syntax, like "git status:*"; empty: all of the tool
}

// escapes keep what a rule's content holds from ending it.
var escapes = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`)

// text is the rule in the client's syntax: Tool, or Tool(content).
func (r Rule) text() string {
	if r.Content == "" {
		return r.Tool
	}
	return r.Tool + "(" + escapes.Replace(r.Content) + ")"
}

// tellRules tells the client what a person allowed for good.
//
// Problem: a rule for a command is as long as the command, and a model that writes a file by a command writes a long one.
// Why: the kernel takes at most 128 KiB an argument on Linux, and a bounded sum of all on Linux and macOS; with one rule
// too long no process would ever start again. Solution: the rules go the way of everything else that is told a living
// client, over its input. `apply_flag_settings` sets what the flag --settings does and is answered when it is in force.
//
// A client that does not know the request works without the rules: it asks again for what they allow.
func (s *Session) tellRules(ctx context.Context) error {
	if len(s.opts.Rules) == 0 {
		return nil
	}
	texts := make([]string, len(s.opts.Rules))
	for i, r := range s.opts.Rules {
		texts[i] = r.text()
	}
	_, err := s.Request(ctx, "apply_flag_settings", map[string]any{
		"settings": map[string]any{"permissions": map[string]any{"allow": texts}},
	})
	if CodeOf(err) == CodeRefused {
		s.log.Warn("the client takes no rules; it will ask for what they allow", "rules", len(texts), "error", err)
		return nil
	}
	return err
}
