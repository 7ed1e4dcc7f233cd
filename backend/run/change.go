package run

import (
	"context"

	"hearth/backend/changes"
	"hearth/backend/chat"
)

// Changed sums up what a run made of files.
type Changed struct {
	Files   int // that it changed
	Added   int // lines
	Removed int // lines
	Undone  int // files of them that are taken back
}

// Standing says how a file that a run changed stands now.
type Standing string

// The standings.
const (
	StandsLeft    Standing = "left"    // as the run left it
	StandsBefore  Standing = "before"  // as it was before the run
	StandsChanged Standing = "changed" // others have changed it since
	StandsGone    Standing = "gone"    // it is not there any more
	StandsFault   Standing = "fault"   // it can't be looked at
)

// LaterChange is a run that changed a file afterwards.
type LaterChange struct{ RunID, BindingID string }

// ChangeView is what a run made of a file, and how the file stands.
type ChangeView struct {
	changes.Change
	Standing Standing
	Fault    string          // of StandsFault: why, in words that go on after "it"
	Now      changes.Version // what it is now; the zero Version also when it can't be looked at
	Later    []LaterChange   // oldest first
}

// maxObserved is how many changes are remembered of turns that nobody asked for,
// until they are stored.
const maxObserved = 100

// Changed takes in what the agent that works in a queue made of a file. It is stored
// at once, without waiting for the disk, so that it is known when Hearth dies in the
// middle of the turn. Of a turn that nobody asked for it is kept until that turn is
// stored.
func (s *Service) Changed(ctx context.Context, key Key, o changes.Observed) {
	if l := s.liveOf(key); l != nil {
		s.record(ctx, l.run.ID, o)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.observed[key]) < maxObserved {
		s.observed[key] = append(s.observed[key], o)
	}
}

// record stores what a call made of a file, joined with what its run had made of it
// before. A change that can't be stored keeps nobody from working.
func (s *Service) record(ctx context.Context, runID string, o changes.Observed) {
	s.recording.Lock()
	defer s.recording.Unlock()
	before, known, err := s.store.Change(ctx, runID, o.Path)
	if err == nil {
		joined, ok := changes.Join(before, known, o)
		err = s.store.PutChange(ctx, runID, joined, ok)
	}
	if err != nil && chat.CodeOf(err) != chat.CodeNotFound { // deleted with its channel
		s.log.Warn("store what a run changed", "run", runID, "path", o.Path, "error", err)
	}
}

// recordUnasked stores what was changed in a turn that nobody asked for, and sums it up.
func (s *Service) recordUnasked(ctx context.Context, key Key, r Run) Changed {
	s.mutex.Lock()
	observed := s.observed[key]
	delete(s.observed, key)
	s.mutex.Unlock()
	for _, o := range observed {
		s.record(ctx, r.ID, o)
	}
	if len(observed) == 0 {
		return r.Changed
	}
	stored, err := s.store.Run(ctx, r.ID)
	if err != nil {
		s.log.Warn("read a run", "run", r.ID, "error", err)
		return r.Changed
	}
	return stored.Changed
}

// Changes returns what a run made of files and how they stand now.
func (s *Service) Changes(ctx context.Context, runID string) (Run, []ChangeView, error) {
	r, err := s.store.Run(ctx, runID)
	if err != nil {
		return Run{}, nil, err
	}
	all, err := s.store.Changes(ctx, runID)
	if err != nil {
		return Run{}, nil, err
	}
	paths := make([]string, len(all))
	for i, c := range all {
		paths[i] = c.Path
	}
	later, err := s.store.LaterChanges(ctx, r, paths)
	if err != nil {
		return Run{}, nil, err
	}
	views := make([]ChangeView, len(all))
	for i, c := range all {
		views[i] = s.standing(c)
		views[i].Later = later[c.Path]
	}
	return r, views, nil
}

// standing looks at the file of a change.
func (s *Service) standing(c changes.Change) ChangeView {
	v := ChangeView{Change: c}
	now, err := s.files.Look(c.Path)
	switch v.Now = now; {
	case err != nil:
		v.Standing, v.Fault = StandsFault, changes.Why(err)
	case changes.Same(now.Hash, c.After.Hash):
		v.Standing = StandsLeft
	case changes.Same(now.Hash, c.Before.Hash):
		v.Standing = StandsBefore
	case !now.Exists():
		v.Standing = StandsGone
	default:
		v.Standing = StandsChanged
	}
	return v
}
