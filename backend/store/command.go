package store

import (
	"context"
	"encoding/json"
	"time"

	"hearth/backend/chat"
	"hearth/backend/store/db"
)

// storedCommand is the stored form of chat.Command.
type storedCommand struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Hint        string   `json:"hint,omitempty"`
	Description string   `json:"description,omitempty"`
	Builtin     bool     `json:"builtin,omitempty"`
}

// KeepCommands keeps what the client of a binding's newest process can be told to do
// by itself, relaxed: the next process says it again.
func (s *Store) KeepCommands(ctx context.Context, b chat.Binding, commands []chat.Command, at time.Time) error {
	list := make([]storedCommand, len(commands))
	for i, c := range commands {
		list[i] = storedCommand(c)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return s.failed("keep the commands of a client", err)
	}
	return s.change(ctx, relaxed, "keep the commands of a client", func(ctx context.Context, q *db.Queries) error {
		return q.PutCommands(ctx, db.PutCommandsParams{BindingID: b.ID, Runtime: string(b.Runtime), At: micros(at), Commands: string(text)})
	})
}

// Commands returns what the client of a binding's newest process said, and when; a
// zero time: none has said it since the binding has its runtime.
func (s *Store) Commands(ctx context.Context, b chat.Binding) (commands []chat.Command, at time.Time, err error) {
	stored, err := s.views.Commands(ctx, b.ID)
	if none(err) || err == nil && stored.Runtime != string(b.Runtime) {
		return nil, time.Time{}, nil
	}
	var list []storedCommand
	if err == nil {
		err = json.Unmarshal([]byte(stored.Commands), &list)
	}
	if err != nil {
		return nil, time.Time{}, s.failed("read the commands of a client", err)
	}
	for _, c := range list {
		commands = append(commands, chat.Command(c))
	}
	return commands, timeOf(stored.At), nil
}
