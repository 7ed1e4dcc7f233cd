package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// WorkbenchName names a file of a workbench.
type WorkbenchName struct {
	Path      string `json:"path,omitempty" doc:"Relative to the workbench, or absolute in it."`
	PathBytes string `json:"path_bytes,omitempty" doc:"In place of path, for one whose bytes are no UTF-8: in base64url."`
}

type deleteWorkbenchInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		Bench string          `json:"bench,omitempty" doc:"The workbench's path; left out: for each file the first that has it."`
		Files []WorkbenchName `json:"files" minItems:"1" maxItems:"1000" doc:"Which files."`
	}
}

type deleteWorkbenchOutput struct {
	Body struct {
		Deleted []WorkbenchDeleted `json:"deleted"`
		Refused []WorkbenchRefused `json:"refused" doc:"What stays as it was, each with the reason."`
	}
}

type workbenchDeletedInput struct {
	ID string `path:"id" doc:"The channel's id."`
}

type workbenchDeletedOutput struct {
	Body struct {
		Deleted []WorkbenchDeleted `json:"deleted" doc:"Of each workbench the last deleted first."`
	}
}

type restoreWorkbenchInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		WorkbenchName
		Bench   string `json:"bench,omitempty" doc:"The workbench's path; left out: the first that has it."`
		Deleted string `json:"deleted" minLength:"1" doc:"The id of the deletion."`
		As      string `json:"as,omitempty" doc:"Where to, relative to the workbench; left out: where it was."`
	}
}

type restoreWorkbenchOutput struct {
	Body struct {
		Path      string `json:"path" doc:"Where it is now, as in entries."`
		PathBytes string `json:"path_bytes" doc:"As in entries."`
		Shown     string `json:"shown" doc:"As in entries."`
	}
}

func (s *server) registerWorkbenchTrash(operations huma.API) {
	tags := []string{"workbench"}
	register(s, operations, huma.Operation{
		OperationID: "delete-workbench-files", Method: http.MethodPost, Path: "/api/channels/{id}/workbench/delete", Summary: "Delete files of a channel's workbenches", Tags: tags,
		Description: "They can be restored for some days. Links are deleted themselves, never what they lead to. A file that can't be deleted keeps no other.",
	}, s.deleteWorkbenchFiles)
	register(s, operations, huma.Operation{
		OperationID: "list-deleted-workbench-files", Method: http.MethodGet, Path: "/api/channels/{id}/workbench/deleted", Summary: "List the deleted files that can be restored", Tags: tags,
	}, s.listDeletedWorkbenchFiles)
	register(s, operations, huma.Operation{
		OperationID: "restore-workbench-file", Method: http.MethodPost, Path: "/api/channels/{id}/workbench/restore", Summary: "Restore a deleted file", Tags: tags,
		Description: "Where it was, or under another name. Nothing that is there is replaced: a name that is taken is a conflict.",
	}, s.restoreWorkbenchFile)
}

func (s *server) deleteWorkbenchFiles(ctx context.Context, in *deleteWorkbenchInput) (*deleteWorkbenchOutput, error) {
	paths := make([]string, len(in.Body.Files))
	for i, file := range in.Body.Files {
		path, err := pathOf(file.Path, file.PathBytes)
		if err != nil {
			return nil, err
		}
		paths[i] = path
	}
	c, days, err := s.channelAndDays(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	deleted, refused, err := s.Workbenches.DeleteEntries(ctx, c, in.Body.Bench, paths)
	if err != nil {
		return nil, err
	}
	out := &deleteWorkbenchOutput{}
	out.Body.Deleted, out.Body.Refused = toDeleted(deleted, days), make([]WorkbenchRefused, len(refused))
	for i, one := range refused {
		if chat.CodeOf(one.Err) == chat.CodeInternal {
			return nil, one.Err
		}
		out.Body.Refused[i] = WorkbenchRefused{plain.Repair(one.Path), sentence(one.Err.Error())}
	}
	return out, nil
}

func (s *server) listDeletedWorkbenchFiles(ctx context.Context, in *workbenchDeletedInput) (*workbenchDeletedOutput, error) {
	c, days, err := s.channelAndDays(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, err := s.Workbenches.Deleted(ctx, c)
	out := &workbenchDeletedOutput{}
	out.Body.Deleted = toDeleted(all, days)
	return out, err
}

func (s *server) restoreWorkbenchFile(ctx context.Context, in *restoreWorkbenchInput) (*restoreWorkbenchOutput, error) {
	path, err := pathOf(in.Body.Path, in.Body.PathBytes)
	if err != nil {
		return nil, err
	}
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	now, err := s.Workbenches.RestoreEntry(ctx, c, in.Body.Bench, in.Body.Deleted, path, in.Body.As)
	out := &restoreWorkbenchOutput{}
	out.Body.Path, out.Body.PathBytes, out.Body.Shown = plain.Repair(now), pathBytes(now), plain.Name(now)
	return out, err
}

// channelAndDays is a channel, and for how many days what is deleted is kept.
func (s *server) channelAndDays(ctx context.Context, id string) (chat.Channel, int, error) {
	c, err := s.Store.Channel(ctx, id)
	if err != nil {
		return c, 0, err
	}
	chosen, err := s.Store.WorkbenchSettings(ctx)
	return c, chosen.TrashDays, err
}

func toDeleted(all []BenchDeleted, days int) []WorkbenchDeleted {
	return each(all, func(d BenchDeleted) WorkbenchDeleted { return toWorkbenchDeleted(d, days) })
}
