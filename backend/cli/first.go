package cli

import (
	"context"
	"fmt"

	"hearth/backend/chat"
	"hearth/backend/engine"
	"hearth/backend/plain"
)

// firstStart makes the first channel where there is none at all, and says so, so
// that there is something to try. Without Claude Code its agent is the stand-in, and
// that is said plainly.
func (a *app) firstStart(ctx context.Context, e Engine) error {
	first, made, err := e.Welcome(ctx)
	if err != nil {
		return fmt.Errorf("make the first channel: %w", err)
	}
	if !made {
		return nil
	}
	channel, handle := first.Channel.Name, first.Agent.Handle
	fmt.Fprintf(a.stdout, "Made #%s with @%s, working in %s\n", channel, handle, visible(first.Channel.Workspace))
	if first.Standin() {
		fmt.Fprintln(a.stdout, standinNote(channel, handle, first.Problem, first.How))
	}
	if first.Unsure {
		fmt.Fprintf(a.stdout, "Claude Code has not said yet that it runs. If @%s does not answer: hearth doctor\n", handle)
	}
	fmt.Fprintf(a.stdout, "Try it, in another terminal: hearth post %s \"@%s hello\" --wait\n\n", channel, handle)
	return nil
}

// orStandin makes a binding whose runtime nobody chose one of the stand-in when
// Claude Code is not found here, and returns what says so, given the binding's
// channel and handle; nil when it did not.
func (a *app) orStandin(ctx context.Context, binding map[string]any) (note func(channel, handle string) string) {
	if binding["runtime"] != nil {
		return nil
	}
	_, _, err := a.locate(ctx)
	if err == nil {
		return nil
	}
	binding["runtime"] = chat.RuntimeStandin
	return func(channel, handle string) string {
		problem, how := engine.Missing(err)
		return standinNote(channel, handle, problem, how)
	}
}

// standinNote says that an agent is the stand-in, why, and how to change that.
func standinNote(channel, handle, problem, how string) string {
	return fmt.Sprintf("%s So @%s is a stand-in: it shows how Hearth works and cannot think.\n"+
		"%s Then: hearth bindings edit %s %s --runtime claude", problem, handle, how, plain.ShellWord(channel), handle)
}

// getClaude is how to get Claude Code.
const getClaude = "install it with `npm install -g @anthropic-ai/claude-code` (or as https://claude.com/claude-code says), and run `claude` once to sign in"
