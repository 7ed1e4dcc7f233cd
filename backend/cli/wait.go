package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"hearth/backend/api"
	"hearth/backend/run"
)

// The stream is opened again after it broke off: often enough for a hiccup, and
// given up when Hearth has ended.
const (
	reconnects     = 5
	reconnectAfter = 500 * time.Millisecond
)

// wait follows runs to their ends.
type wait struct {
	app     *app
	client  *client
	handles map[string]string // of bindings, by id
	stream  *events
	last    string // the id of the last event

	expected []*waited
	replies  []api.Row
	failed   bool
}

// waited is one run that is waited for.
type waited struct {
	run   api.Run
	ended bool
	asked map[string]bool // permissions that were told of

	stretch strings.Builder // what streamed since the last whole stretch of text
	whole   string          // the last whole stretch
	midLine bool            // the terminal stands in the middle of a line
}

// watch opens the stream and reads where it begins.
func (w *wait) watch(ctx context.Context) error {
	stream, err := w.client.events(ctx, w.last)
	if err != nil {
		return err
	}
	w.stream = stream
	return nil
}

func (w *wait) close() { w.stream.close() }

func (w *wait) expect(runs []api.Run) {
	w.replies = []api.Row{}
	for _, r := range runs {
		w.expected = append(w.expected, &waited{run: r, asked: map[string]bool{}})
	}
}

