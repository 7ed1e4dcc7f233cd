package cli

import (
	"context"
	"fmt"
	"net/http"

	"hearth/backend/chat"
)

// firstChannel is the name of the channel that a first start makes.
const firstChannel = "general"

// firstStart makes a channel with an agent where there is none at all, so that
// there is something to try. Without Claude Code the agent is the stand-in, and
// that is said plainly.
func (a *app) firstStart(ctx context.Context, e Engine) error {
	c := &client{http: &http.Client{Transport: inProcess{e.Handler()}}, base: "http://127.0.0.1"}
	var have channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &have); err != nil {
		return fmt.Errorf("look for channels: %w", err)
	}
	if len(have.Channels) > 0 {
		return nil
	}
	folder, err := workspace()
	if err != nil {
		return err
	}
	var made struct {
		ID string `json:"id"`
	}
	if _, err := c.post(ctx, "/api/channels", map[string]any{"name": firstChannel, "topic": "The first channel", "workspace": folder}, &made); err != nil {
		return fmt.Errorf("make the first channel: %w", err)
	}
	binding := map[string]any{"handle": "claude"}
	standin := a.orStandin(ctx, binding)
	if _, err := c.post(ctx, at("/api/channels/%s/bindings", made.ID), binding, nil); err != nil {
		return fmt.Errorf("bind the first agent: %w", err)
	}
	fmt.Fprintf(a.stdout, "Made #%s with @claude, working in %s\n", firstChannel, visible(folder))
	if standin {
		fmt.Fprintln(a.stdout, standinNote(firstChannel, "claude"))
	}
	fmt.Fprintf(a.stdout, "Try it, in another terminal: hearth post %s \"@claude hello\" --wait\n\n", firstChannel)
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
