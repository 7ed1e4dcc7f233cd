package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/run"
)

type bindingInput struct {
	ID string `path:"id" doc:"The binding's id."`
}

type bindingOutput struct{ Body Binding }

type bindingsOutput struct {
	Body struct {
		Bindings []Binding `json:"bindings"`
	}
}

// NewBinding is what a binding is made of. What is left out has its default.
type NewBinding struct {
	Handle         string `json:"handle" doc:"Letters, digits, - and _ of any script, at most 40 characters; unique in the channel."`
	Runtime        string `json:"runtime,omitempty" default:"cli:claude:agent" doc:"cli:claude:agent or cli:standin:agent."`
	Model          string `json:"model,omitempty" doc:"Left out: the client's own choice."`
	PermissionMode string `json:"permission_mode,omitempty" doc:"default, acceptEdits, plan, dontAsk or bypassPermissions; left out: as the person's own settings say."`
	Supervised     *bool  `json:"supervised,omitempty" default:"true" doc:"Hearth holds the process. Only an agent that is supervised and resident keeps a session; for any other each turn starts a new process."`
	Resident       *bool  `json:"resident,omitempty" default:"true" doc:"The process is kept warm between turns, if it is supervised too."`
	BaseURL        string `json:"base_url,omitempty" doc:"Another Messages API (Ollama, LiteLLM, a gateway)."`
	Token          string `json:"token,omitempty" doc:"For base_url. It is never given out again."`
	BriefEveryTurn bool   `json:"brief_every_turn,omitempty" doc:"Repeat the brief in every turn instead of telling it once."`

	Role      string    `json:"role,omitempty" enum:"plain,coordinator" default:"plain" doc:"A coordinator splits work and delegates it to workers."`
	Glance    *bool     `json:"glance,omitempty" default:"true" doc:"A coordinator may run commands that only look itself."`
	Hands     []string  `json:"hands,omitempty" enum:"Grep,Glob,WebFetch,WebSearch" doc:"Tools of workers that a coordinator may use itself."`
	Workers   *[]Worker `json:"workers,omitempty" doc:"Whom a coordinator delegates to. Left out: an explorer, an implementer and a tester."`
	SpillOver *int      `json:"spill_over,omitempty" default:"4000" doc:"Spill a longer text in a tool's output, in characters; 0: never. 1,000 to 1,000,000."`
}

type createBindingInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body NewBinding
}

type updateBindingInput struct {
	ID   string `path:"id" doc:"The binding's id."`
	Body struct {
		Handle         *string `json:"handle,omitempty"`
		Runtime        *string `json:"runtime,omitempty"`
		Model          *string `json:"model,omitempty"`
		PermissionMode *string `json:"permission_mode,omitempty"`
		Supervised     *bool   `json:"supervised,omitempty"`
		Resident       *bool   `json:"resident,omitempty"`
		BaseURL        *string `json:"base_url,omitempty"`
		Token          *string `json:"token,omitempty" doc:"Empty: forget it."`
		BriefEveryTurn *bool   `json:"brief_every_turn,omitempty"`

		Role      *string   `json:"role,omitempty" enum:"plain,coordinator"`
		Glance    *bool     `json:"glance,omitempty"`
		Hands     *[]string `json:"hands,omitempty" enum:"Grep,Glob,WebFetch,WebSearch"`
		Workers   *[]Worker `json:"workers,omitempty" doc:"All of them: what is not in the list is gone."`
		SpillOver *int      `json:"spill_over,omitempty" doc:"0: never; 1,000 to 1,000,000."`
	}
}

type directInput struct {
	Body struct {
		NewBinding
		Name      string `json:"name,omitempty" doc:"The channel's name; left out: the handle."`
		Topic     string `json:"topic,omitempty"`
		Workspace string `json:"workspace,omitempty" doc:"An absolute folder that is there; left out: Hearth's default."`
		GitIgnore string `json:"git_ignore,omitempty" enum:"all,output,nothing" default:"all" doc:"What git is told to ignore of the workbench when Hearth makes it."`

		SpendLimitUSD Dollars `json:"spend_limit_usd,omitempty" minimum:"0" maximum:"1000000" doc:"What its agent may cost a day, in dollars, before a person is asked; 0: no limit."`
	}
}

type directOutput struct {
	Body struct {
		Channel Channel `json:"channel"`
		Binding Binding `json:"binding"`
	}
}

type ruleInput struct {
	ID   string `path:"id" doc:"The binding's id."`
	Rule string `path:"rule" doc:"The rule's id."`
}

type rulesOutput struct {
	Body struct {
		Rules []Rule `json:"rules"`
	}
}

