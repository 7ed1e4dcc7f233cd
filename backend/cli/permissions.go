package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

func (a *app) permissionsCommand() *cobra.Command {
	var all bool
	var in string
	cmd := &cobra.Command{
		Use:   "permissions",
		Short: "List what agents ask to be allowed; answer with allow and deny",
		Long:  "List what agents ask to be allowed; answer with allow and deny. What they are always allowed, `hearth rules` lists.",
		Args:  takes(0, 0, ""),
		RunE: a.with(func(ctx context.Context, c *client, _ []string) error {
			path := "/api/permissions?open=" + fmt.Sprint(!all)
			if in != "" {
				channel, err := c.channel(ctx, in)
				if err != nil {
					return err
				}
				path += "&channel=" + channel.ID
			}
			var got struct {
				Permissions []api.Permission `json:"permissions"`
			}
			raw, err := c.get(ctx, path, &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			if len(got.Permissions) == 0 {
				a.say("No agent waits for an answer.")
			} else if err := a.showPermissions(ctx, c, got.Permissions); err != nil {
				return err
			}
			a.say("What agents are always allowed: hearth rules CHANNEL")
			return nil
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "the answered ones too")
	cmd.Flags().StringVar(&in, "channel", "", "only those of this `CHANNEL`")
	return cmd
}

func (a *app) showPermissions(ctx context.Context, c *client, all []api.Permission) error {
	names := map[string]string{}
	var channels channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &channels); err != nil {
		return err
	}
	for _, one := range channels.Channels {
		names[one.ID] = "#" + one.Name
	}
	known := map[string]map[string]string{}
	for _, p := range all {
		if known[p.ChannelID] == nil {
			handles, err := c.handles(ctx, p.ChannelID)
			if err != nil {
				return err
			}
			known[p.ChannelID] = handles
		}
		a.showPermission(p, names[p.ChannelID], agentName(known[p.ChannelID], p.BindingID))
	}
	return nil
}

func (a *app) showPermission(p api.Permission, channel, agent string) {
	if spends(p) {
		a.showSpendQuestion(p, channel, agent)
		return
	}
	a.say("%s  %s in %s asks to use %s  (%s)", p.ID, agent, dash(channel), p.Tool, a.when(p.AskedAt))
	a.say("    %s", brief(p.Input))
	for _, line := range [][2]string{{"in", p.Workspace}, {"why", p.Reason}, {"path", p.BlockedPath}} {
		if line[1] != "" {
			indented(a.stdout, line[1], "    "+line[0]+": ")
		}
	}
	if p.State != "open" {
		a.say("    %s %s %s", p.State, p.Rule, p.Message)
		return
	}
	for _, rule := range p.Rules {
		a.say("    always could mean: %s", rule)
	}
	a.say("    hearth allow %s   hearth deny %s", p.ID, p.ID)
}

// brief is a tool's input on one line, as much as one can take in: the command
// alone if that is what it is.
func brief(input json.RawMessage) string {
	var asked map[string]any
	if json.Unmarshal(input, &asked) == nil {
		if command, ok := asked["command"].(string); ok {
			return short(command, 400)
		}
	}
	return short(string(input), 400)
}

// short cuts a text and says how much is gone.
func short(text string, most int) string {
	kept, cut := plain.Cut(strings.TrimSpace(text), most)
	if cut > 0 {
		return plain.Inline(kept) + fmt.Sprintf(" … [%d more characters]", cut)
	}
	return plain.Inline(kept)
}

func (a *app) allowCommand() *cobra.Command {
	var always bool
	var rule string
	cmd := &cobra.Command{
		Use:   "allow ID",
		Short: "Allow what an agent asks: once, or with --always for this agent in this channel",
		Args:  takes(1, 1, "the ID of a question"),
	}
	cmd.Flags().BoolVar(&always, "always", false, "from now on, for this agent in this channel")
	cmd.Flags().StringVar(&rule, "rule", "", "with --always: which of the rules offered (default: the narrowest)")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		body := map[string]any{"decision": "allow"}
		switch {
		case always:
			body["decision"] = "always"
			if rule != "" {
				body["rule"] = rule
			}
		case rule != "":
			return usagef("--rule belongs to --always.")
		}
		return a.answer(ctx, c, args[0], body)
	})
	return cmd
}

func (a *app) denyCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:   "deny ID",
		Short: "Deny what an agent asks; it reads the reason",
		Args:  takes(1, 1, "the ID of a question"),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why not, or what to do instead; the agent reads it")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		body := map[string]any{"decision": "deny"}
		if reason != "" {
			body["message"] = reason
		}
		return a.answer(ctx, c, args[0], body)
	})
	return cmd
}

func (a *app) answer(ctx context.Context, c *client, id string, body map[string]any) error {
	if err := c.needsServer("answering an agent"); err != nil {
		return err
	}
	var p api.Permission
	raw, err := c.post(ctx, at("/api/permissions/%s", id), body, &p)
	if err != nil {
		return err
	}
	return a.result(raw, func() {
		if spends(p) {
			a.spendAnswered(p)
			return
		}
		switch p.State {
		case "always":
			what := "exactly this"
			if p.Rule != "" {
				what = p.Rule
			}
			a.say("Always allowed for this agent in this channel: %s. `hearth rules` lists that, and takes it back.", what)
		case "allowed":
			a.say("Allowed, this once.")
		default:
			a.say("Denied.")
		}
	})
}
