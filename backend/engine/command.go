package engine

import (
	"context"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/run"
)

// commandsOf are the commands of a process's client, and when it told them.
func commandsOf(s *claude.Session) ([]chat.Command, time.Time) {
	said, at := s.Commands()
	out := make([]chat.Command, len(said))
	for i, c := range said {
		out[i] = chat.Command(c)
	}
	return out, at
}

// keepCommands remembers what a process's client can be told to do, for when there is
// none. It is called when the process is new, and by its turns: one after the other.
// Without it nothing is lost but an offer.
func (a *agents) keepCommands(ctx context.Context, b chat.Binding, p *process) {
	commands, at := commandsOf(p.session)
	if at.Equal(p.kept) {
		return
	}
	p.kept = at
	if err := a.store.KeepCommands(context.WithoutCancel(ctx), b, commands, at); err != nil {
		a.log.Warn("keep the commands of a client", "binding", b.ID, "error", err)
	}
}

// Commands tells what an agent's client can be told to do by itself.
func (a *agents) Commands(ctx context.Context, b chat.Binding) (api.CommandsLook, error) {
	a.mutex.Lock()
	p := a.living[run.KeyOf(b)]
	a.mutex.Unlock()
	if p != nil {
		commands, at := commandsOf(p.session)
		return api.CommandsLook{Commands: commands, At: at, Now: true}, nil
	}
	commands, at, err := a.store.Commands(ctx, b)
	return api.CommandsLook{Commands: commands, At: at}, err
}
