package standin

import (
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"
)

// blobTokens is what an image or a document counts, whatever its size: the API
// counts pixels and pages, not characters. 1,600 is about one full-size image.
const blobTokens = 1600

// counter reads blocks once: the same system, tools and history come with every
// request.
type counter struct {
	count func(string) int
	mu    sync.Mutex
	known map[digest]known // by the block's bytes
}

// known is what is kept of a block.
type known struct {
	content digest // of its canonical text
	tokens  int
}

const maxKnown = 20_000

// block identifies a block by its content and counts it. text is what a block
// of text says.
func (c *counter) block(raw json.RawMessage, text string, isText bool) known {
	key := digest(sha256.Sum256(raw))
	c.mu.Lock()
	k, ok := c.known[key]
	c.mu.Unlock()
	if ok {
		return k
	}
	canonical := appendBlock(make([]byte, 0, len(raw)), raw)
	k.content = sha256.Sum256(canonical)
	if isText {
		k.tokens = c.count(text)
	} else {
		counted, blobs := withoutBlobs(canonical)
		k.tokens = c.count(string(counted)) + blobs*blobTokens
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxKnown {
		clear(c.known)
	}
	c.known[key] = k
	return k
}

// chain walks a request's blocks in the cache's order.
type chain struct {
	counter   *counter
	prefix    digest
	tokens    int
	positions []position
}

func (h *chain) add(section, role string, raw json.RawMessage, text string, isText bool, marker *cacheMarker) {
	k := h.counter.block(raw, text, isText)
	h.tokens += k.tokens
	h.mix([]byte(section), []byte(role), k.content[:])
	at := position{prefix: h.prefix, tokens: h.tokens}
	if marker != nil {
		at.ttl = 5 * time.Minute
		if marker.TTL == "1h" {
			at.ttl = time.Hour
		}
	}
	h.positions = append(h.positions, at)
}

// mix makes everything that follows depend on what is given.
func (h *chain) mix(parts ...[]byte) {
	sum := sha256.New()
	sum.Write(h.prefix[:])
	for _, part := range parts {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	sum.Sum(h.prefix[:0])
}

// positions returns the request's blocks in the cache's order: tools, system,
// messages.
func (r Request) positions(c *counter, trailingSystemMiss bool) []position {
	h := &chain{counter: c}
	h.mix([]byte(r.APIKey), []byte(r.Model))
	for _, t := range r.Tools {
		h.add("tools", "", t.Raw, "", false, t.marker)
	}
	for _, b := range r.System {
		h.add("system", "", b.Raw, b.Text, b.Type == "text", b.marker)
	}
	images := "without images"
	if r.hasImages() {
		images = "with images"
	}
	h.mix(appendCompact(nil, r.toolChoice), appendCompact(nil, r.thinking), []byte(images))
	for _, m := range r.Messages {
		for _, b := range m.Content {
			h.add("messages", m.Role, b.Raw, b.Text, b.Type == "text", b.marker)
			if trailingSystemMiss && m.Role == "system" && b.marker != nil {
				h.positions[len(h.positions)-1].unread = true
			}
		}
	}
	if r.automatic != nil {
		h.markLast(r)
	}
	return h.positions
}

// markLast puts the request's own cache_control on its last block that can
// carry one.
func (h *chain) markLast(r Request) {
	at := len(h.positions) - 1
	for i := len(r.Messages) - 1; i >= 0; i-- {
		for j := len(r.Messages[i].Content) - 1; j >= 0; j-- {
			b := r.Messages[i].Content[j]
			if b.Type != "thinking" && b.Type != "redacted_thinking" && (b.Type != "text" || b.Text != "") {
				h.positions[at].ttl = 5 * time.Minute
				if r.automatic.TTL == "1h" {
					h.positions[at].ttl = time.Hour
				}
				return
			}
			at--
		}
	}
}

func (r Request) hasImages() bool {
	for _, m := range r.Messages {
		for _, b := range m.Content {
			if b.Type == "image" {
				return true
			}
			for _, inner := range b.Content {
				if inner.Type == "image" {
					return true
				}
			}
		}
	}
	return false
}

// withoutBlobs takes the data of base64 sources out of a canonical block and
// says how many there were.
func withoutBlobs(canonical []byte) ([]byte, int) {
	const key = `"data":"`
	var out []byte
	n, from := 0, 0
	for i := 0; i+len(key) < len(canonical); i++ {
		if canonical[i] != '"' {
			continue
		}
		if string(canonical[i:i+len(key)]) != key {
			i = stringEnd(canonical, i) - 1
			continue
		}
		start := i + len(key)
		end := stringEnd(canonical, start-1) - 1
		if end-start >= 256 { // shorter ones are what a tool calls data
			out = append(out, canonical[from:start]...)
			from = end
			n++
		}
		i = end
	}
	if n == 0 {
		return canonical, 0
	}
	return append(out, canonical[from:]...), n
}
