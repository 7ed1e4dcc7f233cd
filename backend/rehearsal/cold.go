package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"hearth/backend/claude"
	"hearth/backend/sim"
	"hearth/backend/standin"
)

// ColdStart is how much of a new process's first request was in the cache.
type ColdStart struct {
	Case   string `json:"case"` // a word for scripts
	Title  string `json:"title"`
	From   string `json:"from"`   // the version of the first process
	Client string `json:"client"` // and of the new one
	// Dynamic says that the client's dynamic sections were left in its system prompt.
	Dynamic bool `json:"dynamic_sections"`
	// Expected says why it can't be read; empty: Hearth's goal is that all of the
	// prefix is.
	Expected string        `json:"expected,omitempty"`
	Sizes    standin.Sizes `json:"request"`     // of the new process's first request
	Read     int           `json:"read_tokens"` // of it, from the cache
	Whole    bool          `json:"whole"`       // all of tools and system was
	// Differs are the parts that the two processes' first requests do not have in
	// common, before the first turn's own text.
	Differs []Difference `json:"differs"`
}

// Prefix is the length of tools and system, in tokens.
func (c ColdStart) Prefix() int { return c.Sizes.Tools + c.Sizes.System }

// PrefixRead is how much of tools and system was read, in tokens.
func (c ColdStart) PrefixRead() int { return min(c.Read, c.Prefix()) }

// Moved is the first part of the prefix that differs; empty: none.
func (c ColdStart) Moved() Difference {
	for _, d := range c.Differs {
		if d.Prefix {
			return d
		}
	}
	return Difference{}
}

// coldCase is one thing that is different for the second process.
type coldCase struct {
	key, title string
	expected   string
	hearth     bool // only as Hearth starts the client: the dynamic sections make no difference to it
	// change makes the difference. It is called between the two processes; before is
	// how the first was started, and first what it said of itself.
	change func(ctx context.Context, p *place, before start, first claude.Init, after *start) error
	// both changes how both are started.
	both func(*start)
}

// texts are what first turns say.
type texts struct{ first, second, replayed string }

