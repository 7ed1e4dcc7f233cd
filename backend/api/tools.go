package api

import (
	"context"
	"regexp"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/tool"
)

// toolsOf are the tools of an agent, each with what is known of it and how often it
// was called.
func (s *server) toolsOf(ctx context.Context, b chat.Binding, look AgentLook) (AgentTools, error) {
	counts, err := s.Store.ToolCalls(ctx, b.ID)
	if err != nil {
		return AgentTools{}, err
	}
	if live, going := s.Runs.Live(look.State.RunID); going {
		counts = append(counts, run.CountTools(live.Steps)...)
	}
	out := AgentTools{Known: "no", Items: toolList(look, counts), Servers: each(look.Servers, toMcpServer), ServersFault: look.ServersFault}
	switch {
	case look.ToolsNow:
		out.Known = "now"
	case len(look.Tools) > 0:
		out.Known = "before"
	}
	return out, nil
}

// toolList joins what Hearth, the client and its MCP servers say of tools with how
// often they were called: Hearth's own first, then the client's in its order, then
// what was only called.
func toolList(look AgentLook, counts []run.ToolCalls) []AgentTool {
	list := &tools{at: map[string]int{}}
	for _, d := range tool.Descriptions() {
		t := list.named(d.Name)
		t.Source, t.Offered, t.Description, t.Schema, t.ReadOnly = "hearth", true, d.Text, d.Schema, d.Reads
	}
	var servers []AgentTool // named after the client's own
	for _, name := range look.Tools {
		if t := toolNamed(name); t.Source == "server" {
			servers = append(servers, t)
			continue
		}
		list.named(name).Offered = true
	}
	for _, t := range servers {
		list.named(t.Name).Offered = true
	}
	for _, server := range look.Servers {
		if server.Name == tool.ServerName {
			continue // ours are known better
		}
		for _, said := range server.Tools {
			t := list.named(prefixOf(server.Name) + said.Name)
			t.Source, t.Server, t.Title = "server", server.Name, said.Name
			t.Description, t.ReadOnly, t.Destructive, t.OpenWorld = said.Description, said.ReadOnly, said.Destructive, said.OpenWorld
			t.Offered = t.Offered || !look.ToolsNow
		}
	}
	for _, c := range counts {
		list.called(c)
	}
	return list.items
}

// tools is a list that finds its items by name.
type tools struct {
	items []AgentTool
	at    map[string]int
}

// named returns the tool of that name, a new one at the end if there is none yet.
func (l *tools) named(name string) *AgentTool {
	i, ok := l.at[name]
	if !ok {
		i = len(l.items)
		l.at[name], l.items = i, append(l.items, toolNamed(name))
	}
	return &l.items[i]
}

func (l *tools) called(c run.ToolCalls) {
	name := c.Tool
	if other := otherNames[name]; other != "" && !l.has(name) && l.has(other) {
		name = other
	}
	t := l.named(name)
	if c.Subagent {
		t.SubagentCalls += c.Calls
	} else {
		t.Calls += c.Calls
	}
	t.Failed += c.Failed
	if at := utc(c.LastAt); at.After(t.LastCalledAt) {
		t.LastCalledAt = at
	}
}

func (l *tools) has(name string) bool {
	_, ok := l.at[name]
	return ok
}

// otherNames are those of one tool that the client lists by one name and lets its
// model call by the other.
var otherNames = map[string]string{"Agent": "Task", "Task": "Agent"}

const serverMark = "mcp__"

// toolNamed is what a name says of a tool: MCP servers' are mcp__SERVER__TOOL.
func toolNamed(name string) AgentTool {
	server, title, found := strings.Cut(strings.TrimPrefix(name, serverMark), "__")
	if !strings.HasPrefix(name, serverMark) || !found || server == "" || title == "" {
		return AgentTool{Name: name, Source: "client", Title: name}
	}
	return AgentTool{Name: name, Source: "server", Server: server, Title: title}
}

// unfit is what a client replaces in the name of a server that it makes the names of
// tools from.
var unfit = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

func prefixOf(server string) string {
	return serverMark + unfit.ReplaceAllString(server, "_") + "__"
}
