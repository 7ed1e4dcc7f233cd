package api

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hearth/backend/chat"
	"hearth/backend/plain"
	"hearth/backend/workbench"
)

// Workbench is one workbench of a channel, at one moment.
type Workbench struct {
	Path        string           `json:"path" doc:"Absolute. It names the workbench in other requests and in events."`
	Name        string           `json:"name" doc:"What agents are told that it is called."`
	Outside     bool             `json:"outside" doc:"It is not in the workspace: it is shared by agents whose workers have git worktrees of their own."`
	Exists      bool             `json:"exists" doc:"It is on the disk; it is made when an agent begins to work there."`
	GitIgnore   string           `json:"git_ignore" enum:"all,output,nothing" doc:"The channel's choice of what git is told to ignore of it when Hearth makes it. One that is there keeps its own .gitignore."`
	BindingIDs  []string         `json:"binding_ids" doc:"The agents that work with it."`
	Kinds       []WorkbenchKind  `json:"kinds" doc:"How much there is of each kind; always all four, in this order: scripts, notes, artifacts, spill."`
	Entries     []WorkbenchEntry `json:"entries" doc:"In the order of the kinds; of each kind the newest first, as many as were asked for."`
	Index       string           `json:"index" doc:"The index, as agents read it; empty when there is nothing to tell."`
	IndexTokens int              `json:"index_tokens" doc:"About how many tokens that is."`
	Cut         bool             `json:"cut" doc:"There are more than 200,000 files: the rest was not looked at, and the figures are of those that were."`
	Fault       string           `json:"fault" doc:"Why it can't be looked at, and what to do; empty: it was."`
}

// WorkbenchKind is how much there is of one kind of entries.
type WorkbenchKind struct {
	Kind    string `json:"kind" enum:"scripts,notes,artifacts,spill"`
	Entries int    `json:"entries" doc:"In all."`
	Bytes   int64  `json:"bytes" doc:"In all."`
	More    bool   `json:"more" doc:"There are others after those in entries: ask again with a larger offset."`
}

// WorkbenchEntry is one file of a workbench.
type WorkbenchEntry struct {
	Kind        string    `json:"kind" enum:"scripts,notes,artifacts,spill"`
	Path        string    `json:"path" doc:"Relative to the workbench, with slashes. It may hold anything."`
	PathBytes   string    `json:"path_bytes" doc:"Empty, unless the path's bytes are no UTF-8, so that path can only come near them: then they are here, in base64url. Ask for the file with it."`
	Shown       string    `json:"shown" doc:"The path on one line, with everything in it made visible."`
	What        string    `json:"what" enum:"file,link,hard_link,outside,dead,special,closed" doc:"file: a regular file. link: to a file or folder of the workbench. hard_link: it has a second name, which may be anywhere, and is not read. outside: a link out of the workbench, never followed. dead: a link that leads nowhere. special: a FIFO, a socket, a device. closed: a folder that could not be looked into; description says why."`
	Size        int64     `json:"size" doc:"Bytes; of a link, of what it leads to."`
	Modified    time.Time `json:"modified,omitzero"`
	Description string    `json:"description" doc:"What the file says of itself, on one line, made visible; at most 300 characters, and an … when it was longer."`
	Written     int       `json:"written" doc:"How often agents wrote the script; 0 for all else."`
	Run         int       `json:"run" doc:"How often agents ran the script."`
}

// WorkbenchPiece is a piece of a file, as text.
type WorkbenchPiece struct {
	Bench      string           `json:"bench" doc:"The path of the workbench it is in."`
	Kind       string           `json:"kind" enum:",scripts,notes,artifacts,spill" doc:"Empty: the index."`
	Path       string           `json:"path" doc:"As in entries."`
	PathBytes  string           `json:"path_bytes" doc:"As in entries."`
	Shown      string           `json:"shown" doc:"As in entries."`
	Size       int64            `json:"size" doc:"Bytes of the whole file."`
	Counted    bool             `json:"counted" doc:"The characters and lines of the whole file were counted: it has 4 MiB at most."`
	Characters int              `json:"characters" doc:"Of the whole file; 0 when they were not counted."`
	Lines      int              `json:"lines" doc:"Of the whole file; 0 when they were not counted."`
	Modified   time.Time        `json:"modified" doc:"When another piece has another one, the file was changed between the two."`
	Binary     bool             `json:"binary" doc:"It is no text: there is a zero byte near its beginning."`
	Image      string           `json:"image" doc:"The media type when it is an image that can be shown, with the operation for the bytes; empty: none."`
	Offset     int64            `json:"offset" doc:"Where the piece begins, in bytes: as asked for, or up to 3 bytes before, where that is inside a character."`
	Next       int64            `json:"next_offset" doc:"Where the next piece begins, always between two characters; the size at the end of the file."`
	Text       string           `json:"text" doc:"Each byte that is no UTF-8 is one U+FFFD. Nothing else is changed: make it visible before you show it."`
}

// WorkbenchOrigin is what wrote a file of a workbench last: of the runs that were going
// then the one that says so.
type WorkbenchOrigin struct {
	RunID     string    `json:"run_id"`
	ChannelID string    `json:"channel_id" doc:"The run's: another channel may have the same workspace."`
	BindingID string    `json:"binding_id" doc:"The agent's."`
	Handle    string    `json:"handle" doc:"The agent's."`
	StepID    string    `json:"step_id" doc:"The call that wrote it; empty: it is not known."`
	AgentID   string    `json:"agent_id" doc:"The subagent; empty: the agent itself."`
	Tool      string    `json:"tool" doc:"The tool that was called."`
	Command   string    `json:"command" doc:"The command that wrote it, or whose output it is, at most 1,000 characters; empty: it was none. It may hold anything."`
	At        time.Time `json:"at"`
}

