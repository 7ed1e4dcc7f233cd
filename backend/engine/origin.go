package engine

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/guard"
	"hearth/backend/run"
)

const (
	// apart is how far a file's time and that of the step that wrote it may lie from each
	// other: they are taken at different moments, and a command writes as long as it runs.
	apart = 2 * time.Second
	// mostNamed is how long a name may be to be looked for in the input of steps, where it
	// may be written in other ways when it is not plain.
	mostNamed = 100
)

// Origin is api.Workbenches. Of the runs that were going when the file was last written
// it is the one that says so: by what it spilled there, by a call that wrote the file, or
// by a command whose output went there. Nothing is guessed.
func (v benchViews) Origin(ctx context.Context, c chat.Channel, bench, name string, modified time.Time) (api.Origin, bool, error) {
	views, err := v.of(ctx, c)
	if err != nil {
		return api.Origin{}, false, err
	}
	at := slices.IndexFunc(views, func(view benchView) bool { return view.Path() == bench })
	if at < 0 {
		return api.Origin{}, false, nil
	}
	s := search{views: v, modified: modified, name: name, paths: []string{filepath.Join(bench, filepath.FromSlash(name))}}
	if own, err := filepath.EvalSymlinks(bench); err == nil && own != bench { // where the workspace is a link
		s.paths = append(s.paths, filepath.Join(own, filepath.FromSlash(name)))
	}
	channels := []chat.Channel{c}
	if !views[at].outside { // a workspace may be that of other channels, too
		all, err := v.store.Channels(ctx, true)
		if err != nil {
			return api.Origin{}, false, err
		}
		for _, other := range all {
			if other.ID != c.ID && other.Workspace == c.Workspace {
				channels = append(channels, other)
			}
		}
	}
	for _, channel := range channels {
		if err := s.in(ctx, channel); err != nil {
			return api.Origin{}, false, err
		}
	}
	if !s.found {
		return api.Origin{}, false, nil
	}
	b, err := v.store.Binding(ctx, s.best.BindingID)
	if err != nil {
		return api.Origin{}, false, err
	}
	s.best.Handle = b.Handle
	return s.best, true, nil
}

// search looks for what wrote a file.
type search struct {
	views    benchViews
	modified time.Time
	name     string   // in the workbench, with slashes
	paths    []string // absolute; one file

	best  api.Origin
	found bool
	away  time.Duration // of the best from when the file was written
}

// in looks at the runs of a channel.
func (s *search) in(ctx context.Context, c chat.Channel) error {
	runs, err := s.views.store.RunsGoing(ctx, c.ID, s.modified.Add(-apart), s.modified.Add(apart))
	if err != nil {
		return err
	}
	for _, r := range runs {
		savings, steps, err := s.did(ctx, r)
		if err != nil {
			return err
		}
		for _, saving := range savings {
			if saving.Kind == run.SavingSpill && slices.Contains(s.paths, saving.Path) {
				s.offer(saving.At, saving.At, api.Origin{AgentID: saving.AgentID, StepID: saving.StepID, Tool: saving.Tool, Command: saving.Detail}, r)
			}
		}
		for _, step := range steps {
			switch {
			case step.Name == "Bash":
				command := fieldOf(step.Input, "command")
				written := guard.Written(command, c.Workspace, filepath.Dir(s.paths[0]))
				ended := step.At.Add(step.Took)
				if slices.ContainsFunc(s.paths, func(p string) bool { return slices.Contains(written, p) }) && !s.modified.Before(step.At.Add(-apart)) && (step.Took == 0 || !s.modified.After(ended.Add(apart))) {
					s.offer(step.At, ended, api.Origin{StepID: step.ID, AgentID: step.Parent, Tool: step.Name, Command: detail(command)}, r)
				}
			case slices.Contains(s.paths, fieldOf(step.Input, "file_path", "notebook_path")):
				s.offer(step.At, step.At.Add(step.Took), api.Origin{StepID: step.ID, AgentID: step.Parent, Tool: step.Name}, r)
			}
		}
	}
	return nil
}

// did is what a run spilled, and the steps in which it may have written the file.
func (s *search) did(ctx context.Context, r run.Run) (savings []run.Saving, steps []run.Step, err error) {
	if going, ok := s.views.live(r.ID); ok {
		for _, step := range going.Steps {
			if step.Kind == "tool" && (step.Name == "Bash" || slices.Contains(guard.Writers, step.Name) && !step.Error) {
				steps = append(steps, step)
			}
		}
		return going.Savings, steps, nil
	}
	if savings, err = s.views.store.RunSavings(ctx, r.ID); err != nil {
		return nil, nil, err
	}
	steps, err = s.views.store.WritingSteps(ctx, r.ID, named(s.name))
	return savings, steps, err
}

// offer takes what may have written the file between two moments, if nothing nearer to
// its time is known.
func (s *search) offer(from, to time.Time, o api.Origin, r run.Run) {
	away := time.Duration(0)
	switch {
	case s.modified.Before(from):
		away = from.Sub(s.modified)
	case s.modified.After(to):
		away = s.modified.Sub(to)
	}
	if s.found && away >= s.away {
		return
	}
	o.RunID, o.ChannelID, o.BindingID, o.At = r.ID, r.ChannelID, r.BindingID, from
	s.best, s.found, s.away = o, true, away
}

// named is a file's name as it stands in the input of a step, "" when that may have
// several forms.
func named(name string) string {
	name = path.Base(name)
	plain := func(r rune) bool { return r > ' ' && r < 0x7f && !strings.ContainsRune(`"\<>&'`, r) }
	if len(name) > mostNamed || strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return ""
	}
	return name
}

// fieldOf is the text of the first of some fields of a JSON object, which may be cut
// somewhere behind it; "" is none.
func fieldOf(input string, names ...string) string {
	d := json.NewDecoder(strings.NewReader(input))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return ""
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
		var text string
		if name, ok := key.(string); ok && slices.Contains(names, name) && json.Unmarshal(value, &text) == nil {
			return text
		}
	}
	return ""
}
