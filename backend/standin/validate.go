package standin

import "fmt"

// maxBreakpoints is how many cache_control markers one request may carry.
const maxBreakpoints = 4

// validate holds a request against the API's own rules, those a client can
// break by sending a history that is not whole. Its error is the API's sentence.
func (r Request) validate() error {
	if err := r.validateMarkers(); err != nil {
		return err
	}
	return r.validatePairs()
}

// markedBlock is a place in the request that carries a marker.
type markedBlock struct {
	where  string
	block  Content
	marker *cacheMarker
}

func (r Request) marked() []markedBlock {
	var out []markedBlock
	for i, t := range r.Tools {
		if t.marker != nil {
			out = append(out, markedBlock{where: fmt.Sprintf("tools.%d", i), block: Content{Type: "tool", Text: t.Name}, marker: t.marker})
		}
	}
	for i, c := range r.System {
		if c.marker != nil {
			out = append(out, markedBlock{where: fmt.Sprintf("system.%d", i), block: c, marker: c.marker})
		}
	}
	for i, m := range r.Messages {
		for j, c := range m.Content {
			if c.marker != nil {
				out = append(out, markedBlock{where: fmt.Sprintf("messages.%d.content.%d", i, j), block: c, marker: c.marker})
			}
		}
	}
	if r.automatic != nil {
		out = append(out, markedBlock{where: "cache_control", block: Content{Type: "request"}, marker: r.automatic})
	}
	return out
}

func (r Request) validateMarkers() error {
	marked := r.marked()
	if len(marked) > maxBreakpoints {
		return fmt.Errorf("A maximum of %d blocks with cache_control may be provided. Found %d.", maxBreakpoints, len(marked)) //nolint:staticcheck // the API's own sentence
	}
	short := false
	for _, m := range marked {
		if m.marker.Type != "ephemeral" {
			return fmt.Errorf("%s.cache_control.type: Input should be 'ephemeral'", m.where)
		}
		switch {
		case m.block.Type == "text" && m.block.Text == "":
			return fmt.Errorf("%s: cache_control cannot be set for empty text blocks", m.where)
		case m.block.Type == "thinking" || m.block.Type == "redacted_thinking":
			return fmt.Errorf("%s: cache_control cannot be set for thinking blocks", m.where)
		}
		switch m.marker.TTL {
		case "", "5m":
			short = true
		case "1h":
			if short {
				return fmt.Errorf("%s.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.", m.where) //nolint:staticcheck // the API's own sentence
			}
		default:
			return fmt.Errorf("%s.cache_control.ttl: Input should be '5m' or '1h'", m.where)
		}
	}
	return nil
}

// validatePairs checks that every call of a tool is answered in the next user
// message, and that no answer is without its call. Messages of role system may
// stand between the two.
func (r Request) validatePairs() error {
	open := map[string]bool{}
	for i, m := range r.Messages {
		switch m.Role {
		case "assistant":
			if id := anyOf(open); id != "" {
				return unanswered(i-1, id)
			}
			for _, c := range m.Content {
				if c.Type == "tool_use" {
					open[c.ID] = true
				}
			}
		case "user":
			for j, c := range m.Content {
				if c.Type != "tool_result" {
					continue
				}
				if !open[c.ToolUseID] {
					return fmt.Errorf("messages.%d.content.%d: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, j, c.ToolUseID) //nolint:staticcheck // the API's own sentence
				}
				delete(open, c.ToolUseID)
			}
			// The API merges user messages that follow each other.
			if next := i + 1; next >= len(r.Messages) || r.Messages[next].Role != "user" {
				if id := anyOf(open); id != "" {
					return unanswered(i-1, id)
				}
			}
		}
	}
	if id := anyOf(open); id != "" {
		return unanswered(len(r.Messages)-1, id)
	}
	return nil
}

func anyOf(set map[string]bool) string {
	for id := range set {
		return id
	}
	return ""
}

func unanswered(at int, id string) error {
	return fmt.Errorf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", at, id) //nolint:staticcheck // the API's own sentence
}
