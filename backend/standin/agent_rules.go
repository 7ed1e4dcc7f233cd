package standin

import (
	"encoding/json"
	"strings"
)

// allowRule says what needs no question: a tool, or what of it.
type allowRule struct{ tool, content string }

// applySettings takes the rules of permissions.allow, in the place of those before.
// The other settings are none of the stand-in's business.
func (a *agent) applySettings(raw json.RawMessage) error {
	var request struct {
		Settings struct {
			Permissions struct {
				Allow []string `json:"allow"`
			} `json:"permissions"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(raw, &request); err != nil {
		return err
	}
	var rules []allowRule
	for _, text := range request.Settings.Permissions.Allow {
		rules = append(rules, parseRule(text))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rules = rules
	return nil
}

// parseRule reads Tool, or Tool(content), where a backslash stands before a
// parenthesis or a backslash of the content.
func parseRule(text string) allowRule {
	tool, content, ok := strings.Cut(text, "(")
	if !ok || !strings.HasSuffix(content, ")") {
		return allowRule{tool: text}
	}
	return allowRule{tool, strings.NewReplacer(`\\`, `\`, `\(`, "(", `\)`, ")").Replace(strings.TrimSuffix(content, ")"))}
}

// allows says whether a rule lets a call pass: of Bash a command, to the letter or
// by its first words ("git status:*").
func (r allowRule) allows(c *toolCall) bool {
	if r.tool != c.tool {
		return r.content == "" && strings.HasPrefix(r.tool, "mcp__") && strings.HasPrefix(c.tool, r.tool+"__")
	}
	if r.content == "" || r.content == "*" {
		return true
	}
	var in struct {
		Command *string `json:"command"`
	}
	if json.Unmarshal(c.input, &in) != nil || in.Command == nil {
		return false
	}
	if words, ok := strings.CutSuffix(r.content, ":*"); ok {
		// More than one command is not what the words speak of.
		rest, begins := strings.CutPrefix(*in.Command, words)
		return begins && (rest == "" || rest[0] == ' ') && !strings.ContainsAny(rest, "&|;<>`$\n")
	}
	return *in.Command == r.content
}
