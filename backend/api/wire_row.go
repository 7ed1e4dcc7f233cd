package api

import (
	"time"

	"hearth/backend/chat"
)

// Row is one message on the wire.
type Row struct {
	ID           string    `json:"id"`
	ChannelID    string    `json:"channel_id"`
	ThreadRootID string    `json:"thread_root_id" doc:"The root of the thread it stands in; empty: the channel's top level."`
	Kind         string    `json:"kind" enum:"user,agent"`
	Handle       string    `json:"handle" doc:"Who wrote it; empty: the owner of this Hearth."`
	BindingID    string    `json:"binding_id" doc:"The agent that wrote it; empty for people."`
	RunID        string    `json:"run_id" doc:"The run it was written in; empty for people."`
	Note         string    `json:"note" enum:",interim,declined,unasked,undone,command" doc:"interim: a word while the turn went on. declined: the agent refused, and this is why. unasked: of a turn nobody asked for. undone: you took back what a run changed in files, or put it back; Hearth wrote the text. command: the answer to a command, by the client or by Hearth; no model said it."`
	Body         string    `json:"body" doc:"Markdown, written by others: data, never markup to trust."`
	CreatedAt    time.Time `json:"created_at" doc:"Strictly increasing within a channel."`
	EditedAt     time.Time `json:"edited_at,omitzero" doc:"When its text was last changed. Left out: never."`
	DeletedAt    time.Time `json:"deleted_at,omitzero" doc:"When its owner deleted it; its text is gone, its place stays. Left out: it stands."`
	ThreadSize   int       `json:"thread_size" doc:"How many rows answer it in its thread. In events it is 0."`
}

func toRow(r chat.Row) Row {
	return Row{
		ID: r.ID, ChannelID: r.ChannelID, ThreadRootID: r.ThreadRootID, Kind: string(r.Kind), Handle: r.Handle,
		BindingID: r.BindingID, RunID: r.RunID, Note: string(r.Note), Body: r.Body, CreatedAt: utc(r.CreatedAt),
		EditedAt: utc(r.EditedAt), DeletedAt: utc(r.DeletedAt),
	}
}
