package engine

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"hearth/backend/changes"
	"hearth/backend/claude"
)

// watched looks at the files that the tools of one agent process change: right before
// a call, and right after it. The client says what was in a file, too, but not to the
// byte: line ends and whatever is no UTF-8 are lost in it.
type watched struct {
	changed func(context.Context, changes.Observed)
	log     *slog.Logger

	mutex sync.Mutex
	seen  map[string]changes.Observed // what files were, by the id of the call that is about to change them
	order []string                    // the keys of seen, oldest first
}

// mostSeen is how many calls are waited for. What was denied never comes; the oldest
// makes place.
const mostSeen = 50

// before is asked whether a tool may write a file, and has no opinion.
func (w *watched) before(_ context.Context, in claude.HookInput) (json.RawMessage, error) {
	path, ok := writtenBy(in)
	if !ok || in.ToolUseID == "" {
		return nil, nil
	}
	path = changes.Resolve(path)
	before, err := changes.Look(path)
	if err != nil {
		w.log.Info("look at a file that is about to be changed; the change is not recorded", "path", path, "error", err)
		return nil, nil
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.seen == nil {
		w.seen = map[string]changes.Observed{}
	}
	if len(w.order) == mostSeen {
		delete(w.seen, w.order[0])
		w.order = w.order[1:]
	}
	w.seen[in.ToolUseID] = changes.Observed{Path: path, Before: before}
	w.order = append(w.order, in.ToolUseID)
	return nil, nil
}

// began says whether a call found the file as it was seen before it, as far as the
// client tells. It tells what it found with line feeds at the ends of lines, and
// without a byte order mark.
func began(before changes.Version, response json.RawMessage) bool {
	var found struct {
		Text *string `json:"originalFile"`
		Type string  `json:"type"` // of Write: create or update
	}
	if json.Unmarshal(response, &found) != nil || before.Text == nil && before.Exists() || !utf8.Valid(before.Text) {
		return true
	}
	switch {
	case found.Text != nil:
		return plainLines(*found.Text) == plainLines(string(before.Text))
	case found.Type == "create":
		return !before.Exists()
	}
	return true
}

func plainLines(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
}

// after is told that a tool has written a file.
func (w *watched) after(ctx context.Context, in claude.HookInput) {
	w.mutex.Lock()
	o, ok := w.seen[in.ToolUseID]
	delete(w.seen, in.ToolUseID)
	w.order = slices.DeleteFunc(w.order, func(id string) bool { return id == in.ToolUseID })
	w.mutex.Unlock()
	if !ok {
		return
	}
	var err error
	if o.After, err = changes.Look(o.Path); err != nil {
		w.log.Info("look at a file that was changed; the change is not recorded", "path", o.Path, "error", err)
		return
	}
	o.At, o.Mixed = time.Now(), !began(o.Before, in.ToolResponse)
	w.changed(ctx, o)
}