func (s *server) registerBindings(operations huma.API) {
	tags := []string{"bindings"}
	register(s, operations, huma.Operation{
		OperationID: "list-bindings", Method: http.MethodGet, Path: "/api/channels/{id}/bindings", Summary: "List the agents bound to a channel", Tags: tags,
	}, s.listBindings)
	register(s, operations, huma.Operation{
		OperationID: "create-binding", Method: http.MethodPost, Path: "/api/channels/{id}/bindings", Summary: "Bind an agent to a channel", Tags: tags, DefaultStatus: http.StatusCreated,
	}, s.createBinding)
	register(s, operations, huma.Operation{
		OperationID: "get-binding", Method: http.MethodGet, Path: "/api/bindings/{id}", Summary: "Read a binding", Tags: tags,
	}, func(ctx context.Context, in *bindingInput) (*bindingOutput, error) {
		b, err := s.Store.Binding(ctx, in.ID)
		return &bindingOutput{toBinding(b)}, err
	})
	register(s, operations, huma.Operation{
		OperationID: "update-binding", Method: http.MethodPatch, Path: "/api/bindings/{id}", Summary: "Change a binding", Tags: tags,
		Description: "What it is at is stopped and its process is ended: a process is what it was started as. What waits in its queue is answered by the next one.",
	}, s.updateBinding)
	register(s, operations, huma.Operation{
		OperationID: "delete-binding", Method: http.MethodDelete, Path: "/api/bindings/{id}", Summary: "Take an agent out of its channel", Tags: tags,
		Description: "What it wrote stays.", DefaultStatus: http.StatusNoContent,
	}, s.deleteBinding)
	register(s, operations, huma.Operation{
		OperationID: "list-rules", Method: http.MethodGet, Path: "/api/bindings/{id}/rules", Summary: "List what an agent is always allowed", Tags: tags,
	}, s.listRules)
	register(s, operations, huma.Operation{
		OperationID: "remove-rule", Method: http.MethodDelete, Path: "/api/bindings/{id}/rules/{rule}", Summary: "Take back what an agent is always allowed", Tags: tags,
		Description:   "What it is at is stopped and its process is ended, since that may still hold the rule.",
		DefaultStatus: http.StatusNoContent,
	}, func(ctx context.Context, in *ruleInput) (*struct{}, error) {
		return nil, s.Runs.RemoveRule(ctx, in.ID, in.Rule)
	})
	register(s, operations, huma.Operation{
		OperationID: "open-direct-line", Method: http.MethodPost, Path: "/api/direct", Summary: "Open a direct line: a channel with one agent", Tags: tags, DefaultStatus: http.StatusCreated,
	}, s.openDirectLine)
}

func (s *server) listBindings(ctx context.Context, in *channelInput) (*bindingsOutput, error) {
	if _, err := s.Store.Channel(ctx, in.ID); err != nil {
		return nil, err
	}
	bindings, err := s.Store.Bindings(ctx, in.ID)
	out := &bindingsOutput{}
	out.Body.Bindings = each(bindings, toBinding)
	return out, err
}

func (s *server) createBinding(ctx context.Context, in *createBindingInput) (*bindingOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	b, err := s.newBinding(ctx, c, in.Body)
	return &bindingOutput{toBinding(b)}, err
}

// newBinding checks and stores a binding; arranging is held.
func (s *server) newBinding(ctx context.Context, c chat.Channel, n NewBinding) (chat.Binding, error) {
	b := n.binding()
	b.ChannelID = c.ID
	if err := b.Check(); err != nil {
		return chat.Binding{}, err
	}
	if c.Archived() {
		return chat.Binding{}, chat.Errorf(chat.CodeConflict, "#%s is archived. Bring it back first.", c.Name)
	}
	bindings, err := s.Store.Bindings(ctx, c.ID)
	if err != nil {
		return chat.Binding{}, err
	}
	if c.Direct && len(bindings) > 0 {
		return chat.Binding{}, chat.Errorf(chat.CodeConflict, "#%s is a direct line to @%s, and has room for one agent. Bind this one to another channel.", c.Name, bindings[0].Handle)
	}
	if err := s.handleIsFree(ctx, b, bindings); err != nil {
		return chat.Binding{}, err
	}
	b, err = s.Store.CreateBinding(ctx, b)
	if err != nil {
		return chat.Binding{}, err
	}
	s.publishBinding(run.EventBindingCreated, b)
	return b, nil
}

func (n NewBinding) binding() chat.Binding {
	b := chat.NewBinding(chat.CleanHandle(n.Handle), cmp.Or(chat.Runtime(n.Runtime), chat.RuntimeClaude))
	b.Model, b.PermissionMode, b.BaseURL, b.Token = strings.TrimSpace(n.Model), n.PermissionMode, strings.TrimSpace(n.BaseURL), n.Token
	b.BriefEveryTurn, b.Role, b.Hands = n.BriefEveryTurn, fromRole(n.Role), n.Hands
	set(&b.Supervised, n.Supervised)
	set(&b.Resident, n.Resident)
	set(&b.Glance, n.Glance)
	set(&b.SpillOver, n.SpillOver)
	setWorkers(&b, n.Workers)
	return b
}

// set changes a field if there is something to change it to.
func set[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}

func setWorkers(b *chat.Binding, workers *[]Worker) {
	if workers == nil {
		return
	}
	b.Workers = nil
	for _, w := range *workers {
		b.Workers = append(b.Workers, w.worker())
	}
}

