package api

import (
	"encoding/json"
	"time"

	"hearth/backend/run"
)

// Permission is a question of an agent's client on the wire: may this tool run?
type Permission struct {
	ID          string          `json:"id"`
	RunID       string          `json:"run_id" doc:"Empty: asked in a turn nobody asked for."`
	ChannelID   string          `json:"channel_id"`
	BindingID   string          `json:"binding_id"`
	Tool        string          `json:"tool"`
	Input       json.RawMessage `json:"input,omitempty" doc:"What the tool would get, as the agent wrote it."`
	AgentID     string          `json:"agent_id" doc:"The subagent that asks; empty: the main thread."`
	Reason      string          `json:"reason" doc:"The client's own word on why it asks."`
	BlockedPath string          `json:"blocked_path"`
	Workspace   string          `json:"workspace" doc:"The folder it would run in."`
	Rules       []string        `json:"rules" doc:"What \"always\" can allow, narrowest first; empty: this exact call."`
	State       string          `json:"state" enum:"open,allowed,always,denied"`
	Rule        string          `json:"rule" doc:"The rule that \"always\" chose."`
	Message     string          `json:"message" doc:"The reason of a denial, which the agent reads."`
	AskedAt     time.Time       `json:"asked_at"`
	AnsweredAt  time.Time       `json:"answered_at,omitzero"`
}

func toPermission(p run.Permission) Permission {
	return Permission{
		ID: p.ID, RunID: p.RunID, ChannelID: p.ChannelID, BindingID: p.BindingID, Tool: p.Tool, Input: valid(p.Input),
		AgentID: p.AgentID, Reason: p.Reason, BlockedPath: p.BlockedPath, Workspace: p.Workspace, Rules: listed(p.Rules),
		State: string(p.State), Rule: p.Rule, Message: p.Message, AskedAt: utc(p.AskedAt), AnsweredAt: utc(p.AnsweredAt),
	}
}