// coldCases are what a new process may find changed, in the order of the report.
func coldCases(t texts, clients []Client) []coldCase {
	simple := func(change func(*start)) func(context.Context, *place, start, claude.Init, *start) error {
		return func(_ context.Context, _ *place, _ start, _ claude.Init, after *start) error {
			change(after)
			return nil
		}
	}
	hour := func(s *start) { s.env = map[string]string{"ENABLE_PROMPT_CACHING_1H": "1"} }
	cases := []coldCase{
		{key: "again", title: "nothing: the same again", change: simple(func(*start) {})},
		{key: "text", title: "another message", change: simple(func(s *start) { s.text = t.second })},
		{key: "replay", title: "a replay in front of the message", change: simple(func(s *start) { s.text = t.replayed })},
		{key: "directory", title: "another directory, a repository too", change: func(ctx context.Context, p *place, before start, _ claude.Init, after *start) (err error) {
			after.dir, err = p.repository(ctx, "elsewhere/"+strings.TrimPrefix(before.dir, p.root))
			return err
		}},
		{key: "no_repository", title: "a directory without a repository", change: func(_ context.Context, p *place, before start, _ claude.Init, after *start) (err error) {
			after.dir, err = p.folder("bare/" + strings.TrimPrefix(before.dir, p.root))
			return err
		}},
		{key: "changed_files", title: "files were changed and added", change: func(_ context.Context, _ *place, before start, _ claude.Init, _ *start) error {
			return errors.Join(write(before.dir, "main.go", "package main // changed\n"), write(before.dir, "new.go", "package main\n"))
		}},
		{key: "commit", title: "a commit was made", change: func(ctx context.Context, p *place, before start, _ claude.Init, _ *start) error {
			return p.git(ctx, before.dir, []string{"commit", "-q", "--allow-empty", "-m", "second"})
		}},
		{key: "branch", title: "another branch", change: func(ctx context.Context, p *place, before start, _ claude.Init, _ *start) error {
			return p.git(ctx, before.dir, []string{"checkout", "-q", "-b", "feature/cold-start"})
		}},
		{
			key: "day", title: dayTitle(time.Now()),
			both:   func(s *start) { s.env = map[string]string{"TZ": west} },
			change: simple(func(s *start) { s.env = map[string]string{"TZ": east} }),
		},
		{key: "instructions", title: "a CLAUDE.md was written", change: func(_ context.Context, _ *place, before start, _ claude.Init, _ *start) error {
			return write(before.dir, "CLAUDE.md", "Run the tests before you say that you are done.\n")
		}},
		{key: "home", title: "another home directory", change: func(_ context.Context, p *place, before start, _ claude.Init, after *start) (err error) {
			after.home, err = p.folder("second/" + strings.TrimPrefix(before.home, p.root))
			return err
		}},
		{key: "terminal", title: "another shell, terminal and locale", change: simple(func(s *start) {
			s.env = map[string]string{"SHELL": "/bin/bash", "TERM": "xterm-256color", "LANG": "ko_KR.UTF-8"}
		})},
		{key: "mode", title: "another permission mode", change: simple(func(s *start) { s.mode = "acceptEdits" })},
		{key: "workers", title: "workers of its own", change: simple(func(s *start) {
			s.workers = map[string]claude.Agent{"scout": {Description: "Looks around.", Prompt: "You look around and report.", Tools: []string{"Read", "Bash"}}}
		})},
		{key: "restored", title: "it loads the session of the first", change: func(_ context.Context, _ *place, _ start, first claude.Init, after *start) error {
			after.resume, after.text = first.Native, t.second
			return nil
		}},
		{key: "restored_model", title: "the same, and its model is named", change: func(_ context.Context, _ *place, _ start, first claude.Init, after *start) error {
			after.resume, after.text, after.model = first.Native, t.second, first.Model
			return nil
		}},
		{
			key: "opening", title: "a first message that begins otherwise", expected: "Hearth's turns all begin with the same words",
			change: simple(func(s *start) { s.text = "Hello, and good morning to you all." }),
		},
		{
			key: "handle", title: "an agent with another name", expected: "its name stands in the framing",
			change: simple(func(s *start) { s.framing = sim.Framing("analyst") }),
		},
		{
			key: "model", title: "another model", expected: "each model has a cache of its own",
			change: simple(func(s *start) { s.model = "claude-sonnet-4-5" }),
		},
		{
			key: "life", title: "the cache is kept for an hour now", expected: "the client may tell the model how long it is kept", hearth: true,
			change: simple(hour),
		},
		{
			key: "six_minutes", title: "six minutes later", expected: "with a key the client asks to keep it for five", hearth: true,
			change: simple(func(s *start) { s.after = 6 * time.Minute }),
		},
		{key: "six_minutes_of_hour", title: "six minutes later, kept for an hour", hearth: true, both: hour, change: simple(func(s *start) { s.after = 6 * time.Minute })},
		{
			key: "hour", title: "an hour later, kept for an hour", expected: "nothing is kept for longer", hearth: true, both: hour,
			change: simple(func(s *start) { s.after = time.Hour }),
		},
	}
	for _, other := range clients[1:] {
		cases = append(cases, coldCase{
			key: "version", title: "version " + other.Version + " of the client", expected: "another version has other tools and other instructions",
			change: simple(func(s *start) { s.client = other }),
		})
	}
	return cases
}

// It is never the same day in both of these zones: they are 26 hours apart.
const (
	west = "Etc/GMT+12" // behind Greenwich, although it looks otherwise
	east = "Etc/GMT-14"
)

// dayTitle says what the two zones come to: on some days, more than a day.
func dayTitle(now time.Time) string {
	then := now.UTC().Add(-12 * time.Hour)
	later := now.UTC().Add(14 * time.Hour)
	switch {
	case then.Year() != later.Year():
		return "another day, in another year"
	case then.Month() != later.Month():
		return "another day, in another month"
	}
	return "another day"
}

