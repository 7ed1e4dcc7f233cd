package api

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
)

// Binding is a binding on the wire. Its token goes in and never comes out.
type Binding struct {
	ID             string `json:"id"`
	ChannelID      string `json:"channel_id"`
	Handle         string `json:"handle"`
	Runtime        string `json:"runtime" enum:"cli:claude:agent,cli:standin:agent"`
	Model          string `json:"model" doc:"Empty: the client's own choice."`
	PermissionMode string `json:"permission_mode" enum:",default,acceptEdits,plan,dontAsk,bypassPermissions" doc:"Empty: as the person's own settings say."`
	Supervised     bool   `json:"supervised" doc:"Hearth holds the process. Only an agent that is supervised and resident keeps a session; for any other each turn starts a new process."`
	Resident       bool   `json:"resident" doc:"The process is kept warm between turns, if it is supervised too."`
	BaseURL        string `json:"base_url" doc:"Another Messages API; empty: the client's own."`
	HasToken       bool   `json:"has_token" doc:"A token for base_url is kept."`
	BriefEveryTurn bool   `json:"brief_every_turn" doc:"The brief is repeated in every turn instead of told once."`

	Role      string   `json:"role" enum:"plain,coordinator" doc:"A coordinator splits work and delegates it to workers; its own hands are kept from what workers do."`
	Glance    bool     `json:"glance" doc:"A coordinator may run commands that only look (git status, ls, cat) itself."`
	Hands     []string `json:"hands" enum:"Grep,Glob,WebFetch,WebSearch" doc:"Tools of workers that a coordinator may use itself."`
	Workers   []Worker `json:"workers" doc:"Whom a coordinator delegates to."`
	SpillOver int      `json:"spill_over" doc:"A longer text in a tool's output, in characters, is put into a file of the workbench, and its place is taken by a pointer; 0: never."`

	CreatedAt time.Time `json:"created_at"`
	FreshAt   time.Time `json:"fresh_at,omitzero" doc:"The last Start fresh; left out: never."`
}

// Worker is a subagent that a coordinator delegates to.
type Worker struct {
	Name        string   `json:"name" doc:"1 to 40 of a-z, 0-9 and -."`
	Description string   `json:"description" doc:"When to use it, for the coordinator; at most 500 characters."`
	Prompt      string   `json:"prompt" doc:"What it is told, before the rules for reports; at most 4,000 characters."`
	Tools       []string `json:"tools" enum:"Read,Write,Edit,Bash,Glob,Grep,WebFetch,WebSearch,NotebookEdit"`
	Model       string   `json:"model" required:"false" default:"inherit" doc:"inherit: the coordinator's own."`
	Isolated    bool     `json:"isolated" required:"false" doc:"It works in a git worktree of its own."`
}

func toWorker(w chat.Worker) Worker {
	return Worker{Name: w.Name, Description: w.Description, Prompt: w.Prompt, Tools: listed(w.Tools), Model: w.Model, Isolated: w.Isolated}
}

func (w Worker) worker() chat.Worker {
	return chat.Worker{
		Name: strings.TrimSpace(w.Name), Description: strings.TrimSpace(w.Description), Prompt: strings.TrimSpace(w.Prompt),
		Tools: w.Tools, Model: cmp.Or(strings.TrimSpace(w.Model), chat.ModelInherit), Isolated: w.Isolated,
	}
}

// A role on the wire: "plain" for what is "" inside.
const rolePlain = "plain"

func fromRole(role string) chat.Role {
	if role == rolePlain {
		return chat.RolePlain
	}
	return chat.Role(role)
}

func toBinding(b chat.Binding) Binding {
	return Binding{
		ID: b.ID, ChannelID: b.ChannelID, Handle: b.Handle, Runtime: string(b.Runtime), Model: b.Model,
		PermissionMode: b.PermissionMode, Supervised: b.Supervised, Resident: b.Resident, BaseURL: b.BaseURL,
		HasToken: b.Token != "", BriefEveryTurn: b.BriefEveryTurn, CreatedAt: utc(b.CreatedAt), FreshAt: utc(b.FreshAt),
		Role: cmp.Or(string(b.Role), rolePlain), Glance: b.Glance, Hands: listed(b.Hands), Workers: each(b.Workers, toWorker), SpillOver: b.SpillOver,
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
