package run

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/plain"
)

// Taking is what a person wants to be done about what a run changed.
type Taking struct {
	Files []int // the changes meant, by N; empty: all
	// Overwrite names files that others have changed since and that are taken back all
	// the same, with the hash of what stands there: of what the person has seen. Any
	// other content is left alone.
	Overwrite map[int]string
	Back      bool // put back what was taken back
	DryRun    bool // only say what would be done
}

// Deed is what is done to a file.
type Deed string

// The deeds.
const (
	DeedRestore Deed = "restore" // it gets other content
	DeedRemove  Deed = "remove"  // the run made it, or it was not there: it goes
	DeedCreate  Deed = "create"  // it is made again
	DeedLeave   Deed = "leave"   // it stays as it is; Reason says why
)

// Reason is why a file is left alone.
type Reason string

// The reasons.
const (
	ReasonDone    Reason = "done"     // it is already what it would become
	ReasonChanged Reason = "changed"  // others have changed it since
	ReasonGone    Reason = "gone"     // it is not there any more
	ReasonMixed   Reason = "mixed"    // something else changed it too, while the run went on
	ReasonNotKept Reason = "not_kept" // one of the contents is too large, or was kept too long ago
	ReasonFault   Reason = "fault"    // it can't be looked at or written
)

// ChangeMove is what is done, or would be, about one file.
type ChangeMove struct {
	ChangeView
	Deed   Deed
	Reason Reason // of DeedLeave
	// Lost is what others have made of the file since, of ReasonChanged: from what the
	// run left to what it is now.
	Lost changes.Diff
	// Back says that a change is put back, and not taken back.
	Back bool
	// Done says that the file is what it was to become; the store notes it.
	Done bool
}

// CanOverwrite says whether the person may have the file overwritten all the same.
func (m ChangeMove) CanOverwrite() bool {
	return m.Deed == DeedLeave && !m.Back && (m.Reason == ReasonChanged || m.Reason == ReasonGone || m.Reason == ReasonMixed)
}

// target is what the file is to become.
func (m ChangeMove) target() changes.Version {
	if m.Back {
		return m.Over
	}
	return m.Before
}

// Taken is what came of it.
type Taken struct {
	Moves []ChangeMove
	Row   *chat.Row // that tells the agents; nil: nothing was done
	Run   Run
}

// maxLost is how many lines are shown of what would be lost, a file.
const maxLost = 200

// TakeBack gives files the content that they had before a run, or takes that back.
// A file that is not as the run left it is left alone, unless the person says of the
// very content it has that it is to be overwritten; that content is kept, and put back
// with Taking.Back. The agents of the place are told in a row of the owner's. Errors:
// CodeConflict while the run is going or its channel is archived, CodeInvalid for a
// change that is none of the run's.
func (s *Service) TakeBack(ctx context.Context, runID string, t Taking) (Taken, error) {
	s.taking.Lock()
	defer s.taking.Unlock()
	r, views, err := s.Changes(ctx, runID)
	if err != nil {
		return Taken{}, err
	}
	if !r.State.Ended() {
		return Taken{}, chat.Errorf(chat.CodeConflict, "The agent is still working on this. Wait for its answer, or stop it first.")
	}
	channel, err := s.store.Channel(ctx, r.ChannelID)
	if err != nil {
		return Taken{}, err
	}
	if !channel.ArchivedAt.IsZero() {
		return Taken{}, chat.Errorf(chat.CodeConflict, "#%s is archived. Bring it back first.", channel.Name)
	}
	for _, n := range t.Files {
		if !slices.ContainsFunc(views, func(v ChangeView) bool { return v.N == n }) {
			return Taken{}, chat.Errorf(chat.CodeInvalid, "The run has no change %d. Look at what it changed.", n)
		}
	}
	taken := Taken{Run: r}
	for _, v := range views {
		if len(t.Files) == 0 || slices.Contains(t.Files, v.N) {
			taken.Moves = append(taken.Moves, plan(v, t))
		}
	}
	if t.DryRun || !slices.ContainsFunc(taken.Moves, func(m ChangeMove) bool { return m.Deed != DeedLeave }) {
		return taken, nil
	}
	// From here on it is done to its end, whoever asked.
	return s.move(context.WithoutCancel(ctx), channel, taken)
}

// plan says what is to be done about one file.
func plan(v ChangeView, t Taking) ChangeMove {
	m := ChangeMove{ChangeView: v, Back: t.Back, Deed: DeedLeave}
	expected, seen := v.After, StandsLeft
	if t.Back {
		expected, seen = v.Before, StandsBefore
	}
	switch {
	case t.Back && v.UndoneAt.IsZero():
		m.Reason = ReasonDone
	case v.Standing == StandsFault:
		m.Reason = ReasonFault
	case changes.Same(v.Now.Hash, m.target().Hash):
		m.Reason = ReasonDone
	case !m.target().Restorable(), !v.Now.Restorable():
		m.Reason = ReasonNotKept
	case v.Standing == StandsGone:
		m.Reason = ReasonGone
	case v.Standing != seen:
		m.Reason = ReasonChanged
	case v.Mixed && !t.Back:
		m.Reason = ReasonMixed
	}
	if m.Reason == ReasonChanged && expected.Restorable() {
		m.Lost = changes.Between(expected, v.Now, maxLost)
	}
	if hash, ok := t.Overwrite[v.N]; ok && m.CanOverwrite() && hash == v.Now.Hash {
		m.Reason = ""
	}
	if m.Reason != "" {
		return m
	}
	switch {
	case !m.target().Exists():
		m.Deed = DeedRemove
	case !v.Now.Exists():
		m.Deed = DeedCreate
	default:
		m.Deed = DeedRestore
	}
	return m
}

