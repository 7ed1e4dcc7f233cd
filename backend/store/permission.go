package store

import (
	"context"
	"encoding/json"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store/db"
)

// Ask records an open permission question, synced. It sets State and AskedAt, and
// ID where there is none.
func (s *Store) Ask(ctx context.Context, p run.Permission) (asked run.Permission, err error) {
	rules, err := json.Marshal(p.Rules)
	if err != nil {
		return run.Permission{}, s.failed("store a question", err)
	}
	err = s.change(ctx, synced, "store a question", func(ctx context.Context, q *db.Queries) error {
		b, err := present(ctx, q, p.BindingID)
		if err != nil {
			return err
		}
		c, err := q.Channel(ctx, b.ChannelID)
		if err != nil {
			return err
		}
		now := s.tick(&c)
		id := p.ID
		if id == "" {
			id = chat.NewID(timeOf(now))
		}
		err = q.InsertPermission(ctx, db.InsertPermissionParams{
			ID: id, RunID: p.RunID, ChannelID: c.ID, BindingID: b.ID, Tool: p.Tool, Input: string(p.Input),
			AgentID: p.AgentID, Reason: p.Reason, BlockedPath: p.BlockedPath, Workspace: p.Workspace, Rules: string(rules),
			AskedAt: now,
		})
		if err != nil {
			return err
		}
		if err := keep(ctx, q, c); err != nil {
			return err
		}
		asked, err = readPermission(ctx, q, id)
		return err
	})
	return asked, err
}

// Answer closes an open question, synced; with state PermissionAlways it adds
// the rule to the binding's, and without a rule's text this very call; about the
// spending limit, which is no agent's, it adds none. It answers CodeConflict when the question is closed already.
func (s *Store) Answer(ctx context.Context, id string, state run.PermissionState, rule, message string) (closed run.Permission, err error) {
	if state != run.PermissionAllowed && state != run.PermissionAlways && state != run.PermissionDenied {
		return run.Permission{}, chat.Errorf(chat.CodeInvalid, "A question can't be answered with %q.", state)
	}
	err = s.change(ctx, synced, "answer a question", func(ctx context.Context, q *db.Queries) error {
		p, err := q.Permission(ctx, id)
		if err != nil {
			return found(err, "question", id)
		}
		if p.State != string(run.PermissionOpen) {
			return conflict("That question was answered already (%s).", p.State)
		}
		c, err := q.Channel(ctx, p.ChannelID)
		if err != nil {
			return err
		}
		now := s.tick(&c)
		err = q.AnswerPermission(ctx, db.AnswerPermissionParams{
			ID: id, State: string(state), Rule: rule, Message: message, AnsweredAt: now,
		})
		if err != nil {
			return err
		}
		if state == run.PermissionAlways && p.Tool != run.ToolSpend {
			add := db.AddRuleParams{ID: chat.NewID(timeOf(now)), BindingID: p.BindingID, Text: rule, CreatedAt: now}
			if rule == "" {
				add.Tool, add.Input = p.Tool, p.Input
			}
			if err := q.AddRule(ctx, add); err != nil {
				return err
			}
		}
		if err := keep(ctx, q, c); err != nil {
			return err
		}
		closed, err = readPermission(ctx, q, id)
		return err
	})
	return closed, err
}

// Permission returns a question.
func (s *Store) Permission(ctx context.Context, id string) (run.Permission, error) {
	p, err := readPermission(ctx, s.views, id)
	return p, s.failed("read a question", err)
}

// OpenPermissions returns the questions that wait for an answer, oldest first.
func (s *Store) OpenPermissions(ctx context.Context) ([]run.Permission, error) {
	stored, err := s.views.OpenPermissions(ctx)
	if err != nil {
		return nil, s.failed("read the open questions", err)
	}
	return s.permissionsOf(stored)
}

// OpenQuestions returns a channel's open questions about a tool, oldest first.
func (s *Store) OpenQuestions(ctx context.Context, channelID, tool string) ([]run.Permission, error) {
	stored, err := s.views.OpenPermissionsOf(ctx, db.OpenPermissionsOfParams{ChannelID: channelID, Tool: tool})
	if err != nil {
		return nil, s.failed("read the open questions of a channel", err)
	}
	return s.permissionsOf(stored)
}

