package delivery

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Defaults of an Input, and how many rows of a place are looked at.
const (
	// Newest is how many rows of a place, counted from its end, a caller puts
	// into Input.Rows. Render itself looks at all it is given.
	Newest = 30
	// DefaultLimit is the most rows a block shows.
	DefaultLimit = 12
	// DefaultMaxChars is how many Unicode scalars of a body a block shows.
	DefaultMaxChars = 600
)

// Row is a message of a channel, as far as a context block tells of it.
type Row struct {
	ID           string
	ThreadRootID string // empty at the top level
	Agent        bool   // written by an agent, else by a person
	Own          bool   // written by the very agent that is about to answer, whatever its handle was then
	Handle       string // who wrote it, without @; empty is the owner
	Body         string
	CreatedAt    time.Time
	Deleted      bool // its owner deleted it; of a correction: deleted what it corrects

	// Corrects is the id of the row that this corrects, empty for a row. Body is
	// what that row says now, CreatedAt when it was changed, CorrectsAt when the
	// row itself was posted.
	Corrects   string
	CorrectsAt time.Time
}

// Input is all that Render looks at.
type Input struct {
	// Rows are the newest rows of the place, its corrections that are later than the
	// watermark, and those of Replayed rows wherever they stand, in any order. Of
	// rows with the same id the first counts.
	Rows []Row

	// Addressed is the id of the row the turn is about, empty if there is
	// none. AddressedAt is its created_at, for when it is not among Rows.
	Addressed   string
	AddressedAt time.Time

	// Held are the rows that still-queued runs of the same binding will bring.
	// HeldAt is the created_at, by id, of those of this place that are not
	// among Rows (more does no harm): without it a long queue could let the
	// watermark pass a row that is never shown if its run is cancelled.
	Held   map[string]bool
	HeldAt map[string]time.Time

	// Replayed are the rows that this turn's replay carries.
	Replayed map[string]bool

	// Native is the id of the session about to answer. Remembers says that it
	// keeps what it is told from turn to turn; if not, there is no watermark
	// and every block is a snapshot.
	Native    string
	Remembers bool

	// Watermark is the last one committed for this place, of whatever session;
	// nil if there is none. Elsewhere are those of the binding's other places
	// in the channel: what the same session was shown there counts as seen.
	Watermark *Watermark
	Elsewhere []Watermark

	// Older counts, by handle, the rows of the place that are news for this
	// session (see News) but older than Rows, so that they are at least named.
	Older map[string]int

	// Limit is the most rows shown, and the most corrections; MaxChars the most scalars of a body. Zero
	// stands for the defaults.
	Limit, MaxChars int

	// Without leaves out rules of Hearth's own. Nothing that is sent to an agent
	// does.
	Without Without
}

// Without names rules that the published design of a watermark does not have
// and Hearth adds. The simulation leaves them out to say what they cost and
// save; the zero value, with all of them, is what agents get.
type Without struct {
	// Echo: the addressed row and the rows the session wrote itself are told in
	// the turns that follow, as anyone's are.
	Echo bool
	// Omitted: the block does not name what it leaves out. Output.Omitted does.
	Omitted bool
	// Quoting: a body stands in the block as it was posted, its lines unmarked.
	Quoting bool
}

// Valid says whether the place's watermark is of the session that is about to
// answer, so that it can be believed.
func (in Input) Valid() bool {
	return in.Watermark.validFor(in.Native, in.Remembers)
}

// Verdict says what became of a row, for the page that explains a turn.
type Verdict string

// The verdicts, in the order in which they are tried.
const (
	Addressed   Verdict = "addressed"    // the payload carries it
	Held        Verdict = "held"         // a queued run will bring it
	Replayed    Verdict = "replayed"     // the replay carries it
	Deleted     Verdict = "deleted"      // its owner deleted it, so there is nothing to tell
	Current     Verdict = "current"      // a correction of what the session is told as it is now
	Own         Verdict = "own"          // this session wrote it
	Seen        Verdict = "seen"         // the watermark covers it
	BeyondLimit Verdict = "beyond limit" // news, but older than the newest Limit
	Cut         Verdict = "cut"          // shown, its body shortened
	Shown       Verdict = "shown"        // shown whole
)

// Considered is a row of the Input and what became of it.
type Considered struct {
	ID       string
	Corrects string // the row it corrects; empty for a row
	Verdict  Verdict
}

// Omitted tells of rows that are news but not shown.
type Omitted struct {
	Count int
	// Before is the id from which channel_history pages back to them: the
	// oldest row shown, or if none is, the oldest looked at.
	Before string
	By     map[string]int // by handle; empty is the owner
}

// Output is what Render decided.
type Output struct {
	// Block is the context block, lines joined by \n without one at the end,
	// or empty when there is nothing new.
	Block string
	// Shown are the ids of the rows in the block, oldest first, and Lines the
	// rows as they stand there, each of one line or more.
	Shown []string
	Lines []string
	// Omitted is nil when nothing was left out.
	Omitted *Omitted
	// Watermark is what to commit once the turn has arrived, nil for a session
	// that does not remember.
	Watermark *Watermark
	// Considered has every row of the Input once, oldest first.
	Considered []Considered
}

// Render makes the context block of a turn and the watermark that holds when
// the turn has arrived. It never fails: any bytes make some block.
func Render(in Input) Output {
	out, _ := render(in)
	return out
}

