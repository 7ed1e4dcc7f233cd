package cli

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/spf13/cobra"

	"hearth/backend/api"
)

// ruleList is what the API says about one agent, and what --json prints about
// all of a channel.
type ruleList struct {
	Rules []api.Rule `json:"rules"`
}

func (a *app) rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules CHANNEL [HANDLE]",
		Short: "List what a channel's agents are always allowed; take it back with remove",
		Args:  takes(1, 2, "a CHANNEL and a HANDLE"),
		RunE:  a.with(a.listRules),
	}
	cmd.AddCommand(a.removeRuleCommand())
	return cmd
}

func (a *app) listRules(ctx context.Context, c *client, args []string) error {
	channel, err := c.channel(ctx, args[0])
	if err != nil {
		return err
	}
	handles, err := c.handles(ctx, channel.ID)
	if err != nil {
		return err
	}
	if len(args) > 1 {
		b, err := c.binding(ctx, channel, args[1])
		if err != nil {
			return err
		}
		handles = map[string]string{b.ID: b.Handle}
	}
	all := ruleList{Rules: []api.Rule{}}
	for _, id := range slices.Sorted(maps.Keys(handles)) {
		rules, err := c.rules(ctx, id)
		if err != nil {
			return err
		}
		all.Rules = append(all.Rules, rules...)
	}
	if a.json {
		return a.printValue(all)
	}
	if len(all.Rules) == 0 {
		a.say("Nothing is always allowed here; `hearth allow ID --always` does that.")
		return nil
	}
	rows := make([][]string, len(all.Rules))
	for i, r := range all.Rules {
		rows[i] = []string{r.ID, named(agentName(handles, r.BindingID)), a.when(r.CreatedAt), ruleText(r)}
	}
	a.table([]string{"ID", "AGENT", "SINCE", "ALWAYS ALLOWED"}, rows)
	return nil
}

func (c *client) rules(ctx context.Context, bindingID string) ([]api.Rule, error) {
	var got ruleList
	_, err := c.get(ctx, at("/api/bindings/%s/rules", bindingID), &got)
	return got.Rules, err
}

// ruleText is what a rule allows.
func ruleText(r api.Rule) string {
	if r.Text != "" {
		return r.Text
	}
	return "exactly this " + r.Tool + ": " + brief(r.Input)
}

func (a *app) removeRuleCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove ID",
		Short: "Take back what an agent is always allowed",
		Long: "Take back what an agent is always allowed. Its process is ended, since that may still hold the rule: a run that is going\n" +
			"is stopped, queued ones stay, and the next turn is cold.",
		Args: takes(1, 1, "the ID of a rule"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			r, who, err := c.rule(ctx, args[0])
			if err != nil {
				return err
			}
			if _, err := c.do(ctx, http.MethodDelete, at("/api/bindings/%s/rules/%s", r.BindingID, r.ID), nil, nil); err != nil {
				return err
			}
			return a.result([]byte("{}"), func() {
				a.say("Taken back from %s: %s. Its process is ended, since that may still have held it.", who, ruleText(r))
			})
		}),
	}
}

// rule finds a rule, and says whose it is.
func (c *client) rule(ctx context.Context, id string) (found api.Rule, who string, err error) {
	var channels channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &channels); err != nil {
		return found, "", err
	}
	for _, channel := range channels.Channels {
		handles, err := c.handles(ctx, channel.ID)
		if err != nil {
			return found, "", err
		}
		for bindingID, handle := range handles {
			rules, err := c.rules(ctx, bindingID)
			if err != nil {
				return found, "", err
			}
			for _, r := range rules {
				if r.ID == id {
					return r, fmt.Sprintf("@%s in #%s", handle, channel.Name), nil
				}
			}
		}
	}
	return found, "", fmt.Errorf("there is no rule %s: `hearth rules CHANNEL` lists them", id)
}
