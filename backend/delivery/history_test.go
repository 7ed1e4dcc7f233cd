package delivery

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// history plays a channel with threads against one agent: posts, mentions that
// queue, runs that come in turn or out of it, are cancelled, fail with and
// without a trace, evictions, and rows that are edited or deleted at any moment.
// It keeps its own book of what each native session
// was told, and holds Render to it.
type history struct {
	t      *testing.T
	random *rand.Rand
	seed   uint64
	now    time.Time

	rows   []Row
	places []string // "" is the channel, else a thread's root
	queue  []Row    // mentions whose run is waiting
	failed []Row    // mentions whose run failed, for a retry
	marks  map[string]Watermark

	versions    map[string]int // row id: how often it was changed
	corrections map[string]Row // the newest of each row

	native    int
	cold      bool
	exchanges [][]string // row ids of what was asked and answered

	// The book, of the present native session.
	told  map[string]string // row id: how it came to the session
	named map[string]bool   // rows counted as left out
	knows map[string]int    // row id: which version of it was told
}

func newHistory(t *testing.T, seed uint64) *history {
	h := &history{
		t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_700_000_000, 0),
		places: []string{""}, marks: make(map[string]Watermark),
		versions: make(map[string]int), corrections: make(map[string]Row),
	}
	h.evict()
	return h
}

func (h *history) errorf(format string, args ...any) {
	h.t.Helper()
	h.t.Errorf("seed %d, session %d: %s", h.seed, h.native, fmt.Sprintf(format, args...))
}

func (h *history) evict() {
	h.native++
	h.cold = true
	h.told, h.named, h.knows = make(map[string]string), make(map[string]bool), make(map[string]int)
}

func (h *history) post(place string, agent bool, handle string) Row {
	h.now = h.now.Add(time.Duration(1+h.random.IntN(1000)) * time.Millisecond)
	row := Row{
		ID: fmt.Sprintf("m%05d", len(h.rows)), ThreadRootID: place,
		Agent: agent, Own: agent && handle == "claude", Handle: handle, Body: "text", CreatedAt: h.now,
	}
	h.rows = append(h.rows, row)
	return row
}

// chatter posts what does not address the agent.
func (h *history) chatter() {
	place := h.place()
	if h.random.IntN(5) == 0 {
		h.post(place, true, "codex")
		return
	}
	h.post(place, false, []string{"", "aiko", "minji"}[h.random.IntN(3)])
}

func (h *history) place() string { return h.places[h.random.IntN(len(h.places))] }

// openThread starts a thread on some row at the top level, the agent's own too.
func (h *history) openThread() {
	if len(h.rows) == 0 {
		return
	}
	row := h.rows[h.random.IntN(len(h.rows))]
	if row.ThreadRootID == "" && !slices.Contains(h.places, row.ID) {
		h.places = append(h.places, row.ID)
	}
}

// of returns the rows of a place, oldest first; a thread's root is one of them.
func (h *history) of(place string) []Row {
	var rows []Row
	for _, row := range h.rows {
		if row.ThreadRootID == place || row.ID == place {
			rows = append(rows, row)
		}
	}
	return rows
}

// change edits or deletes a person's row.
func (h *history) change() {
	if len(h.rows) == 0 {
		return
	}
	row := &h.rows[h.random.IntN(len(h.rows))]
	if row.Agent || row.Deleted {
		return
	}
	h.now = h.now.Add(time.Millisecond)
	h.versions[row.ID]++
	if row.Deleted = h.random.IntN(4) == 0; row.Deleted {
		waits := func(r Row) bool { return r.ID == row.ID }
		h.queue, h.failed = slices.DeleteFunc(h.queue, waits), slices.DeleteFunc(h.failed, waits)
	}
	h.corrections[row.ID] = Row{
		ID: fmt.Sprintf("%s-v%d", row.ID, h.versions[row.ID]), ThreadRootID: row.ThreadRootID, CreatedAt: h.now,
		Body: "text", Deleted: row.Deleted, Corrects: row.ID, CorrectsAt: row.CreatedAt,
	}
}

func (h *history) input(addressed Row) (in Input, older []Row) {
	place := addressed.ThreadRootID
	rows := h.of(place)
	in = Input{
		Addressed: addressed.ID, AddressedAt: addressed.CreatedAt,
		Held: make(map[string]bool), HeldAt: make(map[string]time.Time),
		Native: fmt.Sprint("n", h.native), Remembers: true, Older: make(map[string]int),
		Limit: 1 + h.random.IntN(6),
	}
	for _, held := range h.queue {
		if held.ThreadRootID == place {
			in.Held[held.ID] = true
			in.HeldAt[held.ID] = held.CreatedAt
		}
	}
	for other, mark := range h.marks {
		if other == place {
			in.Watermark = &mark
		} else {
			in.Elsewhere = append(in.Elsewhere, mark)
		}
	}
	if h.cold {
		in.Replayed = make(map[string]bool)
		for _, exchange := range h.exchanges[h.random.IntN(len(h.exchanges)+1):] {
			for _, id := range exchange {
				in.Replayed[id] = true
			}
		}
	}
	window := 3 + h.random.IntN(10)
	start := max(0, len(rows)-window)
	news := News(in)
	for _, row := range rows[:start] {
		if news(row) {
			older = append(older, row)
			in.Older[row.Handle]++
		}
	}
	in.Rows = slices.Clone(rows[start:])
	for id, correction := range h.corrections {
		if correction.ThreadRootID == place || id == place || in.Replayed[id] {
			in.Rows = append(in.Rows, correction)
		}
	}
	h.random.Shuffle(len(in.Rows), func(i, j int) { in.Rows[i], in.Rows[j] = in.Rows[j], in.Rows[i] })
	return in, older
}

