package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hearth/backend/plain"
)

// Limits of the lists in the answers. They only bound what is absurd.
const (
	maxPeople = 100
	maxAgents = 50
)

// roster says who is in the channel.
func roster(ctx context.Context, b Backend, scope Scope, _ arguments) (string, error) {
	r, err := b.Roster(ctx, scope)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "Channel #%s. Names and topic are %s.\n", clip(r.Channel, 100), untrusted)
	if r.Topic != "" {
		fmt.Fprintf(&out, "Topic: %s\n", clip(r.Topic, 600))
	}
	fmt.Fprintf(&out, "Workspace: %s\n", clip(r.Workspace, 4096))
	fmt.Fprintf(&out, "People (%d):\n", len(r.People))
	for _, p := range r.People[:min(len(r.People), maxPeople)] {
		out.WriteString("- " + person(p.Handle) + "\n")
	}
	leftOut(&out, len(r.People), maxPeople, "")
	fmt.Fprintf(&out, "Agents (%d; to wake one, name it in the `to` of channel_post):\n", len(r.Agents))
	for _, a := range r.Agents[:min(len(r.Agents), maxAgents)] {
		out.WriteString("- " + agentLine(a) + "\n")
	}
	leftOut(&out, len(r.Agents), maxAgents, "")
	return strings.TrimRight(out.String(), "\n"), nil
}

func agentLine(a Agent) string {
	parts := []string{clip(a.State, 40)}
	if a.Self {
		parts = append([]string{"that is you"}, parts...)
	}
	if !a.Reachable {
		parts = append(parts, "not reachable")
	}
	if a.Model != "" {
		parts = append(parts, "model "+clip(a.Model, 100))
	}
	return at(a.Handle) + ": " + strings.Join(parts, ", ")
}

// person names a person on a line of its own.
func person(handle string) string {
	if handle == "" {
		return "the owner"
	}
	return name(handle)
}

func at(handle string) string { return "@" + name(handle) }

// name makes a handle fit for a line of ours.
func name(handle string) string {
	kept, _ := plain.Cut(plain.Handle(handle), 100) // handles end at 40; this bounds what no rule let in
	return kept
}

// leftOut says how many items of a list were not shown, and where they are.
func leftOut(out *strings.Builder, total, shown int, where string) {
	if total > shown {
		fmt.Fprintf(out, "… and %d more%s\n", total-shown, where)
	}
}

// clock writes a moment the way every answer does.
func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + " UTC" }

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
