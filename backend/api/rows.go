package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/run"
)

type listRowsInput struct {
	ID           string    `path:"id" doc:"The channel's id."`
	Before       string    `query:"before" doc:"The rows before this one."`
	After        string    `query:"after" doc:"The rows after this one, towards the present."`
	Around       string    `query:"around" doc:"This row, with half of the page before it and half after it."`
	Since        time.Time `query:"since" doc:"The rows of this moment and later, the first of them first."`
	Limit        int       `query:"limit" default:"30" minimum:"1" maximum:"200"`
	ThreadRootID string    `query:"thread_root_id" doc:"The thread of this row; left out: the channel's top level."`
}

type rowsOutput struct {
	Body struct {
		Rows      []Row `json:"rows" doc:"Oldest first."`
		More      bool  `json:"more" doc:"The same as has_before."`
		HasBefore bool  `json:"has_before" doc:"There are older ones: ask again with before set to the id of the first."`
		HasAfter  bool  `json:"has_after" doc:"There are newer ones: ask again with after set to the id of the last."`
		Root      *Row  `json:"root,omitempty" doc:"Of a thread: the row it answers. It is not among rows."`
	}
}

type rowInput struct {
	ID string `path:"id" doc:"The row's id."`
}

type rowOutput struct{ Body Row }

type postRowInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		Body         string `json:"body" doc:"Markdown, at most 100,000 characters. @handle wakes an agent, at most three."`
		ThreadRootID string `json:"thread_root_id,omitempty" doc:"The top-level row that this answers."`
		Author       string `json:"author,omitempty" doc:"The handle of the person who writes; left out: the owner."`
	}
}

type postRowOutput struct {
	Body struct {
		Row  Row   `json:"row"`
		Runs []Run `json:"runs" doc:"The work it caused, one run an agent it addresses."`
	}
}

func (s *server) registerRows(operations huma.API) {
	tags := []string{"rows"}
	register(s, operations, huma.Operation{
		OperationID: "list-rows", Method: http.MethodGet, Path: "/api/channels/{id}/messages", Summary: "Page through what was written", Tags: tags,
		Description: "The newest page, or one before, after or around a row, or since a time; only one of the four. The row may stand anywhere in the channel: its time counts.",
	}, s.listRows)
	register(s, operations, huma.Operation{
		OperationID: "post-row", Method: http.MethodPost, Path: "/api/channels/{id}/messages", Summary: "Write a row", Tags: tags, DefaultStatus: http.StatusCreated,
		Description: "Answered when the row and the runs it causes are safely on disk.",
	}, s.postRow)
	register(s, operations, huma.Operation{
		OperationID: "get-row", Method: http.MethodGet, Path: "/api/messages/{id}", Summary: "Read one row", Tags: tags,
	}, s.getRow)
	s.registerEdits(operations)
}

func (s *server) getRow(ctx context.Context, in *rowInput) (*rowOutput, error) {
	row, err := s.Store.Row(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out, err := s.sized(ctx, row)
	return &rowOutput{out}, err
}

// sized is a row with the size of the thread it began.
func (s *server) sized(ctx context.Context, row chat.Row) (Row, error) {
	sizes, err := s.Store.ThreadSizes(ctx, []string{row.ID})
	out := toRow(row)
	out.ThreadSize = sizes[row.ID]
	return out, err
}

func (s *server) listRows(ctx context.Context, in *listRowsInput) (*rowsOutput, error) {
	if _, err := s.Store.Channel(ctx, in.ID); err != nil {
		return nil, err
	}
	out := &rowsOutput{}
	place := chat.Place{ChannelID: in.ID, ThreadRootID: in.ThreadRootID}
	if in.ThreadRootID != "" {
		root, err := s.threadRoot(ctx, in.ID, in.ThreadRootID)
		if err != nil {
			return nil, err
		}
		out.Body.Root = new(toRow(root))
	}
	page, err := s.page(ctx, in)
	if err != nil {
		return nil, err
	}
	paged, err := s.Store.Page(ctx, place, page)
	if err != nil {
		return nil, err
	}
	out.Body.More, out.Body.HasBefore, out.Body.HasAfter = paged.HasBefore, paged.HasBefore, paged.HasAfter
	out.Body.Rows = each(paged.Rows, toRow)
	roots := make([]string, len(paged.Rows))
	for i, row := range paged.Rows {
		roots[i] = row.ID
	}
	if out.Body.Root != nil {
		roots = []string{in.ThreadRootID}
	}
	sizes, err := s.Store.ThreadSizes(ctx, roots)
	if err != nil {
		return nil, err
	}
	if root := out.Body.Root; root != nil {
		root.ThreadSize = sizes[root.ID]
		return out, nil
	}
	for i := range out.Body.Rows {
		out.Body.Rows[i].ThreadSize = sizes[out.Body.Rows[i].ID]
	}
	return out, nil
}

// page reads which page is asked for.
func (s *server) page(ctx context.Context, in *listRowsInput) (chat.Page, error) {
	page := chat.Page{Before: in.Before, After: in.After, Around: in.Around, Since: in.Since, Limit: in.Limit}
	anchor, named := "", 0
	if !in.Since.IsZero() {
		named = 1
	}
	for _, id := range []string{in.Before, in.After, in.Around} {
		if id != "" {
			anchor, named = id, named+1
		}
	}
	switch {
	case named > 1:
		return page, newProblem(http.StatusBadRequest, "Only one of before, after, around and since can be given. Choose one.")
	case anchor == "":
		return page, nil
	}
	row, err := s.Store.Row(ctx, anchor)
	if chat.CodeOf(err) == chat.CodeNotFound || err == nil && row.ChannelID != in.ID {
		return page, chat.Errorf(chat.CodeInvalid, "There is no row %q in this channel to page from. Give the id of a row you have.", bounded(anchor))
	}
	return page, err
}

// threadRoot finds the row a thread answers.
func (s *server) threadRoot(ctx context.Context, channelID, rootID string) (chat.Row, error) {
	root, err := s.Store.Row(ctx, rootID)
	switch {
	case chat.CodeOf(err) == chat.CodeNotFound, err == nil && root.ChannelID != channelID:
		return chat.Row{}, chat.Errorf(chat.CodeNotFound, "There is no row %q in this channel. Look at its messages for the ids there are.", bounded(rootID))
	case err != nil:
		return chat.Row{}, err
	case root.ThreadRootID != "":
		return chat.Row{}, chat.Errorf(chat.CodeInvalid, "The row stands in a thread itself; threads have no threads. Use its root, %s.", root.ThreadRootID)
	}
	return root, nil
}

func (s *server) postRow(ctx context.Context, in *postRowInput) (*postRowOutput, error) {
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if c.Archived() {
		return nil, chat.Errorf(chat.CodeConflict, "#%s is archived. Bring it back first to write in it.", c.Name)
	}
	if in.Body.ThreadRootID != "" {
		if _, err := s.threadRoot(ctx, in.ID, in.Body.ThreadRootID); err != nil {
			return nil, err
		}
	}
	row, runs, err := s.Runs.Post(ctx, run.Posting{
		ChannelID: in.ID, ThreadRootID: in.Body.ThreadRootID, Author: in.Body.Author, Body: in.Body.Body,
	})
	if err != nil {
		return nil, err
	}
	out := &postRowOutput{}
	out.Body.Row, out.Body.Runs = toRow(row), each(runs, toRun)
	return out, nil
}