// move does what was planned, file by file, between two notes in the store: who finds
// only the first one at a start knows what to look at.
func (s *Service) move(ctx context.Context, c chat.Channel, t Taken) (Taken, error) {
	var moves []ChangeMove
	for i, m := range t.Moves {
		if m.Deed == DeedLeave {
			continue
		}
		if !m.Back {
			t.Moves[i].Over = m.Now
		}
		moves = append(moves, t.Moves[i])
	}
	if err := s.store.MoveChanges(ctx, t.Run.ID, moves); err != nil {
		return t, err
	}
	moves = moves[:0]
	for i := range t.Moves {
		m := &t.Moves[i]
		if m.Deed == DeedLeave {
			continue
		}
		_, err := s.files.Replace(m.Path, m.Now.Hash, m.target())
		switch {
		case err == nil:
			m.Done = true
		case errors.Is(err, changes.ErrChanged):
			m.Deed, m.Reason, m.Fault = DeedLeave, ReasonChanged, changes.Beside(err)
		default:
			m.Deed, m.Reason, m.Fault = DeedLeave, ReasonFault, changes.Why(err)
		}
		moves = append(moves, *m)
	}
	settled, row, err := s.settleMoves(ctx, c, t.Run, moves)
	if err != nil {
		return t, err
	}
	t.Run, t.Row = settled, row
	return t, nil
}

// settleMoves notes what came of moves and tells everyone.
func (s *Service) settleMoves(ctx context.Context, c chat.Channel, r Run, moves []ChangeMove) (Run, *chat.Row, error) {
	row, err := s.tellingRow(ctx, c, r, moves)
	if err != nil {
		return r, nil, err
	}
	at := s.clock()
	for i := range moves {
		m := &moves[i]
		switch {
		case m.Done && !m.Back:
			m.UndoneAt = at
		case m.Done:
			m.UndoneAt, m.Over = time.Time{}, changes.Version{}
		case !m.Back && m.UndoneAt.IsZero():
			m.Over = changes.Version{}
		}
	}
	settled, row, err := s.store.SettleChanges(ctx, r.ID, moves, row)
	if err != nil {
		return r, nil, err
	}
	if row != nil {
		s.publishRow(EventRowCreated, *row)
	}
	s.publishRun(settled)
	return settled, row, nil
}

// maxNamed is how many files a row names; the rest is counted.
const maxNamed = 20

// tellingRow is what the agents are told; nil: nothing was done.
func (s *Service) tellingRow(ctx context.Context, c chat.Channel, r Run, moves []ChangeMove) (*chat.Row, error) {
	var names []string
	back := false
	for _, m := range moves {
		if m.Done {
			names, back = append(names, quoted(c.Workspace, m.Path)), m.Back
		}
	}
	if len(names) == 0 || !c.ArchivedAt.IsZero() {
		return nil, nil
	}
	b, err := s.store.Binding(ctx, r.BindingID)
	if err != nil {
		return nil, err
	}
	when := "in a turn that nobody asked for"
	if r.RowID != "" {
		when = "when it answered message " + r.RowID
	}
	files := list(names)
	body := "I took back what @" + b.Handle + " changed " + when + " in " + files + ". They are as they were before that turn."
	if back {
		body = "I put back what @" + b.Handle + " changed " + when + " in " + files + ", which I had taken back."
	} else if len(names) == 1 {
		body = strings.Replace(body, "They are as they were", "It is as it was", 1)
	}
	return &chat.Row{ChannelID: c.ID, ThreadRootID: r.ThreadRootID, Kind: chat.KindUser, Note: chat.NoteUndone, Body: body}, nil
}

// quoted is a file's name as a row says it: from the workspace where it is in it.
func quoted(workspace, path string) string {
	name := Shown(workspace, path)
	if strings.ContainsFunc(name, func(r rune) bool { return r == '`' || r < ' ' }) {
		return strconv.Quote(name)
	}
	return "`" + plain.Short(plain.Inline(name), 200) + "`"
}

// Shown is a file's path from the workspace, with slashes, where it is in it; outside
// of it, it is absolute.
func Shown(workspace, path string) string {
	if name, err := filepath.Rel(changes.Resolve(workspace), path); err == nil && filepath.IsLocal(name) {
		return filepath.ToSlash(name)
	}
	return path
}

func list(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		names = append(slices.Clip(names[:maxNamed]), plain.Count(more, "more file", "more files"))
	}
	return plain.And(names)
}

// settleChanges ends what Hearth died with while it took changes back or put them
// back: the files say how far it came.
func (s *Service) settleChanges(ctx context.Context) error {
	moving, err := s.store.MovingChanges(ctx)
	if err != nil {
		return err
	}
	for runID, moves := range moving {
		r, err := s.store.Run(ctx, runID)
		if err != nil {
			return err
		}
		c, err := s.store.Channel(ctx, r.ChannelID)
		if err != nil {
			return err
		}
		for i := range moves {
			now, err := s.files.Look(moves[i].Path)
			moves[i].Done = err == nil && changes.Same(now.Hash, moves[i].target().Hash)
		}
		if _, _, err := s.settleMoves(ctx, c, r, moves); err != nil {
			return err
		}
	}
	return nil
}
