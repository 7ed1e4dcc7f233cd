package api

import (
	"time"

	"hearth/backend/chat"
)

// Person is a person in a channel.
type Person struct {
	Handle   string    `json:"handle" doc:"Empty: the owner of this Hearth."`
	Owner    bool      `json:"owner"`
	JoinedAt time.Time `json:"joined_at,omitzero" doc:"Left out: has written nothing yet."`
}

// Agent is an agent in a channel: how it is bound and how it is.
type Agent struct {
	Binding Binding `json:"binding"`
	State   State   `json:"state"`
}

// State is how an agent is right now.
type State struct {
	BindingID     string    `json:"binding_id"`
	Phase         string    `json:"phase" enum:"cold,starting,warm,busy,waiting,ending,evicted,crashed"`
	Native        string    `json:"native" doc:"The living native session; empty: none."`
	PID           int       `json:"pid" doc:"0: none."`
	Since         time.Time `json:"since,omitzero" doc:"When this phase began."`
	IdleDeadline  time.Time `json:"idle_deadline,omitzero" doc:"When the idle process will be ended; left out: not counting."`
	Queued        int       `json:"queued" doc:"Runs that wait in its queue."`
	Asking        int       `json:"asking" doc:"Open permission questions: it waits for a person."`
	RunID         string    `json:"run_id" doc:"The run it is at; empty: none."`
	Background    int       `json:"background" doc:"Background tasks of its process."`
	Model         string    `json:"model" doc:"As the client reports it."`
	ClientVersion string    `json:"client_version"`
	Error         string    `json:"error" doc:"Why the last process ended, when it did not end in order."`
	Reachable     bool      `json:"reachable" doc:"Its runtime is there."`
	Restorable    string    `json:"restorable" doc:"The saved native session that could be restored; empty: none."`
	Restoring     string    `json:"restoring" doc:"The saved native session that its next process loads; empty: none."`
	Tools         []string  `json:"tools"`
}

func toPerson(m chat.Member) Person {
	return Person{Handle: m.Handle, Owner: m.Handle == "", JoinedAt: utc(m.JoinedAt)}
}

func toState(s AgentState) State {
	return State{
		BindingID: s.BindingID, Phase: s.Phase, Native: s.Native, PID: s.PID, Since: utc(s.Since),
		IdleDeadline: utc(s.IdleDeadline), Queued: s.Queued, Asking: s.Asking, RunID: s.RunID, Background: s.Background, Model: s.Model,
		ClientVersion: s.ClientVersion, Error: s.Error, Reachable: s.Reachable, Restorable: s.Restorable, Restoring: s.Restoring, Tools: listed(s.Tools),
	}
}
