package standin

import (
	"encoding/json"
	"regexp"
	"strings"
)

// told is what the agent makes of one message: the payload, and what stands
// around it. A message without a payload is its own text.
type told struct {
	payload  bool
	text     string // what was addressed to the agent
	replay   bool   // earlier exchanges came along
	first    bool   // the rows are a first look at the channel, not news
	rows     int
	by       map[string]int // rows by who wrote them
	order    []string       // of by, as they came
	changed  []string       // what was done to messages it had been told: edited, deleted
	omitted  string         // the line that says what is not shown; "" is none
	commands []command
}

// command is one line that drives the agent.
type command struct {
	name string
	rest string
}

// openings are the lines a message with a payload begins with, after a replay.
var openings = []string{"You were mentioned in a team chat channel.", "You have a message on your direct line."}

// understand reads a message. Only whole lines of the host's own are looked for:
// whatever people wrote is indented or inside the payload.
func understand(message string) told {
	t := told{text: message, by: map[string]int{}}
	if before, after, ok := cutLine(message); ok {
		if brace := strings.IndexByte(after, '{'); brace >= 0 {
			var payload struct {
				Text *string `json:"text"`
			}
			d := json.NewDecoder(strings.NewReader(after[brace:]))
			if d.Decode(&payload) == nil && payload.Text != nil {
				t.payload, t.text = true, *payload.Text
				t.replay = strings.Contains("\n"+before, "\nUser: ") || strings.Contains("\n"+before, "\nUser (") || strings.Contains("\n"+before, "\nAssistant: ")
				t.readRows(after[brace+int(d.InputOffset()):])
			}
		}
	}
	t.commands = commands(t.text)
	if len(t.commands) == 0 {
		t.commands = wish(t.text)
	}
	return t
}

// cutLine cuts a message before the last line that is an opening.
func cutLine(message string) (before, after string, ok bool) {
	at := -1
	for _, start := range openings {
		at = max(at, strings.LastIndex("\n"+message, "\n"+start))
	}
	if at < 0 {
		return message, "", false
	}
	return message[:at], message[at:], true
}

var changeStart = regexp.MustCompile(`^- \[user (edited|deleted) message [^\]]* since you were told it\]`)

var rowStart = regexp.MustCompile(`^- \[(user|agent)\] (?:([^:]*): )?`)

func (t *told) readRows(after string) {
	in := false
	for _, line := range strings.Split(after, "\n") {
		switch {
		case strings.HasPrefix(line, "Recent messages in this channel, oldest first ("):
			in, t.first = true, true
		case strings.HasPrefix(line, "New messages in this channel since you last heard from it, oldest first ("):
			in = true
		case in && strings.HasPrefix(line, "["):
			t.omitted = line
		case in && strings.HasPrefix(line, "- ["):
			if m := changeStart.FindStringSubmatch(line); m != nil {
				t.changed = append(t.changed, m[1])
				continue
			}
			m := rowStart.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			who := strings.TrimPrefix(m[2], "@")              // what is said back shall address nobody
			if who == "" || strings.ContainsAny(who, " \t") { // the owner has no handle before the colon
				who = "the owner"
			}
			if t.by[who] == 0 {
				t.order = append(t.order, who)
			}
			t.by[who]++
			t.rows++
		}
	}
}

// commands returns the lines of a text that start with a slash, once mentions
// before it are taken away.
func commands(text string) []command {
	var out []command
	for _, line := range strings.Split(text, "\n") {
		line = unaddressed(line)
		if len(line) < 2 || line[0] != '/' {
			continue
		}
		name, rest, _ := strings.Cut(line[1:], " ")
		if commandNames[name] {
			out = append(out, command{name: name, rest: strings.TrimSpace(rest)})
		}
	}
	return out
}

// unaddressed takes away the mentions that a line begins with.
func unaddressed(line string) string {
	line = strings.TrimSpace(line)
	for strings.HasPrefix(line, "@") || strings.HasPrefix(line, "＠") {
		space := strings.IndexAny(line, " \t\u3000")
		if space < 0 {
			return ""
		}
		line = strings.TrimLeft(line[space:], " \t\u3000")
	}
	return line
}

// wishes are the plain words that mean a command, for people who try it out.
var wishes = map[string]command{
	"help": {name: "help"}, "what can you do": {name: "help"},
	"slow": {name: "count"}, "be slow": {name: "count"}, "count": {name: "count"},
	"fail": {name: "stumble"}, "fail once": {name: "stumble"},
	"ask": {name: "ask", rest: askedFor}, "ask me": {name: "ask", rest: askedFor}, "ask first": {name: "ask", rest: askedFor},
	"ask permission": {name: "ask", rest: askedFor}, "ask for permission": {name: "ask", rest: askedFor}, "ask for a permission": {name: "ask", rest: askedFor},
	"roster": {name: "roster"}, "who is here": {name: "roster"}, "history": {name: "history"},
}

// askedFor is the command that it asks to run when nobody says which. It does no
// harm, and is not run.
const askedFor = "git status --short"

// wish returns the command that a message means whose words, mentions and
// courtesies aside, are exactly one of the wishes.
func wish(text string) []command {
	text = strings.ToLower(strings.TrimRight(unaddressed(text), " \t\r\n.!?…。！？"))
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "please "), " please"))
	if c, ok := wishes[text]; ok {
		return []command{c}
	}
	return nil
}
