package api

import (
	"encoding/json"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// Binding is a binding on the wire. Its token goes in and never comes out.
type Binding struct {
	ID             string    `json:"id"`
	ChannelID      string    `json:"channel_id"`
	Handle         string    `json:"handle"`
	Runtime        string    `json:"runtime" enum:"cli:claude:agent,cli:standin:agent"`
	Model          string    `json:"model" doc:"Empty: the client's own choice."`
	PermissionMode string    `json:"permission_mode" enum:",default,acceptEdits,plan,dontAsk,bypassPermissions" doc:"Empty: as the person's own settings say."`
	Supervised     bool      `json:"supervised" doc:"Hearth holds the process. Only an agent that is supervised and resident keeps a session; for any other each turn starts a new process."`
	Resident       bool      `json:"resident" doc:"The process is kept warm between turns, if it is supervised too."`
	BaseURL        string    `json:"base_url" doc:"Another Messages API; empty: the client's own."`
	HasToken       bool      `json:"has_token" doc:"A token for base_url is kept."`
	BriefEveryTurn bool      `json:"brief_every_turn" doc:"The brief is repeated in every turn instead of told once."`
	CreatedAt      time.Time `json:"created_at"`
	FreshAt        time.Time `json:"fresh_at,omitzero" doc:"The last Start fresh; left out: never."`
}

func toBinding(b chat.Binding) Binding {
	return Binding{
		ID: b.ID, ChannelID: b.ChannelID, Handle: b.Handle, Runtime: string(b.Runtime), Model: b.Model,
		PermissionMode: b.PermissionMode, Supervised: b.Supervised, Resident: b.Resident, BaseURL: b.BaseURL,
		HasToken: b.Token != "", BriefEveryTurn: b.BriefEveryTurn, CreatedAt: utc(b.CreatedAt), FreshAt: utc(b.FreshAt),
	}
}

// Rule is something a person has allowed an agent for good.
type Rule struct {
	ID        string          `json:"id"`
	BindingID string          `json:"binding_id"`
	Text      string          `json:"text" doc:"In the client's rule syntax; empty: an exact call."`
	Tool      string          `json:"tool" doc:"Of an exact call."`
	Input     json.RawMessage `json:"input,omitempty" doc:"Of an exact call: this very input."`
	CreatedAt time.Time       `json:"created_at" doc:"Since when it is allowed."`
}

func toRule(bindingID string, r run.Rule) Rule {
	return Rule{ID: r.ID, BindingID: bindingID, Text: r.Text, Tool: r.Tool, Input: valid(r.Input), CreatedAt: utc(r.At)}
}

// valid keeps foreign JSON from breaking the answer it stands in.
func valid(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if json.Valid(raw) {
		return raw
	}
	text, err := json.Marshal(string(raw))
	if err != nil { // a string always marshals
		return nil
	}
	return text
}
