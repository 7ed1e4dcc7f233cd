package run

import (
	"context"

	"hearth/backend/chat"
)

// Post stores a person's row together with the runs it causes, in one durable
// transaction, and wakes the agents it addresses.
func (s *Service) Post(ctx context.Context, p Posting) (chat.Row, []Run, error) {
	var err error
	if p.Body, err = checkedBody(p.Body); err != nil {
		return chat.Row{}, nil, err
	}
	p.Author = chat.CleanHandle(p.Author)
	if p.Author != "" {
		if err := chat.CheckHandle(p.Author); err != nil {
			return chat.Row{}, nil, err
		}
	}
	channel, err := s.store.Channel(ctx, p.ChannelID)
	if err != nil {
		return chat.Row{}, nil, err
	}
	bindings, err := s.store.Bindings(ctx, p.ChannelID)
	if err != nil {
		return chat.Row{}, nil, err
	}
	for _, b := range bindings {
		if p.Author != "" && chat.Fold(b.Handle) == chat.Fold(p.Author) {
			return chat.Row{}, nil, chat.Errorf(chat.CodeInvalid, "@%s is an agent of this channel; a person needs another handle.", b.Handle)
		}
	}
	runs, err := causes(channel, bindings, p.Body)
	if err != nil {
		return chat.Row{}, nil, err
	}
	row := chat.Row{ChannelID: channel.ID, ThreadRootID: p.ThreadRootID, Kind: chat.KindUser, Handle: p.Author, Body: p.Body}
	return s.storeRow(ctx, row, runs)
}

// checkedBody cleans the text of a message and says what is wrong with it.
func checkedBody(body string) (string, error) {
	body = chat.CleanBody(body)
	return body, chat.CheckBody(body)
}

// causes returns the runs that a person's row causes: one an agent it addresses,
// at most chat.MaxRecipients.
func causes(channel chat.Channel, bindings []chat.Binding, body string) ([]Run, error) {
	addressed, cause := addressees(channel, bindings, body)
	if len(addressed) > chat.MaxRecipients {
		return nil, chat.Errorf(chat.CodeInvalid, "The message addresses %d agents; %d is the most. Post it in parts.", len(addressed), chat.MaxRecipients)
	}
	runs := make([]Run, len(addressed))
	for i, b := range addressed {
		runs[i] = Run{BindingID: b.ID, Cause: cause}
	}
	return runs, nil
}

// storeRow stores one row with its runs and tells everyone.
func (s *Service) storeRow(ctx context.Context, row chat.Row, runs []Run) (chat.Row, []Run, error) {
	row, runs, err := s.store.Post(ctx, row, runs)
	if err != nil {
		return chat.Row{}, nil, err
	}
	s.publishRow(EventRowCreated, row)
	for _, r := range runs {
		s.publishRun(r)
		s.wake(r.Key())
	}
	return row, runs, nil
}

// addressees returns the agents a row addresses: on a direct line its agent,
// elsewhere those it mentions.
func addressees(c chat.Channel, bindings []chat.Binding, body string) ([]chat.Binding, Cause) {
	if c.Direct {
		return bindings, CauseDirect
	}
	byHandle := make(map[string]chat.Binding, len(bindings))
	handles := make([]string, len(bindings))
	for i, b := range bindings {
		byHandle[b.Handle], handles[i] = b, b.Handle
	}
	var out []chat.Binding
	for _, handle := range chat.Mentions(body, handles) {
		out = append(out, byHandle[handle])
	}
	return out, CauseMention
}

// Said is what came of a word an agent posted while its turn was going.
type Said struct {
	RowID      string
	Woke       []string          // handles of the agents it reached
	NotReached map[string]string // the others, and why
}

// Say posts an interim word of the agent that works in a queue, and wakes the
// agents it is addressed to.
func (s *Service) Say(ctx context.Context, key Key, body string, to []string) (Said, error) {
	body, err := checkedBody(body)
	if err != nil {
		return Said{}, err
	}
	if len(to) > chat.MaxRecipients {
		return Said{}, chat.Errorf(chat.CodeInvalid, "A message can be addressed to %d agents at most; got %d.", chat.MaxRecipients, len(to))
	}
	binding, err := s.store.Binding(ctx, key.BindingID)
	if err != nil {
		return Said{}, err
	}
	bindings, err := s.store.Bindings(ctx, key.ChannelID)
	if err != nil {
		return Said{}, err
	}
	from := Run{} // a turn nobody asked for has no run yet: it speaks in the channel
	l := s.liveOf(key)
	if l != nil {
		from = l.run
		if l.declinedFor() != "" {
			return Said{}, chat.Errorf(chat.CodeConflict, "You have declined this message; nothing more is posted.")
		}
	}
	said := Said{NotReached: map[string]string{}}
	var runs []Run
	seen := map[string]bool{}
	for _, handle := range to {
		target, why := addressee(binding, bindings, handle, from.Hops)
		switch {
		case why != "":
			said.NotReached[handle] = why
		case !seen[target.ID]:
			seen[target.ID] = true
			runs = append(runs, Run{BindingID: target.ID, Cause: CauseAgent, Hops: from.Hops + 1})
			said.Woke = append(said.Woke, target.Handle)
		}
	}
	row, _, err := s.storeRow(ctx, chat.Row{
		ChannelID: key.ChannelID, ThreadRootID: from.ThreadRootID, Kind: chat.KindAgent, Handle: binding.Handle,
		BindingID: binding.ID, RunID: from.ID, Note: chat.NoteInterim, Body: body,
	}, runs)
	if err != nil {
		return Said{}, err
	}
	if l != nil {
		l.posted(row.ID)
	}
	said.RowID = row.ID
	return said, nil
}

// addressee finds the agent an agent wants to wake, or says why it can't.
func addressee(self chat.Binding, bindings []chat.Binding, handle string, hops int) (chat.Binding, string) {
	folded := chat.Fold(chat.CleanHandle(handle))
	for _, b := range bindings {
		if chat.Fold(b.Handle) != folded {
			continue
		}
		switch {
		case b.ID == self.ID:
			return b, "that is you"
		case hops >= MaxHops:
			return b, "agents have woken one another too often in a row; a person has to speak first"
		}
		return b, ""
	}
	return chat.Binding{}, "no agent of this channel has that handle"
}

// Decline notes that the agent that works in a queue refuses its run; the reason
// becomes its reply.
func (s *Service) Decline(_ context.Context, key Key, reason string) error {
	reason, err := checkedBody(reason)
	if err != nil {
		return err
	}
	l := s.liveOf(key)
	if l == nil {
		return chat.Errorf(chat.CodeConflict, "There is no message to decline: nobody asked for this turn.")
	}
	l.decline(reason)
	return nil
}