// AlwaysAllowed says whether a person has answered a question about a tool in a
// channel with "always" that was asked since then.
func (s *Store) AlwaysAllowed(ctx context.Context, channelID, tool string, since time.Time) (bool, error) {
	n, err := s.views.AlwaysAllowed(ctx, db.AlwaysAllowedParams{ChannelID: channelID, Since: micros(since), Tool: tool})
	return n > 0, s.failed("read what a person allowed", err)
}

// Permissions returns the newest questions of a channel ("" is all channels),
// newest first; open limits them to those that wait for an answer.
func (s *Store) Permissions(ctx context.Context, channelID string, open bool, limit int) ([]run.Permission, error) {
	var stored []db.Permission
	var err error
	switch {
	case open:
		stored, err = s.views.NewestOpenPermissions(ctx, db.NewestOpenPermissionsParams{ChannelID: channelID, Most: int64(limit)})
	case channelID == "":
		stored, err = s.views.PermissionsOfAll(ctx, int64(limit))
	default:
		stored, err = s.views.PermissionsOfChannel(ctx, db.PermissionsOfChannelParams{ChannelID: channelID, Most: int64(limit)})
	}
	if err != nil {
		return nil, s.failed("read questions", err)
	}
	return s.permissionsOf(stored)
}

// Rules returns what "always" has allowed a binding, oldest first.
func (s *Store) Rules(ctx context.Context, bindingID string) ([]run.Rule, error) {
	stored, err := s.views.Rules(ctx, bindingID)
	if err != nil {
		return nil, s.failed("read the rules of a binding", err)
	}
	rules := make([]run.Rule, len(stored))
	for i, r := range stored {
		rules[i] = run.Rule{ID: r.ID, Text: r.Text, Tool: r.Tool, Input: rawOf(r.Input), At: timeOf(r.CreatedAt)}
	}
	return rules, nil
}

// RemoveRule takes back what "always" allowed, synced. CodeNotFound when the
// binding has no such rule.
func (s *Store) RemoveRule(ctx context.Context, bindingID, id string) error {
	return s.change(ctx, synced, "remove a rule", func(ctx context.Context, q *db.Queries) error {
		gone, err := q.RemoveRule(ctx, db.RemoveRuleParams{BindingID: bindingID, ID: id})
		if err == nil && gone == 0 {
			return chat.Errorf(chat.CodeNotFound, "There is no such rule %q; `hearth rules` lists them.", id)
		}
		return err
	})
}

func readPermission(ctx context.Context, q *db.Queries, id string) (run.Permission, error) {
	p, err := q.Permission(ctx, id)
	if err != nil {
		return run.Permission{}, found(err, "question", id)
	}
	return permissionOf(p)
}

func (s *Store) permissionsOf(stored []db.Permission) ([]run.Permission, error) {
	permissions := make([]run.Permission, len(stored))
	for i, p := range stored {
		var err error
		if permissions[i], err = permissionOf(p); err != nil {
			return nil, s.failed("read questions", err)
		}
	}
	return permissions, nil
}

func permissionOf(p db.Permission) (run.Permission, error) {
	out := run.Permission{
		ID: p.ID, RunID: p.RunID, ChannelID: p.ChannelID, BindingID: p.BindingID, Tool: p.Tool, Input: rawOf(p.Input),
		AgentID: p.AgentID, Reason: p.Reason, BlockedPath: p.BlockedPath, Workspace: p.Workspace,
		State: run.PermissionState(p.State), Rule: p.Rule, Message: p.Message,
		AskedAt: timeOf(p.AskedAt), AnsweredAt: timeOf(p.AnsweredAt),
	}
	return out, json.Unmarshal([]byte(p.Rules), &out.Rules)
}

// rawOf is the JSON that was stored, nil when there was none.
func rawOf(stored string) json.RawMessage {
	if stored == "" {
		return nil
	}
	return json.RawMessage(stored)
}
