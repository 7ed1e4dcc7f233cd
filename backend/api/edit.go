package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/run"
)

type editRowInput struct {
	ID   string `path:"id" doc:"The row's id."`
	Body struct {
		Body string `json:"body" doc:"The whole new text, under the rules of writing one."`
	}
}

type markReadInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		RowID string `json:"row_id" doc:"The newest row that was shown, of the channel or of one of its threads."`
	}
}

type editRowOutput struct {
	Body struct {
		Row  Row   `json:"row"`
		Runs []Run `json:"runs" doc:"Those of the row that wait now."`
		Told bool  `json:"told" doc:"Agents were told it before: they hear of the change in their next turn, and nobody was asked anew."`
	}
}

type deleteRowOutput struct {
	Body struct {
		Row     Row  `json:"row" doc:"As it was; or emptied, with deleted_at, when its place stays."`
		Removed bool `json:"removed" doc:"It is gone altogether, with the runs it caused."`
		Told    bool `json:"told" doc:"Agents were told it before: they hear of it in their next turn."`
	}
}

// Version is what a row said before it was edited.
type Version struct {
	Body string    `json:"body"`
	At   time.Time `json:"at" doc:"Since when it had said so."`
}

type versionsOutput struct {
	Body struct {
		Versions []Version `json:"versions" doc:"Newest first, at most the newest 100."`
	}
}

// registerEdits registers what is done to rows that are there.
func (s *server) registerEdits(operations huma.API) {
	tags := []string{"rows"}
	register(s, operations, huma.Operation{
		OperationID: "edit-row", Method: http.MethodPatch, Path: "/api/messages/{id}", Summary: "Change a row of your own", Tags: tags,
		Description: "Whom it addresses is read anew: agents that are no longer named lose their run if it waits, and as long as no agent was told the row, new ones get one. " +
			"Once it was told, nobody is asked anew: what it said is kept as a version, and agents that know it hear of the change in their next turn. A conflict when someone else wrote it.",
	}, s.editRow)
	register(s, operations, huma.Operation{
		OperationID: "delete-row", Method: http.MethodDelete, Path: "/api/messages/{id}", Summary: "Delete a row of your own", Tags: tags,
		Description: "Each run of it that waits is stopped. As long as no agent was told it and nobody answered it in its thread, it is gone altogether, with the runs it caused. " +
			"Otherwise its text and its versions go and its place stays, and agents that know it hear of it in their next turn. A conflict when someone else wrote it.",
	}, s.deleteRow)
	register(s, operations, huma.Operation{
		OperationID: "list-versions", Method: http.MethodGet, Path: "/api/messages/{id}/versions", Summary: "Read what a row said before it was edited", Tags: tags,
		Description: "As far as agents were told it: what was changed before that is not kept. Nothing of a row that was deleted.",
	}, s.listVersions)
	register(s, operations, huma.Operation{
		OperationID: "mark-read", Method: http.MethodPut, Path: "/api/channels/{id}/read", Summary: "Say how far the owner has read", Tags: tags,
		Description: "The mark only moves forward; a row before it changes nothing. What the owner writes does not move it.",
	}, s.markRead)
}

func (s *server) editRow(ctx context.Context, in *editRowInput) (*editRowOutput, error) {
	edited, err := s.Runs.Edit(ctx, in.ID, in.Body.Body)
	if err != nil {
		return nil, err
	}
	out := &editRowOutput{}
	out.Body.Runs, out.Body.Told = each(edited.Runs, toRun), edited.Told
	out.Body.Row, err = s.sized(ctx, edited.Row)
	return out, err
}

func (s *server) deleteRow(ctx context.Context, in *rowInput) (*deleteRowOutput, error) {
	deleted, err := s.Runs.Delete(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &deleteRowOutput{}
	out.Body.Told, out.Body.Removed = deleted.Told, !deleted.Row.Deleted()
	out.Body.Row, err = s.sized(ctx, deleted.Row)
	return out, err
}

func (s *server) listVersions(ctx context.Context, in *rowInput) (*versionsOutput, error) {
	versions, err := s.Store.Versions(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &versionsOutput{}
	out.Body.Versions = each(versions, func(v chat.Version) Version { return Version{Body: v.Body, At: utc(v.At)} })
	return out, nil
}

func (s *server) markRead(ctx context.Context, in *markReadInput) (*channelOutput, error) {
	c, moved, err := s.Store.MarkRead(ctx, in.ID, in.Body.RowID)
	if err != nil {
		return nil, err
	}
	if moved {
		s.publishChannel(run.EventChannelUpdated, c)
	}
	return &channelOutput{toChannel(c)}, nil
}
