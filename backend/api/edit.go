package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

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

// registerEdits registers what is done to rows that are there.
func (s *server) registerEdits(operations huma.API) {
	tags := []string{"rows"}
	register(s, operations, huma.Operation{
		OperationID: "edit-row", Method: http.MethodPatch, Path: "/api/messages/{id}", Summary: "Change a row that no agent has seen", Tags: tags,
		Description: "Only the owner's own, and only while the work it caused waits in queues and no agent was shown it: a conflict otherwise. " +
			"Whom it addresses is read anew: agents that are no longer named lose their run, new ones get one. Answers with the runs that wait now.",
	}, s.editRow)
	register(s, operations, huma.Operation{
		OperationID: "delete-row", Method: http.MethodDelete, Path: "/api/messages/{id}", Summary: "Take back a row that no agent has seen", Tags: tags,
		DefaultStatus: http.StatusNoContent,
		Description: "Under the conditions of changing it. The work it caused goes with it: each run that waits is stopped, then there is no such run any more. " +
			"A row that was answered in its thread stays: a conflict.",
	}, func(ctx context.Context, in *rowInput) (*struct{}, error) {
		return nil, s.Runs.Delete(ctx, in.ID)
	})
	register(s, operations, huma.Operation{
		OperationID: "mark-read", Method: http.MethodPut, Path: "/api/channels/{id}/read", Summary: "Say how far the owner has read", Tags: tags,
		Description: "The mark only moves forward; a row before it changes nothing. What the owner writes does not move it.",
	}, s.markRead)
}

func (s *server) editRow(ctx context.Context, in *editRowInput) (*postRowOutput, error) {
	row, runs, err := s.Runs.Edit(ctx, in.ID, in.Body.Body)
	if err != nil {
		return nil, err
	}
	sizes, err := s.Store.ThreadSizes(ctx, []string{row.ID})
	if err != nil {
		return nil, err
	}
	out := &postRowOutput{}
	out.Body.Row, out.Body.Runs = toRow(row), each(runs, toRun)
	out.Body.Row.ThreadSize = sizes[row.ID]
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
