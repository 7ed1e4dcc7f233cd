package claude

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
)

// duplicateGrace is how long after the client repeated our message without beginning to work it is taken for a duplicate.
const duplicateGrace = 3 * time.Second

// Turn sends a message and returns the result of the turn it causes. sink, which may be nil, gets what happens meanwhile,
// in order, on one other goroutine; it has got everything when Turn returns. One Turn at a time: another gets ErrBusy. A
// turn of the client's own that is under way is waited for before anything is sent.
//
// A result, good or bad, comes without an error: IsError says which. When ctx ends, the turn is interrupted, and its result
// says Interrupted; a message that the client had not taken up yet is taken back (CodeInterrupted). A client that does
// neither within InterruptGrace is ended with everything it started (CodeHung). When the process ends, the error says so
// (CodeCrashed, CodeClosed, CodeWrongSession). Every error says whether the message may have reached the native session.
func (s *Session) Turn(ctx context.Context, m Message, sink func(Event)) (Result, error) {
	if m.UUID == "" {
		m.UUID = uuid.NewString()
	}
	line, err := json.Marshal(map[string]any{
		"type": "user", "uuid": m.UUID, "session_id": s.opts.Native, "parent_tool_use_id": nil,
		"message": map[string]string{"role": "user", "content": m.Text},
	})
	if err != nil {
		return Result{}, &Error{Code: CodeRefused, Op: "turn", Err: err}
	}
	t := &turn{
		uuid: m.UUID, events: newEventQueue(), result: make(chan Result, 1),
		claimed: make(chan struct{}), repeat: make(chan struct{}, 1),
	}
	s.mu.Lock()
	if s.turn != nil {
		s.mu.Unlock()
		return Result{}, ErrBusy
	}
	s.turn = t
	s.changed()
	s.mu.Unlock()

	var pump sync.WaitGroup
	pump.Go(func() { t.events.pump(sink) })
	r, err := s.take(ctx, t, line)
	s.mu.Lock()
	s.turn = nil
	s.changed()
	s.mu.Unlock()
	t.events.close()
	pump.Wait()
	return r, err
}

// take sends and waits.
func (s *Session) take(ctx context.Context, t *turn, line []byte) (Result, error) {
	if err := s.sendable(ctx, t); err != nil {
		return Result{}, err
	}
	begun, err := s.out.write(ctx, line)
	if ctx.Err() != nil && !begun {
		return Result{}, s.notSent(ctx, t)
	}
	if err != nil && ctx.Err() == nil {
		select {
		case <-s.failed: // the pipe broke because the process is gone, and that says more
			return s.gone(t, true)
		case <-time.After(endBound):
			return Result{}, &Error{Code: CodeCrashed, Op: "turn", Err: err, Sent: true}
		}
	}
	var duplicate <-chan time.Time
	for {
		select {
		case r := <-t.result:
			return r, nil
		case <-s.failed:
			return s.gone(t, true)
		case <-ctx.Done():
			return s.stop(ctx, t)
		case <-t.repeat:
			duplicate = time.After(s.duplicateGrace)
		case <-duplicate:
			duplicate = nil
			if s.isDuplicate(t) {
				return Result{}, &Error{Code: CodeDuplicate, Op: "turn", Err: errors.New("the session already holds this message"), Sent: true}
			}
		}
	}
}

// sendable waits until the client is idle, and marks the turn as sent in the same moment.
func (s *Session) sendable(ctx context.Context, t *turn) error {
	for {
		s.mu.Lock()
		if s.err != nil {
			s.mu.Unlock()
			_, err := s.gone(t, false)
			return err
		}
		if (!s.cycle.begun() && s.expecting == nil || s.impatient) && ctx.Err() == nil {
			t.sent = true
			s.changed()
			s.mu.Unlock()
			return nil
		}
		wake := s.wake
		s.mu.Unlock()
		select {
		case <-wake:
		case <-ctx.Done():
			return s.notSent(ctx, t)
		}
	}
}

// notSent is the error of a turn whose message never left, or was taken back.
func (s *Session) notSent(ctx context.Context, t *turn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.sent = false
	return &Error{Code: CodeInterrupted, Op: "turn", Err: context.Cause(ctx)}
}

// gone is the end of a turn whose process is gone. A result that came before counts.
func (s *Session) gone(t *turn, sent bool) (Result, error) {
	select {
	case r := <-t.result:
		return r, nil
	default:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &Error{Code: CodeCrashed, Op: "turn", Err: s.err, Sent: sent}
	if inner, ok := errors.AsType[*Error](s.err); ok {
		e.Code, e.Err, e.Stderr = inner.Code, inner.Err, inner.Stderr
	}
	return Result{}, e
}

func (s *Session) isDuplicate(t *turn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cycle.begun() {
		return false // it may still be ours; if not, finish has us look again
	}
	t.sent = false
	return true
}

// stop has the turn stopped, in bounded time.
func (s *Session) stop(ctx context.Context, t *turn) (Result, error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.InterruptGrace)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	back := make(chan struct{})
	wg.Go(func() { s.takeBack(bounded, t, back) })
	claimed := t.claimed
	select {
	case r := <-t.result:
		return r, nil // it ended in the same moment
	default:
	}
	for {
		select {
		case r := <-t.result:
			return r, nil
		case <-s.failed:
			return s.gone(t, true)
		case <-back:
			return Result{}, s.notSent(ctx, t)
		case <-claimed:
			// An interrupt that came before the turn began stopped nothing.
			claimed = nil
			wg.Go(func() { s.interrupt(bounded) })
		case <-bounded.Done():
			s.fail(&Error{
				Code: CodeHung, Op: "turn", Err: errors.New("the client did not stop when told to, and was ended"),
				Stderr: s.proc.StderrTail(), Sent: true,
			})
			s.end()
			<-s.done
			return s.gone(t, true)
		}
	}
}

// takeBack takes a message back that the client has not begun with; back is closed when that is done. Otherwise the turn is
// interrupted.
func (s *Session) takeBack(ctx context.Context, t *turn, back chan<- struct{}) {
	select {
	case <-t.claimed:
		return // stop interrupts it
	default:
	}
	answer, err := s.Request(ctx, "cancel_async_message", map[string]any{"message_uuid": t.uuid})
	var said struct {
		Cancelled bool `json:"cancelled"`
	}
	if err == nil && json.Unmarshal(answer, &said) == nil && said.Cancelled {
		close(back)
		return
	}
	s.interrupt(ctx)
}

func (s *Session) interrupt(ctx context.Context) {
	if err := s.Interrupt(ctx); err != nil {
		s.log.Debug("interrupt", "error", err)
	}
}