// pair is a cold start that is to be measured.
type pair struct {
	coldCase
	client  Client
	dynamic bool
}

// allPairs lists all cold starts of a rehearsal.
func (r *rehearsing) allPairs(t texts) []pair {
	var all []pair
	for i, client := range r.options.Clients {
		cases := coldCases(t, r.options.Clients)
		if i > 0 {
			cases = coldCases(t, []Client{client})
		}
		for _, c := range cases {
			if r.options.wants(c.key) {
				all = append(all, pair{c, client, false})
				if !c.hearth {
					all = append(all, pair{c, client, true})
				}
			}
		}
	}
	return all
}

// cold measures one cold start.
func (r *rehearsing) cold(ctx context.Context, n int, c pair, text string) (out ColdStart, err error) {
	before := start{client: c.client, framing: sim.Framing("claude"), dynamic: c.dynamic, text: text}
	if before.home, err = r.folder(fmt.Sprintf("cold-%d/home", n)); err != nil {
		return out, err
	}
	if before.dir, err = r.repository(ctx, fmt.Sprintf("cold-%d/work", n)); err != nil {
		return out, err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(fmt.Sprintf("%s/cold-%d", r.root, n)))
	}()
	if c.both != nil {
		c.both(&before)
	}
	m := newModel(false)
	r.gate.lead(m)
	first, said, err := r.once(ctx, before, m)
	if err != nil {
		return out, fmt.Errorf("the first process: %w", err)
	}
	after := before
	if err := c.change(ctx, r.place, before, said, &after); err != nil {
		return out, err
	}
	m.pass(after.after)
	second, _, err := r.once(ctx, after, m)
	if err != nil {
		return out, fmt.Errorf("the second process: %w", err)
	}
	out = ColdStart{
		Case: c.key, Title: c.title, From: before.client.Version, Client: after.client.Version, Dynamic: c.dynamic, Expected: c.expected,
		Sizes: m.Sizes(second.Request), Read: second.Usage.CacheReadInputTokens,
	}
	out.Whole = out.Read >= out.Prefix()
	old, err := r.surroundings(first.Request, before.text, after.text)
	if err != nil {
		return out, err
	}
	parts, err := r.surroundings(second.Request, before.text, after.text)
	if err != nil {
		return out, err
	}
	out.Differs = append([]Difference{}, differences(old, parts)...)
	return out, nil
}

// surroundings are the parts of a request that were there before its first turn, or
// are around it: not the turns' own texts, and not what came behind the first. The
// scratch folder's name is left out of them.
func (r *rehearsing) surroundings(q standin.Request, texts ...string) ([]part, error) {
	parts, err := partsOf(q)
	if err != nil {
		return nil, err
	}
	// The client makes a folder's name of a path by dashes.
	scratch := strings.NewReplacer(r.root, "/scratch", strings.NewReplacer("/", "-", ".", "-").Replace(r.root), "-scratch")
	kept := parts[:0]
	for _, p := range parts {
		if p.message <= 2 && !slices.Contains(texts, strings.TrimPrefix(p.text, "user\n")) {
			p.text = scratch.Replace(p.text)
			kept = append(kept, p)
		}
	}
	return kept, nil
}

// once starts a process for one turn and ends it.
func (r *rehearsing) once(ctx context.Context, s start, m model) (e standin.Entry, said claude.Init, err error) {
	session, err := r.open(ctx, s)
	if err != nil {
		return e, said, err
	}
	defer func() { err = errors.Join(err, shut(ctx, session)) }()
	if err := turn(ctx, session, s.text); err != nil {
		return e, said, err
	}
	e, err = m.last(session.Native())
	if err == nil && !arrived(e.Request, s.text) {
		err = errors.New("what the turn says is not in the request as it was sent")
	}
	return e, session.Info(), err
}