// until returns when every run has ended.
func (w *wait) until(ctx context.Context) error {
	broken := 0
	for w.pending() != "" {
		h, err := w.stream.next()
		if err == nil {
			broken = 0
			if h.id != "" {
				w.last = h.id
			}
			err = w.happen(ctx, h)
			if err != nil {
				return err
			}
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if broken++; broken > reconnects {
			return unreachable(err)
		}
		select {
		case <-time.After(reconnectAfter):
		case <-ctx.Done():
			return ctx.Err()
		}
		w.stream.close()
		if err := w.watch(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pending is the id of the first run that has not ended; "" when all have.
func (w *wait) pending() string {
	for _, one := range w.expected {
		if !one.ended {
			return one.run.ID
		}
	}
	return ""
}

func (w *wait) runs() []api.Run {
	out := make([]api.Run, len(w.expected))
	for i, one := range w.expected {
		out[i] = one.run
	}
	return out
}

func (w *wait) of(runID string) *waited {
	for _, one := range w.expected {
		if one.run.ID == runID && !one.ended {
			return one
		}
	}
	return nil
}

func (w *wait) happen(ctx context.Context, h happening) error {
	switch h.kind {
	case "reset":
		return w.refetch(ctx)
	case run.EventRunUpdated:
		return heard(h, func(r api.Run) error { return w.moved(ctx, r) })
	case run.EventRunDelta:
		return heard(h, func(d api.Delta) error { w.streamed(d); return nil })
	case run.EventRunStep:
		return heard(h, func(s api.RunStep) error { w.stepped(s); return nil })
	case run.EventPermissionAsked:
		return heard(h, func(p api.Permission) error { w.asked(p); return nil })
	}
	return nil
}

// heard reads an event's data and hands it on.
func heard[T any](h happening, take func(T) error) error {
	var data T
	if err := json.Unmarshal(h.data, &data); err != nil {
		return fmt.Errorf("read a %s event: %w", h.kind, err)
	}
	return take(data)
}

// refetch reads anew what the stream could not tell.
func (w *wait) refetch(ctx context.Context) error {
	for _, one := range w.expected {
		if one.ended {
			continue
		}
		var got struct {
			Run api.Run `json:"run"`
		}
		if _, err := w.client.get(ctx, at("/api/runs/%s", one.run.ID), &got); err != nil {
			return err
		}
		if err := w.moved(ctx, got.Run); err != nil {
			return err
		}
	}
	var open struct {
		Permissions []api.Permission `json:"permissions"`
	}
	if _, err := w.client.get(ctx, "/api/permissions?open=true", &open); err != nil {
		return err
	}
	for _, p := range open.Permissions {
		w.asked(p)
	}
	return nil
}

// moved takes in a run's new state.
func (w *wait) moved(ctx context.Context, r api.Run) error {
	one := w.of(r.ID)
	if one == nil {
		return nil
	}
	before := one.run.State
	one.run = r
	if r.State == string(run.Waiting) && before != r.State {
		w.app.complain("%s waits for a place for its process.", w.who(one))
	}
	if !run.State(r.State).Ended() {
		return nil
	}
	one.ended = true
	return w.finish(ctx, one)
}

func (w *wait) who(one *waited) string { return agentName(w.handles, one.run.BindingID) }

// finish prints how a run ended.
func (w *wait) finish(ctx context.Context, one *waited) error {
	r := one.run
	if r.ReplyID != "" {
		var row api.Row
		if _, err := w.client.get(ctx, at("/api/messages/%s", r.ReplyID), &row); err != nil {
			return err
		}
		w.replies = append(w.replies, row)
		if !w.app.json {
			w.reply(one, row)
		}
	}
	switch run.State(r.State) {
	case run.Succeeded:
		if r.ReplyID == "" {
			w.app.complain("%s ended its turn without a word.", w.who(one))
		}
	case run.Declined:
		w.app.complain("%s declined; its answer says why.", w.who(one))
	case run.Stopped:
		w.failed = true
		w.app.complain("%s was stopped. Ask again with `hearth retry %s`.", w.who(one), r.ID)
	default:
		w.failed = true
		why := "it does not say why"
		if r.Failure != nil {
			why = strings.TrimRight(r.Failure.Message, ".\n ")
		}
		w.app.complain("%s failed: %s. Ask again with `hearth retry %s`.", w.who(one), why, r.ID)
	}
	return nil
}

// reply prints an answer, or the rest of it when it streamed.
func (w *wait) reply(one *waited, row api.Row) {
	body := strings.TrimSpace(row.Body)
	streamed := one.stretch.String()
	if strings.TrimSpace(streamed) == "" {
		streamed = one.whole
	}
	if one.midLine {
		fmt.Fprintln(w.app.stdout)
		one.midLine = false
	}
	if strings.TrimSpace(streamed) == body {
		return
	}
	if len(w.expected) > 1 {
		w.app.say("%s:", w.who(one))
	}
	fmt.Fprintln(w.app.stdout, visible(body))
}

// streams says whether text is printed as it comes: to a terminal, and when one
// agent alone writes.
func (w *wait) streams() bool {
	return !w.app.json && len(w.expected) == 1 && w.app.terminal()
}

func (w *wait) streamed(d api.Delta) {
	one := w.of(d.RunID)
	if one == nil || !w.streams() {
		return
	}
	one.stretch.WriteString(d.Text)
	fmt.Fprint(w.app.stdout, visible(d.Text))
	one.midLine = !strings.HasSuffix(d.Text, "\n")
}

// stepped ends a stretch of text: what streams next begins on a line of its own.
func (w *wait) stepped(s api.RunStep) {
	one := w.of(s.RunID)
	if one == nil || s.Step.Kind != "text" || s.Step.Parent != "" {
		return
	}
	one.whole = one.stretch.String()
	one.stretch.Reset()
	if one.midLine {
		fmt.Fprintln(w.app.stdout)
		one.midLine = false
	}
}

// asked tells of a question that a run waits for, once.
func (w *wait) asked(p api.Permission) {
	one := w.of(p.RunID)
	if one == nil || one.asked[p.ID] {
		return
	}
	one.asked[p.ID] = true
	if one.midLine {
		fmt.Fprintln(w.app.stdout)
		one.midLine = false
	}
	if spends(p) {
		w.app.complain("%s", spendQuestion(p, w.who(one)))
		return
	}
	w.app.complain("%s asks whether it may use %s: %s\nAnswer in another terminal: `hearth allow %s`, or `hearth deny %s --reason \"…\"`. `hearth permissions` says more.",
		w.who(one), p.Tool, brief(p.Input), p.ID, p.ID)
}
