package api

import (
	"time"

	"hearth/backend/changes"
	"hearth/backend/plain"
	"hearth/backend/run"
)

// Changed sums up which files a run changed.
type Changed struct {
	Files   int `json:"files"`
	Added   int `json:"added" doc:"Lines."`
	Removed int `json:"removed" doc:"Lines."`
	Undone  int `json:"undone" doc:"How many of the files are taken back."`
}

// Change is what a run made of one file.
type Change struct {
	N        int           `json:"n" doc:"What it is called in requests."`
	Path     string        `json:"path" doc:"Absolute, with its links resolved."`
	Shown    string        `json:"shown" doc:"From the workspace, where it is in it."`
	Outside  bool          `json:"outside" doc:"It is not in the channel's workspace."`
	Made     bool          `json:"made" doc:"The run made the file."`
	Form     string        `json:"form" enum:"text,binary,large" doc:"text: it has hunks. binary: it is no text. large: its content is not kept, so it can't be shown or taken back."`
	Added    int           `json:"added" doc:"Lines."`
	Removed  int           `json:"removed" doc:"Lines."`
	Mixed    bool          `json:"mixed" doc:"Something else changed the file too, while the run went on: a command, a person, another agent. The difference holds that as well."`
	Standing string        `json:"standing" enum:"left,before,changed,gone,fault" doc:"How the file stands now. left: as the run left it. before: as it was before. changed: others have changed it since. gone: it is not there. fault: it can't be looked at."`
	Fault    string        `json:"fault" doc:"Why it can't be looked at, in words that go on after \"it\"."`
	Undone   bool          `json:"undone" doc:"It was taken back."`
	UndoneAt time.Time     `json:"undone_at,omitzero"`
	Later    []LaterChange `json:"later" doc:"Runs that changed the file afterwards and stand, oldest first."`
	Hunks    []DiffHunk    `json:"hunks"`
	Left     int           `json:"left" doc:"How many lines of hunks were left out."`
	Kept     bool          `json:"kept" doc:"Both contents are kept. Those of large files are not, and none for longer than 90 days."`
}

// LaterChange is a run that changed a file afterwards.
type LaterChange struct {
	RunID  string `json:"run_id"`
	Handle string `json:"handle" doc:"Of its agent; empty: it is not there any more."`
}

// DiffHunk is a stretch of a difference.
type DiffHunk struct {
	Old   int        `json:"old" doc:"The number of its first line in the old text, from 1."`
	New   int        `json:"new" doc:"And in the new one."`
	Lines []DiffLine `json:"lines"`
}

// DiffLine is a line of a difference.
type DiffLine struct {
	Kind    string `json:"kind" enum:"same,added,removed"`
	Text    string `json:"text" doc:"2,000 characters at most."`
	Cut     int    `json:"cut" doc:"How many more it has."`
	Unended bool   `json:"unended" doc:"The file ends with it, and no line feed stands behind it."`
}

// ChangeMove is what was done about a file, or would be.
type ChangeMove struct {
	N            int           `json:"n"`
	Shown        string        `json:"shown"`
	Deed         string        `json:"deed" enum:"restore,remove,create,leave" doc:"restore: it gets its other content. remove: it was not there, and goes. create: it is not there, and is made. leave: it stays as it is, for reason."`
	Reason       string        `json:"reason" enum:",done,changed,gone,mixed,not_kept,fault" doc:"done: there is nothing to do. changed: others have changed it since. gone: it is not there any more. mixed: something else changed it too, while the run went on. not_kept: one of its contents is too large, or too old, to be kept. fault: it can't be looked at or written."`
	Fault        string        `json:"fault" doc:"What is wrong with it, in words that go on after \"it\"; of changed: where what somebody wrote in the same moment is."`
	Hash         string        `json:"hash" doc:"What it holds now, for overwrite; empty: it is not there."`
	CanOverwrite bool          `json:"can_overwrite"`
	Later        []LaterChange `json:"later"`
	LostAdded    int           `json:"lost_added" doc:"Lines that others have added since, which would be lost."`
	LostRemoved  int           `json:"lost_removed"`
	Lost         []DiffHunk    `json:"lost" doc:"What others have made of it since."`
	LostLeft     int           `json:"lost_left" doc:"How many lines of that were left out."`
}

func toChanged(c run.Changed) *Changed {
	if c.Files == 0 {
		return nil
	}
	return &Changed{Files: c.Files, Added: c.Added, Removed: c.Removed, Undone: c.Undone}
}

func toChange(workspace string, v run.ChangeView, d changes.Diff, handles map[string]string) Change {
	shown := run.Shown(workspace, v.Path)
	return Change{
		N: v.N, Path: plain.Repair(v.Path), Shown: plain.Repair(shown), Outside: shown == v.Path, Made: !v.Before.Exists(), Form: string(v.Form),
		Added: v.Added, Removed: v.Removed, Mixed: v.Mixed, Standing: string(v.Standing), Fault: v.Fault,
		Undone: !v.UndoneAt.IsZero(), UndoneAt: utc(v.UndoneAt), Later: toLater(v.Later, handles),
		Hunks: each(d.Hunks, toHunk), Left: d.Left, Kept: v.Before.Restorable() && v.After.Restorable(),
	}
}

func toLater(later []run.LaterChange, handles map[string]string) []LaterChange {
	return each(later, func(l run.LaterChange) LaterChange { return LaterChange{RunID: l.RunID, Handle: handles[l.BindingID]} })
}

func toHunk(h changes.Hunk) DiffHunk {
	return DiffHunk{Old: h.Old, New: h.New, Lines: each(h.Lines, func(l changes.Line) DiffLine {
		return DiffLine{Kind: string(l.Kind), Text: l.Text, Cut: l.Cut, Unended: l.Unended}
	})}
}

func toChangeMove(workspace string, m run.ChangeMove, handles map[string]string) ChangeMove {
	return ChangeMove{
		N: m.N, Shown: plain.Repair(run.Shown(workspace, m.Path)), Deed: string(m.Deed), Reason: string(m.Reason), Fault: m.Fault,
		Hash: m.Now.Hash, CanOverwrite: m.CanOverwrite(), Later: toLater(m.Later, handles),
		LostAdded: m.Lost.Added, LostRemoved: m.Lost.Removed, Lost: each(m.Lost.Hunks, toHunk), LostLeft: m.Lost.Left,
	}
}
