package cli

import (
	"context"
	"fmt"

	"hearth/backend/chat"
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
		fmt.Fprintln(a.stdout, standinNote(channel, handle))
	}
	fmt.Fprintf(a.stdout, "Try it, in another terminal: hearth post %s \"@%s hello\" --wait\n\n", channel, handle)
	return nil
}

// orStandin makes a binding whose runtime nobody chose one of the stand-in when
// Claude Code is not found here, and says whether it did.
func (a *app) orStandin(ctx context.Context, binding map[string]any) bool {
	if binding["runtime"] != nil {
		return false
	}
	if _, _, missing := a.locate(ctx); missing == nil {
		return false
	}
	binding["runtime"] = chat.RuntimeStandin
	return true
}

// standinNote says that an agent is the stand-in, and how to change that.
func standinNote(channel, handle string) string {
	return fmt.Sprintf("Claude Code was not found, so @%s is a stand-in: it shows how Hearth works and cannot think.\n"+
		"For the real one: %s. Then: hearth bindings edit %s %s --runtime claude", handle, getClaude, shellWord(channel), handle)
}

// getClaude is how to get Claude Code.
const getClaude = "install it with `npm install -g @anthropic-ai/claude-code` (or as https://claude.com/claude-code says), and run `claude` once to sign in"