// WorkbenchDeleted is a deleted file that can be restored.
type WorkbenchDeleted struct {
	ID        string    `json:"id" doc:"Of the deletion: several files may have gone with one. With bench and path it names the file."`
	Bench     string    `json:"bench" doc:"The path of the workbench."`
	Kind      string    `json:"kind" enum:"scripts,notes,artifacts,spill"`
	Path      string    `json:"path" doc:"As in entries; where it was."`
	PathBytes string    `json:"path_bytes" doc:"As in entries."`
	Shown     string    `json:"shown" doc:"As in entries."`
	What      string    `json:"what" enum:"file,link,special" doc:"As in entries, as far as is seen without looking into it."`
	Size      int64     `json:"size" doc:"Bytes."`
	DeletedAt time.Time `json:"deleted_at"`
	KeptUntil time.Time `json:"kept_until" doc:"When it may go for good; earlier when there is more than 1 GiB or 10,000 files, and never in the first hour."`
	Taken     bool      `json:"taken" doc:"There is a file of its name by now: restore it under another one."`
}

// WorkbenchRefused is a file that was not deleted.
type WorkbenchRefused struct {
	Path  string `json:"path" doc:"As it was asked for; bytes that are no UTF-8 are U+FFFD."`
	Fault string `json:"fault" doc:"Why, and what to do."`
}

func toWorkbenchDeleted(d BenchDeleted, days int) WorkbenchDeleted {
	return WorkbenchDeleted{
		ID: d.ID, Bench: d.Bench, Kind: string(d.Kind), Path: plain.Repair(d.Path), PathBytes: pathBytes(d.Path), Shown: plain.Name(d.Path), What: whats[d.What],
		Size: d.Size, DeletedAt: utc(d.At), KeptUntil: utc(d.At.AddDate(0, 0, days)), Taken: d.Taken,
	}
}

// WorkbenchMatch is a place where something was found.
type WorkbenchMatch struct {
	Bench     string `json:"bench" doc:"The path of the workbench."`
	Kind      string `json:"kind" enum:"scripts,notes,artifacts,spill"`
	Path      string `json:"path" doc:"As in entries."`
	PathBytes string `json:"path_bytes" doc:"As in entries."`
	Shown     string `json:"shown" doc:"As in entries."`
	Line      int    `json:"line" doc:"Counts from 1; 0 is the path itself."`
	Text      string `json:"text" doc:"The line, made visible and cut around what was found, with … where it was cut."`
}

// whats are what an entry can be, on the wire.
var whats = map[workbench.What]string{
	workbench.File: "file", workbench.Link: "link", workbench.Shared: "hard_link", workbench.Outside: "outside",
	workbench.Dead: "dead", workbench.Special: "special", workbench.Closed: "closed",
}

var workbenchKinds = []workbench.Kind{workbench.Script, workbench.Note, workbench.Artifact, workbench.Spill}

// maxDescription is how many characters of a description are told.
const maxDescription = 300

// pathBytes are the bytes of a path that JSON can't carry.
func pathBytes(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(path))
}

func toWorkbenchEntry(e workbench.Entry, use ScriptUse) WorkbenchEntry {
	description := plain.Short(strings.TrimSpace(plain.Name(e.Description)), maxDescription)
	return WorkbenchEntry{
		Kind: string(e.Kind), Path: plain.Repair(e.Path), PathBytes: pathBytes(e.Path), Shown: plain.Name(e.Path), What: whats[e.What],
		Size: e.Size, Modified: utc(e.Modified), Description: description, Written: use.Written, Run: use.Run,
	}
}

// asked is which entries of a workbench are wanted: of each kind, or of one, as
// many as limit after the first offset.
type asked struct {
	kind          workbench.Kind // "" is all
	offset, limit int
}

func toWorkbench(c chat.Channel, b BenchState, want asked) Workbench {
	out := Workbench{
		Path: b.Path, Name: b.Name, Outside: b.Outside, Exists: b.Exists, GitIgnore: toIgnore(c.Ignore), BindingIDs: listed(b.BindingIDs),
		Kinds: make([]WorkbenchKind, 0, len(workbenchKinds)), Entries: []WorkbenchEntry{},
		Index: b.Index, IndexTokens: b.Tokens, Cut: b.Inventory.Cut,
	}
	if b.Fault != nil {
		out.Fault = sentence(b.Fault.Error())
	}
	for _, kind := range workbenchKinds {
		of := WorkbenchKind{Kind: string(kind)}
		var entries []workbench.Entry
		for _, e := range b.Inventory.Entries {
			if e.Kind == kind {
				of.Entries++
				of.Bytes += e.Size
				entries = append(entries, e)
			}
		}
		if want.kind == "" || want.kind == kind {
			slices.SortStableFunc(entries, func(x, y workbench.Entry) int {
				return cmp.Or(y.Modified.Compare(x.Modified), cmp.Compare(x.Path, y.Path))
			})
			entries = entries[min(want.offset, len(entries)):]
			of.More = len(entries) > want.limit
			for _, e := range entries[:min(want.limit, len(entries))] {
				out.Entries = append(out.Entries, toWorkbenchEntry(e, b.Uses[e.Path]))
			}
		}
		out.Kinds = append(out.Kinds, of)
	}
	return out
}

func toWorkbenchMatch(m BenchMatch) WorkbenchMatch {
	return WorkbenchMatch{
		Bench: m.Bench, Kind: string(m.Kind), Path: plain.Repair(m.Path), PathBytes: pathBytes(m.Path), Shown: plain.Name(m.Path), Line: m.Line, Text: m.Text,
	}
}
