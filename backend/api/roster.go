package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
)

type rosterOutput struct {
	Body struct {
		People []Person `json:"people" doc:"The owner first."`
		Agents []Agent  `json:"agents"`
	}
}

func (s *server) registerRoster(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "get-roster", Method: http.MethodGet, Path: "/api/channels/{id}/roster", Summary: "See who is here, and how the agents are", Tags: []string{"channels"},
	}, s.roster)
}

func (s *server) roster(ctx context.Context, in *channelInput) (*rosterOutput, error) {
	if _, err := s.Store.Channel(ctx, in.ID); err != nil {
		return nil, err
	}
	members, err := s.Store.Members(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &rosterOutput{}
	out.Body.People = each(members, toPerson)
	if at := slices.IndexFunc(out.Body.People, func(p Person) bool { return p.Owner }); at < 0 {
		out.Body.People = slices.Insert(out.Body.People, 0, Person{Owner: true})
	} else {
		owner := out.Body.People[at]
		out.Body.People = slices.Insert(slices.Delete(out.Body.People, at, at+1), 0, owner)
	}
	bindings, err := s.Store.Bindings(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	states, err := s.states(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out.Body.Agents = each(bindings, func(b chat.Binding) Agent {
		return Agent{Binding: toBinding(b), State: stateOf(states, b.ID)}
	})
	return out, nil
}

func (s *server) states(ctx context.Context, channelID string) (map[string]State, error) {
	all, err := s.Presence.Presence(ctx, channelID)
	if err != nil {
		return nil, err
	}
	states := make(map[string]State, len(all))
	for _, state := range all {
		states[state.BindingID] = toState(state)
	}
	return states, nil
}

// stateOf is how an agent is; one that was bound just now is cold.
func stateOf(states map[string]State, bindingID string) State {
	if state, ok := states[bindingID]; ok {
		return state
	}
	return State{BindingID: bindingID, Phase: "cold", Tools: []string{}}
}
