package engine

import (
	"context"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/run"
)

// commandsOf are the commands of a process's client.
func commandsOf(s *claude.Session) []chat.Command {
	said := s.Commands()
	out := make([]chat.Command, len(said))
	for i, c := range said {
		out[i] = chat.Command(c)
	}
	return out
}

// keepCommands remembers what a new process's client can be told to do, for when
// there is none. Without it nothing is lost but an offer.
func (a *agents) keepCommands(ctx context.Context, b chat.Binding, p *process) {
	if err := a.store.KeepCommands(ctx, b, p.commands, p.began); err != nil {
		a.log.Warn("keep the commands of a client", "binding", b.ID, "error", err)
	}
}

// Commands tells what an agent's client can be told to do by itself.
func (a *agents) Commands(ctx context.Context, b chat.Binding) (api.CommandsLook, error) {
	a.mutex.Lock()
	p := a.living[run.KeyOf(b)]
	a.mutex.Unlock()
	if p != nil {
		return api.CommandsLook{Commands: p.commands, At: p.began, Now: true}, nil
	}
	commands, at, err := a.store.Commands(ctx, b)
	return api.CommandsLook{Commands: commands, At: at}, err
}