// run lets the agent answer the i-th of the queue.
func (h *history) run(i int) {
	addressed := h.queue[i]
	h.queue = slices.Delete(h.queue, i, i+1)
	place := addressed.ThreadRootID
	in, older := h.input(addressed)
	out := Render(in)
	existing, versions := h.of(place), maps.Clone(h.versions)
	corrected := make(map[string]string) // the row, by the correction's id
	for _, c := range out.Considered {
		if c.Corrects != "" {
			corrected[c.ID] = c.Corrects
		}
	}

	for _, id := range out.Shown {
		if of := corrected[id]; of != "" && !h.named[of] && (h.told[of] == "" || h.knows[of] == versions[of]) {
			h.errorf("%s is shown, but the session knows version %d of %q", id, h.knows[of], h.told[of])
		}
		if how := h.told[id]; how != "" {
			h.errorf("%s is shown, but it was %s before", id, how)
		}
		if id == addressed.ID {
			h.errorf("%s is shown beside its own payload", id)
		}
		if in.Held[id] || in.Replayed[id] {
			h.errorf("%s is shown, though held or replayed", id)
		}
	}
	if len(out.Watermark.IDs) > MaxIDs {
		h.errorf("the watermark holds %d ids", len(out.Watermark.IDs))
	}

	// Meanwhile the others go on, and the agent says an interim word.
	var wrote []string
	for range h.random.IntN(4) {
		h.chatter()
	}
	if h.random.IntN(3) == 0 {
		h.change()
	}
	if h.random.IntN(4) == 0 {
		wrote = append(wrote, h.post(place, true, "claude").ID)
	}

	switch h.random.IntN(6) {
	case 0: // failed, and the session is gone with it
		h.failed = append(h.failed, addressed)
		h.evict()
		return
	case 1: // failed, and nothing proves that the session got it
		h.failed = append(h.failed, addressed)
		// Its words stand in the channel all the same; being the session's own
		// they are not shown to it in this place, which is all that is claimed.
		for _, id := range wrote {
			h.named[id] = true
		}
		return
	case 2: // failed, but the living session's transcript holds it
		h.failed = append(h.failed, addressed)
	default:
		wrote = append(wrote, h.post(place, true, "claude").ID)
		h.exchanges = append(h.exchanges, append([]string{addressed.ID}, wrote...))
	}
	h.cold = false
	tell := func(id, how string) { h.told[id], h.knows[id] = how, versions[id] }
	for id := range in.Replayed {
		tell(id, "replayed")
	}
	for _, id := range out.Shown {
		tell(id, "shown")
		if of := corrected[id]; of != "" {
			h.knows[of] = versions[of]
		}
	}
	tell(addressed.ID, "addressed")
	for _, id := range wrote {
		h.told[id] = "written by it"
	}
	for _, row := range older {
		h.named[row.ID] = true
	}
	named := len(older)
	for _, c := range out.Considered {
		if c.Verdict == BeyondLimit {
			h.named[c.ID] = true
			named++
		}
	}
	if out.Omitted == nil && named > 0 || out.Omitted != nil && out.Omitted.Count != named {
		h.errorf("%d rows left out, named %+v", named, out.Omitted)
	}
	h.marks[place] = out.Watermark.Wrote(wrote...)

	for _, row := range existing {
		if h.told[row.ID] != "" && h.knows[row.ID] != versions[row.ID] && !in.Held[row.ID] && !h.named[fmt.Sprintf("%s-v%d", row.ID, versions[row.ID])] {
			h.errorf("that %s was changed was hidden in the turn of %s", row.ID, addressed.ID)
		}
		if row.Deleted {
			continue
		}
		if h.told[row.ID] == "" && !h.named[row.ID] && !in.Held[row.ID] {
			h.errorf("%s was hidden in the turn of %s", row.ID, addressed.ID)
		}
	}
}

func (h *history) step() {
	switch h.random.IntN(13) {
	case 0, 1, 2, 3:
		h.chatter()
	case 4, 5:
		h.queue = append(h.queue, h.post(h.place(), false, "aiko"))
	case 6:
		h.openThread()
	case 7, 8:
		if len(h.queue) > 0 {
			h.run(0)
		}
	case 9:
		if len(h.queue) > 0 {
			h.run(h.random.IntN(len(h.queue)))
		}
	case 10:
		if n := len(h.queue); n > 0 {
			i := h.random.IntN(n)
			h.queue = slices.Delete(h.queue, i, i+1)
		}
		if n := len(h.failed); n > 0 {
			i := h.random.IntN(n)
			h.queue = append(h.queue, h.failed[i])
			h.failed = slices.Delete(h.failed, i, i+1)
		}
	case 11:
		if h.random.IntN(8) == 0 {
			h.evict()
		}
	case 12:
		h.change()
	}
}

func play(t *testing.T, seed uint64) {
	h := newHistory(t, seed)
	// Under MaxIDs rows, so that no id has to be forgotten.
	for len(h.rows) < 150 && !t.Failed() {
		h.step()
	}
	for _, place := range h.places {
		h.queue = append(h.queue, h.post(place, false, ""))
	}
	for len(h.queue) > 0 && !t.Failed() {
		h.run(0)
	}
}

func TestNothingIsShownTwiceOrHidden(t *testing.T) {
	for seed := range uint64(1000) {
		play(t, seed)
		if t.Failed() {
			return
		}
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(play)
}
