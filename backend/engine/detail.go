package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/plain"
	"hearth/backend/resident"
	"hearth/backend/run"
)

const (
	// lookBound is how long a process is looked at, and its client asked, for one
	// answer to a person. Measured: some milliseconds.
	lookBound = 3 * time.Second
	// maxServerTools and maxToolText bound what an MCP server can put on the page:
	// tools of all servers together, and characters of one text of theirs.
	maxServerTools = 1000
	maxToolText    = 4000
)

// Detail looks at one agent closely: its process, and what its client says of the
// tools it has.
func (a *agents) Detail(ctx context.Context, b chat.Binding) (api.AgentLook, error) {
	states, err := a.Presence(ctx, b.ChannelID)
	if err != nil {
		return api.AgentLook{}, err
	}
	look := api.AgentLook{State: api.AgentState{BindingID: b.ID, Phase: string(resident.PhaseCold)}}
	for _, state := range states {
		if state.BindingID == b.ID {
			look.State = state
		}
	}
	key := run.KeyOf(b)
	a.mutex.Lock()
	p := a.living[key]
	look.Tools = a.offered[key]
	a.mutex.Unlock()
	if p == nil {
		return look, nil
	}
	if tools := p.session.Info().Tools; len(tools) > 0 {
		look.Tools, look.ToolsNow = tools, true
	}
	bounded, cancel := context.WithTimeout(ctx, lookBound)
	defer cancel()
	look.Process = &api.AgentProcess{PID: p.session.Record().PID, BeganAt: p.began}
	held, err := p.session.Memory(bounded)
	if err != nil {
		a.log.Warn("look at the memory of an agent", "binding", b.ID, "error", err)
		look.Process.Fault = "How much memory it takes can't be seen: " + err.Error() + "."
	}
	look.Process.MemoryBytes, look.Process.Processes = held.Bytes, held.Processes
	look.Servers, err = p.servers(bounded)
	switch {
	case err == nil || p.session.Err() != nil: // it is ending: the next look says so
	case bounded.Err() != nil:
		look.ServersFault = fmt.Sprintf("The client did not say within %d seconds how its MCP servers are. Look again.", int(lookBound.Seconds()))
	default:
		look.ServersFault = "The client does not say how its MCP servers are: " + err.Error() + "."
	}
	return look, nil
}

// servers asks the client for its MCP servers.
func (p *process) servers(ctx context.Context) ([]api.ToolServer, error) {
	said, err := p.session.Servers(ctx)
	if err != nil {
		return nil, err
	}
	var out []api.ToolServer
	left := maxServerTools
	for _, s := range said {
		server := api.ToolServer{Name: short(s.Name), Status: short(s.Status), Error: short(s.Error), Scope: short(s.Scope), Version: short(s.Info.Version)}
		for _, t := range s.Tools[:min(left, len(s.Tools))] {
			server.Tools = append(server.Tools, api.ServerTool{
				Name: short(t.Name), Description: short(t.Description),
				ReadOnly: t.Notes.ReadOnly, Destructive: t.Notes.Destructive, OpenWorld: t.Notes.OpenWorld,
			})
		}
		left -= len(server.Tools)
		server.LeftOut = len(s.Tools) - len(server.Tools)
		out = append(out, server)
	}
	return out, nil
}

func short(text string) string { return plain.Short(text, maxToolText) }

// ending says how a process that is done has ended, and why.
func (p *process) ending() (how ledger.Ending, reason string) {
	if err := p.Err(); err != nil {
		return ledger.EndedCrashed, err.Error()
	}
	told, _ := p.told.Load().(string)
	switch {
	case told == resident.ReasonIdle:
		return ledger.EndedIdle, ""
	case strings.HasPrefix(told, resident.ReasonPlace):
		return ledger.EndedEvicted, ""
	case told == resident.ReasonClosing:
		return ledger.EndedClosed, ""
	case told == resident.ReasonChanged, told == run.BecauseChanged:
		return ledger.EndedChanged, ""
	case told == run.BecauseMoved:
		return ledger.EndedChanged, told
	case told == run.BecauseRevoked:
		return ledger.EndedRevoked, ""
	case told == run.BecauseReplaced:
		return ledger.EndedReplaced, ""
	case told == run.BecauseFresh:
		return ledger.EndedFresh, ""
	case told == resident.ReasonAfresh:
		return ledger.EndedAfresh, ""
	case told == "":
		return ledger.EndedOther, "it ended by itself, in order"
	}
	return ledger.EndedOther, told
}
