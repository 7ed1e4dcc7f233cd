package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/run"
)

// maxDiffLines is how many lines of a run's differences are sent at most, of all its
// files together.
const maxDiffLines = 20_000

type changesInput struct {
	ID    string `path:"id" doc:"The run's id."`
	Lines int    `query:"lines" default:"2000" minimum:"0" maximum:"20000" doc:"How many lines of each file's difference, at most; 0: none."`
}

type changesOutput struct {
	Body struct {
		Changes []Change `json:"changes" doc:"One a file, in the order in which they were first changed."`
	}
}

type undoInput struct {
	ID   string `path:"id" doc:"The run's id."`
	Body struct {
		Files     []int           `json:"files,omitempty" maxItems:"1000" doc:"The changes meant, by n; left out or empty: all."`
		Overwrite []OverwriteFile `json:"overwrite,omitempty" maxItems:"1000" doc:"Files that others have changed since, to be taken back all the same. What stands in them is kept, and comes back with back."`
		Back      bool            `json:"back,omitempty" doc:"Put back what was taken back."`
		DryRun    bool            `json:"dry_run,omitempty" doc:"Only say what would be done."`
	}
}

// OverwriteFile names a file that is to be overwritten, and what a person has seen in it.
type OverwriteFile struct {
	N    int    `json:"n"`
	Hash string `json:"hash" doc:"As a dry run gave it. A file that holds anything else by then is left alone."`
}

type undoOutput struct {
	Body struct {
		Files []ChangeMove `json:"files"`
		RowID string       `json:"row_id" doc:"The message that tells the agents; empty: nothing was done."`
		Run   Run          `json:"run"`
	}
}

type openChangeInput struct {
	ID string `path:"id" doc:"The run's id."`
	N  int    `path:"n" doc:"The change's n."`
}

func (s *server) registerChanges(operations huma.API) {
	tags := []string{"runs"}
	register(s, operations, huma.Operation{
		OperationID: "list-run-changes", Method: http.MethodGet, Path: "/api/runs/{id}/changes", Summary: "See which files a run changed, line by line, and how they stand now", Tags: tags,
		Description: "What the client's own tools changed (Write, Edit, MultiEdit, NotebookEdit). What a command did to files is not known.",
	}, s.listChanges)
	register(s, operations, huma.Operation{
		OperationID: "undo-run-changes", Method: http.MethodPost, Path: "/api/runs/{id}/changes/undo", Summary: "Take back what a run changed in files, or put it back", Tags: tags,
		Description: "A file that is not as the run left it is left alone, unless overwrite names it. The agents of the place are told in a message.",
	}, s.undoChanges)
	register(s, operations, huma.Operation{
		OperationID: "open-run-change", Method: http.MethodPost, Path: "/api/runs/{id}/changes/{n}/open", Summary: "Open a file that a run changed in the person's editor", Tags: tags,
		Description: "On the machine that Hearth runs on. No file is ever run.", DefaultStatus: http.StatusNoContent,
	}, s.openChange)
}

func (s *server) listChanges(ctx context.Context, in *changesInput) (*changesOutput, error) {
	r, views, err := s.Runs.Changes(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	c, err := s.Store.Channel(ctx, r.ChannelID)
	if err != nil {
		return nil, err
	}
	handles, err := s.laterHandles(ctx, views)
	if err != nil {
		return nil, err
	}
	out := &changesOutput{}
	out.Body.Changes = make([]Change, len(views))
	left := maxDiffLines
	for i, v := range views {
		lines := min(in.Lines, left)
		var d changes.Diff
		if v.Form == changes.FormText {
			d = changes.Between(v.Before, v.After, lines)
		}
		if in.Lines > 0 && lines == 0 { // Compare with 0 counts only
			d.Left = d.Added + d.Removed
		}
		for _, h := range d.Hunks {
			left -= len(h.Lines)
		}
		out.Body.Changes[i] = toChange(c.Workspace, v, d, handles)
	}
	return out, nil
}

// laterHandles are the handles of the agents that changed files later, by binding id.
// Agents of other channels may work in the same folder.
func (s *server) laterHandles(ctx context.Context, views []run.ChangeView) (map[string]string, error) {
	handles := map[string]string{}
	for _, v := range views {
		for _, l := range v.Later {
			if _, known := handles[l.BindingID]; known {
				continue
			}
			b, err := s.Store.Binding(ctx, l.BindingID)
			if err != nil && chat.CodeOf(err) != chat.CodeNotFound {
				return nil, err
			}
			handles[l.BindingID] = b.Handle
		}
	}
	return handles, nil
}

func (s *server) undoChanges(ctx context.Context, in *undoInput) (*undoOutput, error) {
	t := run.Taking{Files: in.Body.Files, Back: in.Body.Back, DryRun: in.Body.DryRun, Overwrite: map[int]string{}}
	for _, o := range in.Body.Overwrite {
		t.Overwrite[o.N] = o.Hash
	}
	taken, err := s.Runs.TakeBack(ctx, in.ID, t)
	if err != nil {
		return nil, err
	}
	c, err := s.Store.Channel(ctx, taken.Run.ChannelID)
	if err != nil {
		return nil, err
	}
	handles, err := s.laterHandles(ctx, viewsOf(taken.Moves))
	if err != nil {
		return nil, err
	}
	out := &undoOutput{}
	out.Body.Run = toWholeRun(taken.Run)
	out.Body.Files = make([]ChangeMove, len(taken.Moves))
	for i, m := range taken.Moves {
		out.Body.Files[i] = toChangeMove(c.Workspace, m, handles)
	}
	if taken.Row != nil {
		out.Body.RowID = taken.Row.ID
	}
	return out, nil
}

func viewsOf(moves []run.ChangeMove) []run.ChangeView {
	return each(moves, func(m run.ChangeMove) run.ChangeView { return m.ChangeView })
}

func (s *server) openChange(ctx context.Context, in *openChangeInput) (*struct{}, error) {
	_, views, err := s.Runs.Changes(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		switch {
		case v.N != in.N:
		case !v.Now.Exists() && v.Fault == "":
			return nil, chat.Errorf(chat.CodeNotFound, "There is no file %q any more.", v.Path)
		case v.Fault != "":
			return nil, chat.Errorf(chat.CodeForbidden, "%q %s. Open it yourself.", v.Path, v.Fault)
		default:
			return nil, s.Workbenches.ShowFile(ctx, v.Path, v.Now)
		}
	}
	return nil, chat.Errorf(chat.CodeNotFound, "The run has no change %d. Look at what it changed.", in.N)
}
