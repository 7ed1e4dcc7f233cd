package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"hearth/backend/delivery"
)

// What a generated channel has, whatever the seed: the marginals of the channel of
// the published simulation, whose text is not public. Its totals say more than
// is written down: 162 rows sent and 25 never shown leave only one way to count,
// and the generator keeps to that too (see docs/simulation.md).
const (
	generatedRows     = 200
	generatedMentions = 30
	generatedLong     = 8
	gapMin            = 1
	gapMedian         = 4
	gapMax            = 21
	// sentInGaps is what watermark shows after the first mention: of each gap
	// the newest rows, delivery.DefaultLimit at most.
	sentInGaps = 162 - delivery.DefaultLimit
	neverShown = 25
)

// people are who writes, and how much of what is written: out of 20. The handle of
// the owner is empty.
var people = []struct {
	handle string
	weight int
}{{"", 8}, {"aiko", 4}, {"민지", 4}, {"ravi", 3}, {"نور", 1}}

// Generate makes a channel: 200 rows by five people and one agent, 30 mentions of
// it from 1 to 21 rows apart (4 in the median), 8 pasted logs over 600 characters.
// Equal seeds give equal channels.
func Generate(seed uint64) Channel {
	g := &generator{random: rand.New(rand.NewPCG(seed, 0x68656172)), ids: newIDs(seed), used: map[string]bool{}}
	slots := g.layout()
	c := Channel{Name: "backend", Agent: "claude"}
	at := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(g.random.IntN(3600)) * time.Second)
	logs := g.logsAt(slots)
	var pending []reply
	for i, slot := range slots {
		at = g.later(at)
		row := Row{Row: delivery.Row{ID: g.ids.at(at), CreatedAt: at}}
		switch slot {
		case mentionSlot:
			if len(pending) == 0 && g.random.IntN(3) == 0 || i == 0 {
				g.turnTo()
			}
			asked := g.ask()
			row.Handle, row.Body = asked.by, asked.question
			pending = append(pending, reply{asked.answer, row.ID})
		case replySlot:
			row.Agent, row.Handle, row.Body, row.Answers = true, c.Agent, pending[0].text, pending[0].to
			pending = pending[1:]
		default:
			row.Handle = g.person()
			if kind, long := logs[i]; long {
				row.Body = paste(logKinds[kind], 660+g.random.IntN(900), g.random)
			} else {
				row.Body = g.say(row.Handle)
			}
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

type reply struct{ text, to string }

// generator makes one channel.
type generator struct {
	random *rand.Rand
	ids    ids
	topic  topic
	values *strings.Replacer
	used   map[string]bool // said or asked already
}

type slot byte

const (
	chatterSlot slot = iota
	mentionSlot
	replySlot
)

// layout decides who is at which place of the channel. Most draws miss one of the
// sums; the first that hits counts.
func (g *generator) layout() []slot {
	for {
		gaps := g.gaps()
		slots := make([]slot, 0, generatedRows)
		slots = append(slots, mentionSlot)
		pending, hidden := 1, 0
		for _, gap := range gaps {
			start := len(slots) - 1
			for room := gap - 1; room > 0; room-- {
				// Mostly the agent is quick; now and then somebody is quicker.
				if pending > 0 && (room <= pending || g.random.IntN(4) > 0) {
					slots = append(slots, replySlot)
					pending--
				} else {
					slots = append(slots, chatterSlot)
				}
			}
			slots = append(slots, mentionSlot)
			pending++
			for _, passed := range slots[start : start+max(0, gap-delivery.DefaultLimit)] {
				if passed == chatterSlot {
					hidden++
				}
			}
		}
		lead := delivery.DefaultLimit + neverShown - hidden
		tail := generatedRows - lead - len(slots)
		if hidden > neverShown || tail < pending {
			continue
		}
		for range tail {
			if pending > 0 {
				slots = append(slots, replySlot)
				pending--
			} else {
				slots = append(slots, chatterSlot)
			}
		}
		return append(make([]slot, lead), slots...)
	}
}

// gaps draws the distances between mentions.
func (g *generator) gaps() []int {
	gaps := make([]int, generatedMentions-1)
	for {
		sent := 0
		for i := range gaps {
			gaps[i] = g.gap()
			sent += min(gaps[i], delivery.DefaultLimit)
		}
		sorted := slices.Sorted(slices.Values(gaps))
		if sent == sentInGaps && sorted[0] == gapMin && sorted[len(sorted)/2] == gapMedian && sorted[len(sorted)-1] == gapMax {
			return gaps
		}
	}
}

// gap draws one: mostly short, some long.
func (g *generator) gap() int {
	switch n := g.random.IntN(20); {
	case n < 10:
		return gapMin + g.random.IntN(gapMedian)
	case n < 18:
		return gapMedian + g.random.IntN(6)
	case n < 19:
		return 10 + g.random.IntN(10)
	}
	return gapMax
}

// logsAt chooses where logs are pasted, each of another kind, and of which.
func (g *generator) logsAt(slots []slot) map[int]int {
	var free []int
	last := slices.Index(slots, mentionSlot)
	for i, s := range slots {
		if s == mentionSlot {
			last = i
		}
	}
	for i, s := range slots[:last] {
		if s == chatterSlot {
			free = append(free, i)
		}
	}
	g.random.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	at := make(map[int]int, generatedLong)
	for i, kind := range g.random.Perm(len(logKinds))[:generatedLong] {
		at[free[i]] = kind
	}
	return at
}

// later is when the next row is posted: mostly soon, sometimes after a pause.
func (g *generator) later(t time.Time) time.Time {
	wait := time.Duration(4_000+g.random.IntN(170_000)) * time.Millisecond
	if g.random.IntN(12) == 0 {
		wait += time.Duration(10+g.random.IntN(80)) * time.Minute
	}
	return t.Add(wait)
}

// turnTo goes on to another topic.
func (g *generator) turnTo() {
	topics := theScript().topics
	g.topic = topics[g.random.IntN(len(topics))]
	number := func(from, to int) string { return fmt.Sprint(from + g.random.IntN(to-from)) }
	of := func(words ...string) string { return words[g.random.IntN(len(words))] }
	g.values = strings.NewReplacer(
		"{pr}", "#"+number(1200, 2400), "{n}", number(2, 40), "{ms}", number(12, 90)+"0", "{pct}", number(3, 60),
		"{sha}", fmt.Sprintf("%07x", g.random.IntN(1<<28)),
		"{file}", of("retry.go", "session.go", "store/list.go", "api/items.ts", "worker/export.py", "cache_test.go", "deploy/web.yaml", "ws/client.ts"),
		"{svc}", of("api", "web", "worker", "gateway", "export", "billing"),
		"{flag}", of("new_sort", "fast_export", "ws_ping", "strict_retry"),
	)
}

// fill says a line of the script, with what its words stand for at the moment.
func (g *generator) fill(line string) string {
	if g.values == nil {
		g.turnTo()
	}
	return g.values.Replace(line)
}

// fresh chooses a line that was not said yet, if there is one.
func (g *generator) fresh(lines []string) string {
	var left []string
	for _, line := range lines {
		if !g.used[line] {
			left = append(left, line)
		}
	}
	if len(left) == 0 {
		left = lines
	}
	line := left[g.random.IntN(len(left))]
	g.used[line] = true
	return line
}

// ask asks the agent something about the topic, or if that is exhausted about
// anything.
func (g *generator) ask() ask {
	if g.values == nil {
		g.turnTo()
	}
	for _, t := range []topic{g.topic, theScript().anything} {
		for _, i := range g.random.Perm(len(t.asks)) {
			if a := t.asks[i]; !g.used[a.question] {
				g.used[a.question] = true
				return ask{a.by, g.fill(a.question), g.fill(a.answer)}
			}
		}
	}
	g.turnTo()
	return g.ask()
}

// say says something about the topic, or about anything.
func (g *generator) say(who string) string {
	if g.values == nil {
		g.turnTo()
	}
	lines := g.topic.says[who]
	if g.random.IntN(4) == 0 || !slices.ContainsFunc(lines, func(line string) bool { return !g.used[line] }) {
		lines = theScript().anything.says[who]
	}
	return g.fill(g.fresh(lines))
}

func (g *generator) person() string {
	n := g.random.IntN(20)
	for _, p := range people {
		if n -= p.weight; n < 0 {
			return p.handle
		}
	}
	return ""
}
