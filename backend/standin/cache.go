package standin

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"
)

// Usage is what a request cost, in tokens. InputTokens, CacheRead and
// CacheCreation add up to the whole input.
type Usage struct {
	InputTokens              int           `json:"input_tokens"`
	CacheCreationInputTokens int           `json:"cache_creation_input_tokens"`
	CacheReadInputTokens     int           `json:"cache_read_input_tokens"`
	CacheCreation            CacheCreation `json:"cache_creation"`
	OutputTokens             int           `json:"output_tokens"`
}

// CacheCreation splits what was written by how long it is kept.
type CacheCreation struct {
	Ephemeral5m int `json:"ephemeral_5m_input_tokens"`
	Ephemeral1h int `json:"ephemeral_1h_input_tokens"`
}

// Total is the whole input, in tokens.
func (u Usage) Total() int {
	return u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens
}

const (
	// lookBack is how many positions are looked at from a breakpoint backwards,
	// the breakpoint's own counted as the first.
	lookBack = 20
	// maxEntries bounds the cache; past it the entries that end soonest go.
	maxEntries = 200_000
)

// MinCacheable is the shortest prefix, in tokens, that a model's cache takes:
// 1,024 unless the Messages API's page on prompt caching (as of autumn 2026) has
// another figure for the model. Shorter prefixes are billed as plain input, without an error.
func MinCacheable(model string) int {
	model, _, _ = strings.Cut(model, "[")
	for _, m := range minimums {
		rest, ok := strings.CutPrefix(model, m.model)
		if ok && (rest == "" || isDate(rest)) {
			return m.tokens
		}
	}
	return 1024
}

var minimums = []struct {
	model  string
	tokens int
}{
	{"claude-opus-5", 512}, {"claude-fable-5", 512}, {"claude-mythos-5", 512},
	{"claude-opus-4-7", 2048},
	{"claude-opus-4-6", 4096}, {"claude-opus-4-5", 4096}, {"claude-haiku-4-5", 4096},
	{"claude-3-5-haiku", 2048}, {"claude-3-haiku", 2048},
}

func isDate(s string) bool {
	if s == "-latest" {
		return true
	}
	if len(s) != 9 || s[0] != '-' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}

// cache keeps prefixes by the rules of the Messages API:
//
//   - A prefix is everything from the start of the request (tools, then system,
//     then messages) to the end of one block. It is the same prefix when the
//     content of its blocks is; cache_control is no content.
//   - A marked block (a breakpoint) writes one entry, that of the prefix it ends,
//     when the prefix is long enough. Nothing is written in between.
//   - Each breakpoint reads the longest entry among the 20 positions that end with
//     its own. The longest of these over all breakpoints is what the request reads.
//   - An entry lives 5 minutes or an hour from its write, and again that long from
//     each request that used its content. A read never changes how long it is kept.
//   - An entry belongs to one API key and one model. What the model is told beside the
//     prompt (tool_choice, thinking, whether there are images) is part of every
//     prefix that reaches into the messages, and of no shorter one.
//   - An entry can be read once the answer that wrote it has begun, so a request that
//     failed writes nothing, and two at once do not read from each other.
type cache struct {
	mu      sync.Mutex
	entries map[digest]entry
}

type digest [sha256.Size]byte

type entry struct {
	ttl time.Duration
	end time.Time
}

// position is one block of a request, in the cache's order.
type position struct {
	prefix digest        // identity of everything up to and with this block
	tokens int           // length of that prefix
	ttl    time.Duration // 0: not a breakpoint
	unread bool          // written and billed, but never found again; see Options.TrailingSystemMiss
}

// plan is what a request will read and write.
type plan struct {
	usage  Usage
	read   []digest // entries whose content is used
	writes []write
}

type write struct {
	prefix digest
	ttl    time.Duration
}

// look plans a request without changing anything.
func (c *cache) look(positions []position, minimum int, now time.Time) plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	var p plan
	total := 0
	if len(positions) > 0 {
		total = positions[len(positions)-1].tokens
	}
	readAt := -1
	for i, at := range positions {
		if at.ttl == 0 || at.tokens < minimum {
			continue
		}
		for back := i; back >= 0 && back > i-lookBack; back-- {
			if c.live(positions[back].prefix, now) {
				readAt = max(readAt, back)
				break
			}
		}
	}
	read := 0
	if readAt >= 0 {
		read = positions[readAt].tokens
	}
	for i := 0; i <= readAt; i++ {
		if c.live(positions[i].prefix, now) {
			p.read = append(p.read, positions[i].prefix)
		}
	}
	hour, last := read, read
	for i, at := range positions {
		if at.ttl == 0 || at.tokens < minimum {
			continue
		}
		if !at.unread && !c.live(at.prefix, now) {
			p.writes = append(p.writes, write{prefix: at.prefix, ttl: at.ttl})
		}
		if i <= readAt {
			continue
		}
		last = at.tokens
		if at.ttl == time.Hour {
			hour = at.tokens
		}
	}
	p.usage = Usage{
		InputTokens:              total - last,
		CacheReadInputTokens:     read,
		CacheCreationInputTokens: last - read,
		CacheCreation:            CacheCreation{Ephemeral1h: hour - read, Ephemeral5m: last - hour},
	}
	return p
}

// commit does what a plan says, when the answer begins.
func (c *cache) commit(p plan, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, prefix := range p.read {
		if e, ok := c.entries[prefix]; ok {
			e.end = now.Add(e.ttl)
			c.entries[prefix] = e
		}
	}
	for _, w := range p.writes {
		if e, ok := c.entries[w.prefix]; ok && e.ttl > w.ttl && now.Before(e.end) {
			continue // someone else wrote it meanwhile, for longer
		}
		c.entries[w.prefix] = entry{ttl: w.ttl, end: now.Add(w.ttl)}
	}
	c.sweep(now)
}

// forget drops every entry.
func (c *cache) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
}

func (c *cache) live(prefix digest, now time.Time) bool {
	e, ok := c.entries[prefix]
	return ok && now.Before(e.end)
}

// sweep drops what has ended once the cache is full, and everything if that
// does not help: a stand-in may forget, it must not grow without end.
func (c *cache) sweep(now time.Time) {
	if len(c.entries) <= maxEntries {
		return
	}
	for prefix, e := range c.entries {
		if !now.Before(e.end) {
			delete(c.entries, prefix)
		}
	}
	if len(c.entries) > maxEntries {
		clear(c.entries)
	}
}
