package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/desktop"
	"hearth/backend/plain"
	"hearth/backend/workbench"
)

type workbenchOriginInput struct {
	ID        string `path:"id" doc:"The channel's id."`
	Bench     string `query:"bench" doc:"The workbench's path; left out: the first that has such a file."`
	Path      string `query:"path" doc:"Relative to the workbench, or absolute in it."`
	PathBytes string `query:"path_bytes" doc:"In place of path, for one whose bytes are no UTF-8: in base64url."`
}

type workbenchOriginOutput struct {
	Body struct {
		Origin *WorkbenchOrigin `json:"origin,omitempty" doc:"Left out: no run says that it wrote the file."`
	}
}

type openWorkbenchInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		WorkbenchName
		Bench string `json:"bench,omitempty" doc:"The workbench's path; left out: the first that has such a file."`
		In    string `json:"in" enum:"editor,folder" doc:"editor: the person's editor, or what the desktop opens such a file with. folder: the file manager."`
	}
}

// WorkbenchSettings are what a person chooses for the workbenches of all channels.
type WorkbenchSettings struct {
	Editor    string `json:"editor" doc:"The command that files are opened with, a program and its first arguments; empty: the graphical $VISUAL or $EDITOR, or the desktop's own."`
	TrashDays int    `json:"trash_days" doc:"For how many days what was deleted can be restored."`
}

type workbenchSettingsOutput struct{ Body WorkbenchSettings }

type changeWorkbenchSettingsInput struct {
	Body struct {
		Editor    *string `json:"editor,omitempty" doc:"A program with a window of its own, and its first arguments; empty: the usual."`
		TrashDays *int    `json:"trash_days,omitempty" minimum:"1" maximum:"365"`
	}
}

func (s *server) registerWorkbenchDesk(operations huma.API) {
	tags := []string{"workbench"}
	register(s, operations, huma.Operation{
		OperationID: "get-workbench-origin", Method: http.MethodGet, Path: "/api/channels/{id}/workbench/origin", Summary: "See which run wrote a file of a workbench last", Tags: tags,
		Description: "Of the runs that were going when the file was written, the one that says so: by what was spilled there, by a call that wrote it, or by a command whose output went there. Nothing is guessed.",
	}, s.getWorkbenchOrigin)
	register(s, operations, huma.Operation{
		OperationID: "open-workbench-file", Method: http.MethodPost, Path: "/api/channels/{id}/workbench/open", Summary: "Open a file of a workbench on the person's desktop", Tags: tags,
		Description: "On the machine that Hearth runs on. No file is ever run: what the desktop might run instead of showing it is refused.", DefaultStatus: http.StatusNoContent,
	}, s.openWorkbenchFile)
	register(s, operations, huma.Operation{
		OperationID: "get-workbench-settings", Method: http.MethodGet, Path: "/api/workbench/settings", Summary: "See what is chosen for all workbenches", Tags: tags,
	}, func(ctx context.Context, _ *struct{}) (*workbenchSettingsOutput, error) {
		chosen, err := s.Store.WorkbenchSettings(ctx)
		return &workbenchSettingsOutput{toWorkbenchSettings(chosen)}, err
	})
	register(s, operations, huma.Operation{
		OperationID: "change-workbench-settings", Method: http.MethodPatch, Path: "/api/workbench/settings", Summary: "Choose for all workbenches", Tags: tags,
	}, s.changeWorkbenchSettings)
}

func (s *server) getWorkbenchOrigin(ctx context.Context, in *workbenchOriginInput) (*workbenchOriginOutput, error) {
	f, err := s.openEntry(ctx, in.ID, in.Bench, in.Path, in.PathBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only looked at
	out := &workbenchOriginOutput{}
	if f.Kind == "" {
		return out, nil // the index: Hearth writes it
	}
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	o, ok, err := s.Workbenches.Origin(ctx, c, f.Bench, f.Path, f.Modified)
	if err != nil || !ok {
		return out, err
	}
	out.Body.Origin = &WorkbenchOrigin{
		RunID: o.RunID, ChannelID: o.ChannelID, BindingID: o.BindingID, Handle: o.Handle, StepID: o.StepID, AgentID: o.AgentID, Tool: o.Tool, Command: o.Command, At: utc(o.At),
	}
	return out, nil
}

func (s *server) openWorkbenchFile(ctx context.Context, in *openWorkbenchInput) (*struct{}, error) {
	f, err := s.openEntry(ctx, in.ID, in.Body.Bench, in.Body.Path, in.Body.PathBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only looked at
	return nil, s.Workbenches.ShowEntry(ctx, f, in.Body.In == "folder")
}

func toWorkbenchSettings(chosen workbench.Settings) WorkbenchSettings {
	return WorkbenchSettings{Editor: plain.Repair(chosen.Editor), TrashDays: chosen.TrashDays}
}

func (s *server) changeWorkbenchSettings(ctx context.Context, in *changeWorkbenchSettingsInput) (*workbenchSettingsOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	chosen, err := s.Store.WorkbenchSettings(ctx)
	if err != nil {
		return nil, err
	}
	if in.Body.Editor != nil {
		chosen.Editor = strings.TrimSpace(*in.Body.Editor)
		if err := desktop.CheckEditor(chosen.Editor); err != nil {
			return nil, err
		}
	}
	if in.Body.TrashDays != nil {
		chosen.TrashDays = *in.Body.TrashDays
	}
	if chosen.TrashDays < 1 || chosen.TrashDays > workbench.MaxTrashDays {
		return nil, chat.Errorf(chat.CodeInvalid, "What is deleted is kept for 1 to %d days.", workbench.MaxTrashDays)
	}
	return &workbenchSettingsOutput{toWorkbenchSettings(chosen)}, s.Store.SetWorkbenchSettings(ctx, chosen)
}
