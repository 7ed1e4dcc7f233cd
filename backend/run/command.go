package run

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/delivery"
	"hearth/backend/plain"
	"hearth/backend/prompt"
)

// commandOf finds the command of the client's that a turn is, if it is one: the
// owner's own row, which addresses this agent alone and is nothing but the command.
// What other people and agents write is data, so theirs never is.
func commandOf(m Material, known []chat.Command) (c chat.Command, text string, ok bool) {
	if !m.Addressed.IsOwners() {
		return chat.Command{}, "", false
	}
	addressed, _ := addressees(m.Channel, m.Agents, m.Addressed.Body)
	if len(addressed) != 1 || addressed[0].ID != m.Binding.ID {
		return chat.Command{}, "", false
	}
	return chat.CommandIn(m.Addressed.Body, []string{m.Binding.Handle}, known)
}

// composeCommand makes the turn of a command: it alone. Of the watermark only the
// ids grow, by the row that holds it; whatever else is new stays new.
func composeCommand(r Run, m Material, lease Lease, c chat.Command, text string) (composed, error) {
	sent, err := prompt.Command(text)
	if err != nil {
		return composed{}, err
	}
	out := composed{text: sent.Text, command: &c}
	if c.Name == chat.CommandClear {
		return out, nil // nothing is sent
	}
	out.sent.Blocks = sent.Blocks
	if !m.Binding.Remembers() {
		return out, nil
	}
	mark := delivery.Watermark{Native: lease.Native()}
	if before, ok := m.Watermarks[r.ThreadRootID]; ok && before.Native == lease.Native() {
		mark, out.sent.Before = before, &before
	}
	mark = mark.Wrote(m.Addressed.ID)
	out.sent.Staged = &mark
	return out, nil
}

// answered is what is posted as the answer to a command, and as what. An answer that
// a model gave is a reply like any other.
func answered(l *live, o Outcome) (reply string, note chat.Note) {
	switch {
	case o.Compacted != nil && strings.TrimSpace(o.Reply) == "":
		reply = fmt.Sprintf("The conversation was compacted: %s tokens before", plain.Grouped(o.Compacted.Before))
		if o.Compacted.After > 0 {
			reply += fmt.Sprintf(", about %s after", plain.Grouped(o.Compacted.After))
		}
		reply += ". The agent now knows a summary of it."
	case !o.Local:
		return o.Reply, chat.NoteNone
	case strings.TrimSpace(o.Reply) != "":
		reply = readable(o.Reply)
	default:
		// What it says of its own does not always reach the result.
		reply = readable(l.lastText())
	}
	if reply == "" {
		reply = "Done. The client has nothing to say about it."
	}
	return reply, chat.NoteCommand
}

// escapes are the sequences with which a program colours a terminal or titles it.
var escapes = regexp.MustCompile(`\x1b(?:\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x40-\x5a\x5c-\x5f])`)

// aligned is a line whose columns are made of spaces.
var aligned = regexp.MustCompile(`(?m)^ *\S.* {3,}\S|^ {5,}\S`)

// readable makes what a client wrote for a terminal fit for a message, which is
// Markdown: without colours, and with aligned columns as they are.
func readable(text string) string {
	text = strings.TrimSpace(escapes.ReplaceAllString(text, ""))
	markdown := strings.HasPrefix(text, "#") || strings.Contains(text, "\n#") || strings.Contains(text, "\n|") || strings.Contains(text, "```")
	if !markdown && aligned.MatchString(text) {
		text = "```text\n" + text + "\n```"
	}
	return text
}

// startFresh does what is done in the place of the client's own clear: that would
// open a native session that Hearth knows nothing of. The worker of the queue is at
// the run, so nothing else begins in it meanwhile.
func (s *Service) startFresh(ctx context.Context, r Run, b chat.Binding, named string) Outcome {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	b, err := s.store.Fresh(bounded, b.ID)
	if err != nil {
		return Outcome{IsError: true, Message: "It could not be started fresh: " + err.Error()}
	}
	s.bus.Publish(BindingEvent(EventBindingUpdated, b))
	if err := s.agents.End(bounded, r.Key(), BecauseFresh); err != nil {
		// It is never lent again; the roster shows that it does not end.
		s.log.Error("end an agent's process after it was started fresh", "channel", r.ChannelID, "binding", b.ID, "error", err)
	}
	return Outcome{Local: true, Reply: fmt.Sprintf(
		"Started fresh: @%s has forgotten what it was told here, and its next turn begins with the newest messages of the channel. "+
			"`%s` was not sent to the client, which would have opened a conversation that Hearth knows nothing of.", b.Handle, named)}
}
