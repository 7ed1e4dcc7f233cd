package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hearth/backend/plain"
)

// Kind says what a Block is.
type Kind string

// The kinds, in the order in which they are sent.
const (
	KindFraming  Kind = "framing"
	KindReplay   Kind = "replay"
	KindPayload  Kind = "payload"
	KindBrief    Kind = "brief"
	KindReminder Kind = "reminder"
	KindRows     Kind = "rows"
	KindIndex    Kind = "index"
	KindCommand  Kind = "command" // alone in its turn
)

// Block is a part of what is sent. The texts of a turn's blocks, one after the
// other, are the turn to the byte: what separates two blocks belongs to one of them.
type Block struct {
	Kind Kind
	Text string
}

// Payload is the message a turn is about, and what is needed to answer it.
type Payload struct {
	// Direct says that the message came on the agent's direct line, where no
	// mention is needed. It chooses the first line and is not in the JSON.
	Direct bool

	ChannelID     string
	MessageID     string
	RunID         string
	BindingID     string
	Runtime       string  // such as cli:claude:agent
	Supervised    bool    // Hearth holds the process
	Resident      bool    // the process lives on between turns
	ThreadRootID  string  // empty at the top level, null in the JSON
	Agents        []Agent // of the channel, as channel_post can address them
	MaxRecipients int
	Text          string // what the person wrote, as they wrote it
}

// Agent is an agent of the channel that channel_post can address.
type Agent struct {
	Handle    string // without @
	Reachable bool   // it would be woken by a message to it
}

// payloadJSON is the wire form; the order of its fields is the order of the keys.
type payloadJSON struct {
	ChannelID     string      `json:"channel_id"`
	MessageID     string      `json:"message_id"`
	RunID         string      `json:"run_id"`
	BindingID     string      `json:"binding_id"`
	Runtime       string      `json:"runtime"`
	Supervised    bool        `json:"supervised"`
	Resident      bool        `json:"resident"`
	ThreadRootID  *string     `json:"thread_root_id"`
	ChannelAgents []agentJSON `json:"channel_agents"`
	MaxRecipients int         `json:"max_recipients"`
	Text          string      `json:"text"`
}

type agentJSON struct {
	Handle    string `json:"handle"`
	Reachable bool   `json:"reachable"`
}

// ErrEmptyTurn is returned for a turn that says nothing. Such a turn is a fault
// of the caller and must not reach a model.
var ErrEmptyTurn = errors.New("the newest user turn is empty")

// Opening is how the text of every turn begins, a cold one with a replay too.
//
// Problem: Claude Code 2.1.332 puts a checksum of characters 4, 7 and 20 of a
// session's first message into the first block of its system prompt, so two
// sessions whose first messages begin differently do not share a cached prefix.
// Solution: they begin alike, for longer than that.
const Opening = "You were mentioned in "

// The first lines never change by a byte.
const (
	mentioned = Opening + "a team chat channel. The details are below."
	direct    = Opening + "a direct line. The details are below."
)

// Newest returns the newest user turn. With briefEveryTurn it carries the brief,
// else the reminder; rowsBlock and index may be empty. A payload whose text is
// empty or only white space is ErrEmptyTurn.
func Newest(p Payload, briefEveryTurn bool, rowsBlock, index string) ([]Block, error) {
	if strings.TrimSpace(p.Text) == "" {
		return nil, fmt.Errorf("make turn of message %q: %w", p.MessageID, ErrEmptyTurn)
	}
	line, err := p.line()
	if err != nil {
		return nil, fmt.Errorf("make turn of message %q: %w", p.MessageID, err)
	}
	first := mentioned
	if p.Direct {
		first = direct
	}
	blocks := []Block{{KindPayload, first + "\n\n" + line + "\n\n---"}}
	add := func(kind Kind, text string) {
		if text != "" {
			blocks = append(blocks, Block{kind, "\n\n" + text})
		}
	}
	if briefEveryTurn {
		add(KindBrief, brief)
	} else {
		add(KindReminder, reminder)
	}
	add(KindRows, rowsBlock)
	add(KindIndex, index)
	return blocks, nil
}

// line writes the payload as JSON on one line that shows what it holds:
// characters that would be invisible or turn the text round are escaped.
func (p Payload) line() (string, error) {
	wire := payloadJSON{
		ChannelID: p.ChannelID, MessageID: p.MessageID, RunID: p.RunID, BindingID: p.BindingID,
		Runtime: p.Runtime, Supervised: p.Supervised, Resident: p.Resident,
		ChannelAgents: make([]agentJSON, len(p.Agents)),
		MaxRecipients: p.MaxRecipients, Text: p.Text,
	}
	if p.ThreadRootID != "" {
		wire.ThreadRootID = &p.ThreadRootID
	}
	for i, agent := range p.Agents {
		wire.ChannelAgents[i] = agentJSON(agent)
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // < and > in code read better as they are, and nothing here is HTML
	if err := encoder.Encode(wire); err != nil {
		return "", err
	}
	return plain.EscapeJSON(strings.TrimSuffix(line.String(), "\n")), nil
}