// handleIsFree is asked before agents are ended for a change; the store decides.
func (s *server) handleIsFree(ctx context.Context, b chat.Binding, bindings []chat.Binding) error {
	taken := func(who, handle string) error {
		return chat.Errorf(chat.CodeConflict, "%s @%s is in this channel already. Choose another handle.", who, handle)
	}
	for _, other := range bindings {
		if other.ID != b.ID && chat.Fold(other.Handle) == chat.Fold(b.Handle) {
			return taken("An agent", other.Handle)
		}
	}
	members, err := s.Store.Members(ctx, b.ChannelID)
	if err != nil {
		return err
	}
	for _, m := range members {
		if chat.Fold(m.Handle) == chat.Fold(b.Handle) {
			return taken("A person", m.Handle)
		}
	}
	return nil
}

func (s *server) updateBinding(ctx context.Context, in *updateBindingInput) (*bindingOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	before, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	b := before
	if in.Body.Handle != nil {
		b.Handle = chat.CleanHandle(*in.Body.Handle)
	}
	if in.Body.Runtime != nil {
		b.Runtime = chat.Runtime(*in.Body.Runtime)
	}
	set(&b.Model, in.Body.Model)
	set(&b.PermissionMode, in.Body.PermissionMode)
	set(&b.Supervised, in.Body.Supervised)
	set(&b.Resident, in.Body.Resident)
	set(&b.BaseURL, in.Body.BaseURL)
	set(&b.Token, in.Body.Token)
	set(&b.BriefEveryTurn, in.Body.BriefEveryTurn)
	if in.Body.Role != nil {
		b.Role = fromRole(*in.Body.Role)
	}
	set(&b.Glance, in.Body.Glance)
	set(&b.SpillOver, in.Body.SpillOver)
	if in.Body.Hands != nil {
		b.Hands = append([]string(nil), *in.Body.Hands...)
	}
	setWorkers(&b, in.Body.Workers)
	b.Model, b.BaseURL = strings.TrimSpace(b.Model), strings.TrimSpace(b.BaseURL)
	if err := b.Check(); err != nil {
		return nil, err
	}
	if reflect.DeepEqual(b, before) {
		return &bindingOutput{toBinding(b)}, nil
	}
	bindings, err := s.Store.Bindings(ctx, b.ChannelID)
	if err != nil {
		return nil, err
	}
	if err := s.handleIsFree(ctx, b, bindings); err != nil {
		return nil, err
	}
	err = s.Runs.Arrange(ctx, []run.Key{run.KeyOf(b)}, run.BecauseChanged, func(ctx context.Context) ([]run.Run, error) {
		b, err = s.Store.UpdateBinding(ctx, b)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	s.publishBinding(run.EventBindingUpdated, b)
	return &bindingOutput{toBinding(b)}, nil
}

func (s *server) deleteBinding(ctx context.Context, in *bindingInput) (*struct{}, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	b, err := s.Store.Binding(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	err = s.Runs.Arrange(ctx, []run.Key{run.KeyOf(b)}, "the agent was taken out of the channel", func(ctx context.Context) ([]run.Run, error) {
		return s.Store.DeleteBinding(ctx, b.ID)
	})
	if err != nil {
		return nil, err
	}
	s.publishBinding(run.EventBindingDeleted, b)
	return nil, nil
}

func (s *server) listRules(ctx context.Context, in *bindingInput) (*rulesOutput, error) {
	if _, err := s.Store.Binding(ctx, in.ID); err != nil {
		return nil, err
	}
	rules, err := s.Store.Rules(ctx, in.ID)
	out := &rulesOutput{}
	out.Body.Rules = each(rules, func(r run.Rule) Rule { return toRule(in.ID, r) })
	return out, err
}

// openDirectLine makes both or neither.
func (s *server) openDirectLine(ctx context.Context, in *directInput) (*directOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	b := in.Body.binding()
	if err := b.Check(); err != nil {
		return nil, err
	}
	name := in.Body.Name
	if chat.CleanName(name) == "" {
		name = b.Handle
	}
	c, err := s.newChannel(ctx, chat.Channel{Name: name, Topic: in.Body.Topic, Workspace: in.Body.Workspace, Direct: true, Ignore: fromIgnore(in.Body.GitIgnore), SpendLimit: float64(in.Body.SpendLimitUSD)})
	if err != nil {
		return nil, err
	}
	b, err = s.newBinding(ctx, c, in.Body.NewBinding)
	if err != nil {
		if _, undo := s.Store.DeleteChannel(context.WithoutCancel(ctx), c.ID); undo != nil {
			return nil, fmt.Errorf("%w (and the channel that was made for it is still there: %w)", err, undo)
		}
		s.publishChannel(run.EventChannelDeleted, c)
		return nil, err
	}
	out := &directOutput{}
	out.Body.Channel, out.Body.Binding = toChannel(c), toBinding(b)
	return out, nil
}

func (s *server) publishBinding(kind string, b chat.Binding) {
	s.Bus.Publish(run.BindingEvent(kind, b))
}