// render also names the row that the watermark's LastAt is from, empty if it
// is still the previous one's.
func render(in Input) (out Output, lastFrom string) {
	if in.Limit <= 0 {
		in.Limit = DefaultLimit
	}
	if in.MaxChars <= 0 {
		in.MaxChars = DefaultMaxChars
	}
	p := decide(in)
	for i, row := range p.rows {
		if p.verdicts[i] == Shown {
			line, cut := rowLine(row, in.MaxChars, !in.Without.Quoting)
			if cut {
				p.verdicts[i] = Cut
			}
			out.Lines = append(out.Lines, line)
			out.Shown = append(out.Shown, row.ID)
		}
		out.Considered = append(out.Considered, Considered{ID: row.ID, Corrects: row.Corrects, Verdict: p.verdicts[i]})
	}
	out.Omitted = p.omitted(in)
	named := out.Omitted != nil && !in.Without.Omitted
	if len(out.Lines) > 0 || named {
		head := []string{header(p.valid)}
		if named {
			head = append(head, omittedLine(*out.Omitted, p.thread()))
		}
		out.Block = strings.Join(append(head, out.Lines...), "\n")
	}
	out.Watermark, lastFrom = p.advance(in)
	return out, lastFrom
}

// News returns a function that says of a row of the place, whether or not it
// is among in.Rows, that this session has still to be told of it. It is what
// Input.Older counts.
func News(in Input) func(Row) bool {
	p := newPlan(in)
	return func(row Row) bool { return p.judge(in, row) == "" }
}

// plan is the decision about every row: which are told, in time's order.
type plan struct {
	valid    bool            // the place has a watermark of this session
	told     map[string]bool // ids this session has been told, here or elsewhere
	rows     []Row           // each id once, oldest first
	verdicts []Verdict       // of rows, by index
}

func newPlan(in Input) *plan {
	p := &plan{valid: in.Valid(), told: make(map[string]bool)}
	marks := in.Elsewhere
	if p.valid {
		marks = append(slices.Clip(marks), *in.Watermark)
	}
	for _, mark := range marks {
		if mark.validFor(in.Native, in.Remembers) {
			for _, id := range mark.IDs {
				p.told[id] = true
			}
		}
	}
	return p
}

func decide(in Input) *plan {
	p := newPlan(in)
	once := make(map[string]bool, len(in.Rows))
	for _, row := range in.Rows {
		if !once[row.ID] {
			once[row.ID] = true
			p.rows = append(p.rows, row)
		}
	}
	slices.SortFunc(p.rows, func(a, b Row) int {
		if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	p.verdicts = make([]Verdict, len(p.rows))
	// What was changed is not pushed out by what was said since: each has its room.
	room := map[bool]int{false: in.Limit, true: in.Limit}
	for i, row := range slices.Backward(p.rows) {
		p.verdicts[i] = p.judge(in, row)
		if p.verdicts[i] != "" {
			continue
		}
		if corrects := row.Corrects != ""; room[corrects] > 0 {
			p.verdicts[i] = Shown
			room[corrects]--
		} else {
			p.verdicts[i] = BeyondLimit
		}
	}
	return p
}

// judge says why a row is not told, or nothing if it is news.
func (p *plan) judge(in Input, row Row) Verdict {
	if row.Corrects != "" {
		return p.judgeCorrection(in, row)
	}
	switch {
	case in.Addressed != "" && row.ID == in.Addressed:
		return Addressed
	case in.Held[row.ID]:
		return Held
	case in.Replayed[row.ID]:
		return Replayed
	case row.Deleted:
		return Deleted
	// Without a valid watermark an own row may be from an earlier session: then
	// the answer is as new to this one as anyone's.
	case p.valid && row.Own && !in.Without.Echo:
		return Own
	case p.has(in, row.ID, row.CreatedAt):
		return Seen
	}
	return ""
}

// judgeCorrection is judge for a correction. It is news for a session that was
// told the row before this turn, and to which nothing brings the row anew.
func (p *plan) judgeCorrection(in Input, row Row) Verdict {
	switch {
	case p.has(in, row.ID, row.CreatedAt):
		return Seen
	case in.Held[row.Corrects]:
		return Held
	case row.Corrects == in.Addressed, in.Replayed[row.Corrects], !p.has(in, row.Corrects, row.CorrectsAt):
		return Current
	}
	return ""
}

// has says whether the session was told what has this id and time before this turn.
func (p *plan) has(in Input, id string, at time.Time) bool {
	return p.told[id] || p.valid && !at.After(in.Watermark.LastAt)
}

// omitted counts the news that is not shown.
func (p *plan) omitted(in Input) *Omitted {
	o := Omitted{By: make(map[string]int)}
	var oldest, before string // of the rows, and of those shown; a correction is nothing to page from
	for i, row := range p.rows {
		if row.Corrects == "" {
			oldest = cmp.Or(oldest, row.ID)
			if v := p.verdicts[i]; v == Shown || v == Cut {
				before = cmp.Or(before, row.ID)
			}
		}
		if p.verdicts[i] == BeyondLimit {
			o.Count++
			o.By[row.Handle]++
		}
	}
	for handle, n := range in.Older {
		if n > 0 {
			o.Count += n
			o.By[handle] += n
		}
	}
	if o.Count == 0 {
		return nil
	}
	o.Before = cmp.Or(before, oldest, in.Addressed)
	return &o
}

// thread returns the root of the thread the rows are of, empty in the channel.
// A root may be among its own thread's rows, at the top level as it is.
func (p *plan) thread() string {
	for _, row := range p.rows {
		if row.ThreadRootID != "" && row.ThreadRootID != row.ID {
			return row.ThreadRootID
		}
	}
	return ""
}
