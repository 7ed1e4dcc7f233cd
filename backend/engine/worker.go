package engine

import (
	"path/filepath"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/prompt"
)

// coordination is what a binding's framing says of its role.
func coordination(b chat.Binding, benchName string) string {
	if b.Role != chat.RoleCoordinator {
		return ""
	}
	c := prompt.Coordination{Glance: b.Glance, Hands: b.Hands, Workbench: benchName}
	for _, w := range b.Workers {
		c.Workers = append(c.Workers, w.Name)
	}
	return prompt.Coordinator(c)
}

// workers are the subagents that a coordinator's client is told of; a plain agent
// has the client's own.
func workers(b chat.Binding, benchName string) map[string]claude.Agent {
	if b.Role != chat.RoleCoordinator {
		return nil
	}
	rules := prompt.WorkerRules(benchName)
	agents := make(map[string]claude.Agent, len(b.Workers))
	for _, w := range b.Workers {
		agents[w.Name] = claude.Agent{Description: w.Description, Prompt: w.Prompt + "\n\n" + rules, Tools: w.Tools, Model: w.Model}
	}
	return agents
}

// reach lets an agent into a workbench that lies outside of its folder.
func reach(c chat.Channel, k *keeper) []string {
	if name, err := filepath.Rel(c.Workspace, k.bench.Path()); err == nil && filepath.IsLocal(name) {
		return nil
	}
	return []string{"--add-dir", k.bench.Path()}
}
