package run

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"hearth/backend/chat"
	"hearth/backend/prompt"
)

// finishWithin bounds what is written after a turn's own context has ended: the
// end of a run is stored even while Hearth shuts down.
const finishWithin = 10 * time.Second

// turn takes one run from the queue to its end. This is the way of a turn:
// afford, lease, read, compose, begin, send, finish. A person's Stop ends ctx, which ends
// with serving at the latest.
func (s *Service) turn(serving, ctx context.Context, r Run) {
	channel, binding, err := s.affordable(ctx, r)
	if err != nil {
		s.refuse(serving, ctx, r, err)
		return
	}
	lease, err := s.agents.Lease(ctx, channel, binding, func() { s.waits(ctx, r) })
	if err != nil {
		s.refuse(serving, ctx, r, err)
		return
	}
	defer lease.Release()

	r, composed, err := s.prepare(ctx, r, lease)
	if err != nil {
		s.refuse(serving, ctx, r, err)
		return
	}
	r.State, r.StartedAt = Running, s.clock()
	l := newLive(r)
	s.begin(l)
	defer s.end(r.ID)
	s.publishRun(r)
	if composed.saved != nil {
		s.Saved(r.Key(), *composed.saved)
	}

	outcome, err := s.send(ctx, r, binding, lease, composed, func(h Happening) {
		s.bus.Publish(l.happen(h, s.clock()))
	})
	if composed.command != nil && err == nil && !outcome.IsError {
		outcome.Reply, l.note = answered(l, outcome)
	}
	s.finish(serving, r, s.judge(ctx, r, l, channel, binding, outcome, err))
	if channel.SpendLimit > 0 {
		s.tellSpending(serving, r, outcome.Usage.CostUSD)
	}
}

// send has the agent take the turn, or does itself what must not reach the client.
func (s *Service) send(ctx context.Context, r Run, b chat.Binding, lease Lease, c composed, sink func(Happening)) (Outcome, error) {
	if c.command != nil && c.command.Name == chat.CommandClear {
		return s.startFresh(ctx, r, b, c.text), nil
	}
	return lease.Turn(ctx, Message{UUID: r.MessageUUID, Text: c.text, Command: c.command != nil}, sink)
}

// prepare reads what a turn is made of, composes it and begins the run. A row that
// is edited or deleted in between is not told as it was: the turn is composed
// again.
func (s *Service) prepare(ctx context.Context, r Run, lease Lease) (Run, composed, error) {
	r.Native, r.Temperature, r.MessageUUID = lease.Native(), string(lease.Temperature()), uuid.NewString()
	for {
		material, err := s.store.Material(ctx, r, lease.Temperature() == prompt.Cold)
		if err != nil {
			return r, composed{}, err
		}
		out, err := s.compose(ctx, r, material, lease)
		if err != nil {
			return r, composed{}, err
		}
		err = s.store.Begin(ctx, Beginning{
			RunID: r.ID, Native: r.Native, Temperature: r.Temperature, MessageUUID: r.MessageUUID, Sent: out.sent,
			RevisedAt: material.RevisedAt,
		})
		if !errors.Is(err, ErrRevised) {
			return r, out, err
		}
	}
}

// whose returns the channel and the binding of a run.
func (s *Service) whose(ctx context.Context, r Run) (chat.Channel, chat.Binding, error) {
	channel, err := s.store.Channel(ctx, r.ChannelID)
	if err != nil {
		return chat.Channel{}, chat.Binding{}, err
	}
	binding, err := s.store.Binding(ctx, r.BindingID)
	return channel, binding, err
}

func (s *Service) begin(l *live) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.live[l.run.ID] = l
}

func (s *Service) end(runID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.live, runID)
}

// waits makes visible that every place for a process is taken.
func (s *Service) waits(ctx context.Context, r Run) {
	if err := s.store.Wait(ctx, r.ID, true); err != nil {
		s.log.Warn("store that a run waits", "run", r.ID, "error", err)
		return
	}
	r.State = Waiting
	s.publishRun(r)
}

// refuse ends a run whose turn never began. A run that was taken out of the
// queue meanwhile has its end already; one that Hearth's own end cut off stays
// queued for the next start.
func (s *Service) refuse(serving, ctx context.Context, r Run, cause error) {
	stopped := errors.Is(context.Cause(ctx), errStopped) || errors.Is(cause, errDenied)
	if ctx.Err() != nil && !stopped {
		return
	}
	var failure *Failure
	if !stopped {
		failure = refusal(cause)
	}
	s.storeEnd(serving, r, func(ctx context.Context) error {
		ended, err := s.store.Cancel(ctx, r.ID, failure)
		if err == nil {
			s.publishRun(ended)
		}
		return err
	})
}

