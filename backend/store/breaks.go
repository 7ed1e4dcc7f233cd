package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// comparedWith is how many turns with a request of the main thread are looked at
// before the first that is judged: what a turn is compared with is the one before,
// as that one was found. How long the cache keeps things may be known from an
// earlier one only.
const comparedWith = 5

// Breaks judges the turns of runs and returns the cache breaks among them, by run.
// It asks three times, however many runs there are, and as much in a long history as in a
// short one. This is the only place that compares turns.
func (s *Store) Breaks(ctx context.Context, runIDs []string) (breaks map[string]ledger.Break, err error) {
	err = s.view(ctx, "look for cache breaks", func(q *db.Queries) error {
		breaks, err = breaksOf(ctx, q, runIDs)
		return err
	})
	return breaks, err
}

// TurnBefore returns the run that a run is compared with: its agent's newest before
// it with a request of the main thread, whether it is judged or looked at. One that
// never reached the model is none. "": there is no such run, or this one never began.
func (s *Store) TurnBefore(ctx context.Context, runID string) (string, error) {
	before, err := s.views.TurnBefore(ctx, runID)
	if none(err) {
		return "", nil
	}
	return before, s.failed("look for the turn before", err)
}

// withBreaks notes in runs which of them were cache breaks.
func withBreaks(ctx context.Context, q *db.Queries, runs ...*run.Run) error {
	var ended []string
	for _, r := range runs {
		if !r.EndedAt.IsZero() && !r.StartedAt.IsZero() {
			ended = append(ended, r.ID)
		}
	}
	breaks, err := breaksOf(ctx, q, ended)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if b, broken := breaks[r.ID]; broken {
			r.Break = &b
		}
	}
	return nil
}

// judge notes in a run whose end is stored whether it was a cache break. Whatever
// keeps it from finding out keeps nobody from the end of the run.
func (s *Store) judge(ctx context.Context, r *run.Run) {
	ctx = context.WithoutCancel(ctx)
	err := s.view(ctx, "look for a cache break", func(q *db.Queries) error { return withBreaks(ctx, q, r) })
	if err != nil {
		s.log.Warn("whether a turn broke the cache is not known", "run", r.ID, "error", err)
	}
}

func breaksOf(ctx context.Context, q *db.Queries, runIDs []string) (map[string]ledger.Break, error) {
	breaks := map[string]ledger.Break{}
	if len(runIDs) == 0 {
		return breaks, nil
	}
	turns, err := turnsCompared(ctx, q, runIDs)
	if err != nil {
		return nil, err
	}
	for len(turns) > 0 {
		others := slices.IndexFunc(turns, func(t ledger.Turn) bool { return t.Binding != turns[0].Binding })
		if others < 0 {
			others = len(turns)
		}
		for _, b := range ledger.Breaks(turns[:others]) {
			if slices.Contains(runIDs, b.Run) {
				breaks[b.Run] = b
			}
		}
		turns = turns[others:]
	}
	return breaks, nil
}

// turnsCompared are the turns of runs with those before them that they are compared
// with, binding by binding, oldest first. They have what a Watch looks at and
// nothing else.
func turnsCompared(ctx context.Context, q *db.Queries, runIDs []string) ([]ledger.Turn, error) {
	list, err := json.Marshal(runIDs)
	if err != nil {
		return nil, err
	}
	stored, err := q.TurnsCompared(ctx, db.TurnsComparedParams{RunIDs: string(list), MostBefore: comparedWith})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(stored))
	byRun := make(map[string]*ledger.Turn, len(stored))
	turns := make([]ledger.Turn, len(stored))
	for i, t := range stored {
		ids[i], byRun[t.RunID] = t.RunID, &turns[i]
		turns[i] = ledger.Turn{
			Run: t.RunID, Binding: t.BindingID, Native: t.Native, Process: t.Process, Temperature: t.Temperature, Version: t.ClientVersion,
			Tools: ledger.Part{Hash: t.ToolsHash, Size: t.ToolsSize}, Framing: ledger.Part{Hash: t.FramingHash, Size: t.FramingSize},
			Settings: settingsOf(t.Settings), Began: timeOf(t.StartedAt), Ended: timeOf(t.EndedAt),
		}
		if turns[i].Compactions, err = compactionsOf(t.Compactions); err != nil {
			return nil, err
		}
	}
	if list, err = json.Marshal(ids); err != nil {
		return nil, err
	}
	calls, err := q.MainCalls(ctx, string(list))
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		t := byRun[c.RunID]
		t.Calls = upTo(t.Calls, int(c.N)+1)
		t.Calls[c.N] = callOf(c)
	}
	for i := range turns {
		for _, c := range turns[i].Compactions {
			turns[i].Calls = upTo(turns[i].Calls, c.Calls)
		}
	}
	return turns, addEnds(ctx, q, turns)
}

// addEnds notes in turns, binding by binding and oldest first, how the process of each
// ended before the next.
func addEnds(ctx context.Context, q *db.Queries, turns []ledger.Turn) error {
	if len(turns) == 0 {
		return nil
	}
	var bindings []string
	from, to := turns[0].Began, turns[0].Began
	for i := range turns {
		t := &turns[i]
		if i == 0 || t.Binding != turns[i-1].Binding {
			bindings = append(bindings, t.Binding)
		}
		if t.Began.Before(from) {
			from = t.Began
		}
		if t.Began.After(to) {
			to = t.Began
		}
	}
	list, err := json.Marshal(bindings)
	if err != nil {
		return err
	}
	stored, err := q.EndsBetween(ctx, db.EndsBetweenParams{BindingIDs: string(list), AfterAt: micros(from), BeforeAt: micros(to)})
	if err != nil {
		return err
	}
	ends := map[string][]ledger.ProcessEnd{}
	for _, e := range stored {
		ends[e.BindingID] = append(ends[e.BindingID], endOf(e.Native, e.How, e.Reason, e.EndedAt))
	}
	for i := range turns[:len(turns)-1] {
		if t, next := &turns[i], &turns[i+1]; t.Binding == next.Binding {
			t.ProcessEnd = ledger.EndAfter(t, next, ends[t.Binding])
		}
	}
	return nil
}

// upTo makes calls as many as there have to be: those of subagents, which nobody
// looks at, keep their places, because a compaction is known by its place.
func upTo(calls []ledger.Call, n int) []ledger.Call {
	return append(calls, make([]ledger.Call, max(0, n-len(calls)))...)
}

func compactionsText(all []ledger.Compaction) string {
	places := make([]string, len(all))
	for i, c := range all {
		places[i] = strconv.Itoa(c.Calls)
	}
	return strings.Join(places, " ")
}

func compactionsOf(text string) (all []ledger.Compaction, err error) {
	for place := range strings.FieldsSeq(text) {
		calls, err := strconv.Atoi(place)
		if err != nil {
			return nil, err
		}
		all = append(all, ledger.Compaction{Calls: calls})
	}
	return all, nil
}

// settingsText is settings as they are stored. Names and hashes have neither a space
// nor an equals sign.
func settingsText(settings map[string]string) string {
	pairs := make([]string, 0, len(settings))
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		pairs = append(pairs, name+"="+settings[name])
	}
	return strings.Join(pairs, " ")
}

func settingsOf(text string) map[string]string {
	if text == "" {
		return nil
	}
	settings := map[string]string{}
	for pair := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(pair, "=")
		settings[name] = value
	}
	return settings
}