// refusal says in words why a turn did not begin: in the cause's own sentence,
// if it has one for people.
func refusal(cause error) *Failure {
	var started *StartError
	var coded *chat.Error
	switch {
	case errors.As(cause, &started):
		return &Failure{Code: FailStart, Message: started.Message}
	case errors.As(cause, &coded):
		return &Failure{Code: FailStart, Message: coded.Error()}
	default:
		return &Failure{Code: FailInternal, Message: cause.Error()}
	}
}

// StartError says that an agent's process did not start.
type StartError struct {
	Message string // what happened and what to do, for people
	Err     error
}

func (e *StartError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *StartError) Unwrap() error { return e.Err }

// judge turns what came of a turn into the run's end.
func (s *Service) judge(ctx context.Context, r Run, l *live, c chat.Channel, b chat.Binding, outcome Outcome, err error) Finishing {
	f := Finishing{
		RunID: r.ID, Reply: fit(outcome.Reply), Usage: outcome.Usage, Facts: outcome.Facts, Note: l.note, Interim: l.said(), Savings: l.saved(), Compacted: l.compacted(),
	}
	_, f.Steps = l.snapshot()
	stopped := errors.Is(context.Cause(ctx), errStopped)
	switch {
	case err == nil && !outcome.IsError && !outcome.Interrupted:
		f.State, f.Commit = Succeeded, true
		if reason := l.declinedFor(); reason != "" {
			f.State, f.Reply, f.Note = Declined, reason, chat.NoteDeclined
		}
		return f
	case stopped:
		f.State = Stopped
	default:
		f.State = Failed
	}
	f.Failure = failureOf(ctx, outcome, err)
	// What streamed before the end is not lost: it stays as a step.
	f.Reply = ""
	if text, _ := l.snapshot(); strings.TrimSpace(text) != "" {
		f.Steps = append(f.Steps, Step{N: len(f.Steps), Kind: "text", Output: cutStep(text), At: s.clock()})
	}
	if b.Remembers() {
		f.Commit = s.holds(ctx, r, c)
		f.Failure.Held = f.Commit
	}
	return f
}

// The client writes its transcript a moment after it has said what it did: 32 ms
// were seen. So a message that is not there is looked for again.
const (
	lookAgain = 25 * time.Millisecond
	lookFor   = 300 * time.Millisecond
)

// holds looks for the run's message in the transcript of its native session.
func (s *Service) holds(ctx context.Context, r Run, c chat.Channel) bool {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	for waited := time.Duration(0); ; waited += lookAgain {
		held, err := s.agents.Holds(bounded, c.Workspace, r.Native, r.MessageUUID)
		if err != nil {
			// Without proof the watermark does not move: at worst rows are shown twice.
			s.log.Warn("look for a run in its transcript", "run", r.ID, "native", r.Native, "error", err)
		}
		if held || err != nil || waited >= lookFor {
			return held
		}
		time.Sleep(lookAgain)
	}
}

// failureOf says in words why a turn did not succeed.
func failureOf(ctx context.Context, outcome Outcome, err error) *Failure {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errStopped):
		return &Failure{Code: FailInterrupted, Message: "Stopped by a person."}
	case ctx.Err() != nil:
		return &Failure{Code: FailInterrupted, Message: "Hearth was closed while the agent was working on this. Retry to ask again."}
	case errors.Is(err, ErrStuck):
		return &Failure{Code: FailStuck, Message: err.Error()}
	case err != nil:
		return &Failure{Code: FailCrashed, Message: err.Error()}
	case outcome.API:
		return &Failure{Code: FailAPI, Message: outcome.Message}
	default:
		return &Failure{Code: FailTurn, Message: outcome.Message}
	}
}

// ErrStuck is answered by a lease whose agent did not stop in time and was ended.
var ErrStuck = errors.New("the agent did not stop in time; its process was ended")

// finish stores the end of a run and tells everyone.
func (s *Service) finish(serving context.Context, r Run, f Finishing) {
	s.storeEnd(serving, r, func(ctx context.Context) error {
		ended, reply, err := s.store.Finish(ctx, f)
		if err != nil {
			return err
		}
		if reply != nil {
			s.publishRow(EventRowCreated, *reply)
		}
		s.publishRun(ended)
		return nil
	})
}

// storeEnd stores the end of a run, which has ended already or is gone when the
// store sees a conflict. While the store can't (a full disk), what is to be stored
// waits here, and whoever waits for the run is told; only the end of Hearth gives
// it up, and then the run is settled at the next start.
func (s *Service) storeEnd(serving context.Context, r Run, end func(context.Context) error) {
	for {
		bounded, cancel := context.WithTimeout(context.WithoutCancel(serving), finishWithin)
		err := end(bounded)
		cancel()
		switch code := chat.CodeOf(err); {
		case err == nil, code == chat.CodeConflict, code == chat.CodeNotFound:
			return
		case serving.Err() != nil:
			s.log.Error("store the end of a run", "run", r.ID, "error", err)
			return
		}
		s.log.Warn("store the end of a run; trying again", "run", r.ID, "error", err)
		s.trouble(r.Key())
		rest(serving)
	}
}
