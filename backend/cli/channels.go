package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

func (a *app) channelsCommand() *cobra.Command {
	var archived bool
	list := &cobra.Command{
		Use:   "channels",
		Short: "List channels; create, edit, archive and delete them",
		Args:  takes(0, 0, ""),
		RunE: a.with(func(ctx context.Context, c *client, _ []string) error {
			return a.listChannels(ctx, c, archived)
		}),
	}
	again := &cobra.Command{Use: "list", Short: "List channels", Args: list.Args, RunE: list.RunE}
	for _, cmd := range []*cobra.Command{list, again} {
		cmd.Flags().BoolVar(&archived, "archived", false, "list the archived ones too")
	}
	list.AddCommand(
		again,
		a.createChannelCommand(), a.editChannelCommand(), a.deleteChannelCommand(),
		a.archiveChannelCommand(), a.unarchiveChannelCommand(),
	)
	return list
}

func (a *app) listChannels(ctx context.Context, c *client, archived bool) error {
	path := "/api/channels"
	if archived {
		path += "?archived=true"
	}
	var got channelList
	raw, err := c.get(ctx, path, &got)
	if err != nil {
		return err
	}
	return a.result(raw, func() {
		if len(got.Channels) == 0 {
			a.say("There are no channels. Make one with `hearth channels create NAME`.")
			return
		}
		var rows [][]string
		for _, one := range got.Channels {
			topic := one.Topic
			if one.Direct {
				topic = join("(direct line)", topic)
			}
			if !one.ArchivedAt.IsZero() {
				topic = join("(archived)", topic)
			}
			rows = append(rows, []string{named("#" + one.Name), one.ID, one.Workspace, topic})
		}
		a.table([]string{"CHANNEL", "ID", "WORKSPACE", "TOPIC"}, rows)
	})
}

func join(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

func (a *app) createChannelCommand() *cobra.Command {
	var topic, workspace, direct, gitIgnore string
	var limit spendLimitFlag
	agent := bindingFlags{app: a}
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a channel",
		Long: "Make a channel. Its agents work in the workspace, which is this folder unless --workspace names another.\n" +
			"With --direct it is a direct line to one agent, which is bound at once (--runtime and --model say what it is).\n" + unsaidRuntime,
		Args: takes(1, 1, "a NAME"),
	}
	cmd.Flags().StringVar(&topic, "topic", "", "what it is about")
	cmd.Flags().StringVar(&workspace, "workspace", "", "the folder its agents work in (default: this one)")
	cmd.Flags().StringVar(&gitIgnore, "git-ignore", "all", gitIgnoreUsage)
	limit.register(cmd)
	cmd.Flags().StringVar(&direct, "direct", "", "make it a direct line to an agent of this `HANDLE`")
	cmd.Flags().StringVar(&agent.runtime, "runtime", "", "with --direct: claude or standin (default: claude)")
	cmd.Flags().StringVar(&agent.model, "model", "", "with --direct: which model")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		folder, err := folder(workspace)
		if err != nil {
			return err
		}
		if err := checkGitIgnore(gitIgnore); err != nil {
			return err
		}
		body := map[string]any{"name": args[0], "topic": topic, "workspace": folder, "git_ignore": gitIgnore}
		if err := limit.fill(cmd, body); err != nil {
			return err
		}
		path := "/api/channels"
		var standin func(channel, handle string) string
		if direct != "" {
			path, body["handle"] = "/api/direct", direct
			if err := agent.fill(cmd, body); err != nil {
				return err
			}
			standin = a.orStandin(ctx, body)
		} else if cmd.Flags().Changed("runtime") || cmd.Flags().Changed("model") {
			return usagef("--runtime and --model belong to --direct. Bind agents to other channels with `hearth bindings add`.")
		}
		var made struct {
			api.Channel
			Direct  api.Channel `json:"channel"`
			Binding api.Binding `json:"binding"`
		}
		raw, err := c.post(ctx, path, body, &made)
		if err != nil {
			return err
		}
		if standin != nil {
			a.complain("%s", standin(made.Direct.Name, made.Binding.Handle))
		}
		return a.result(raw, func() {
			if direct != "" {
				a.say("Made #%s, a direct line to @%s, in %s. Write with `hearth post`; no mention is needed.", made.Direct.Name, made.Binding.Handle, made.Direct.Workspace)
				return
			}
			a.say("Made #%s (%s), with agents working in %s. Bind an agent with `hearth bindings add`.", made.Name, made.ID, made.Workspace)
		})
	})
	return cmd
}

const gitIgnoreUsage = "what git is told to ignore of the workbench (.flower) when Hearth makes it: all, output (all but scripts and notes) or nothing"

func checkGitIgnore(choice string) error {
	if !slices.Contains([]string{"all", "output", "nothing"}, choice) {
		return usagef("--git-ignore is all, output or nothing, not %q.", choice)
	}
	return nil
}

// folder is the absolute path of the folder a person named, or of this one.
func folder(typed string) (string, error) {
	if typed == "" {
		return workspace()
	}
	absolute, err := filepath.Abs(typed)
	if err != nil {
		return "", fmt.Errorf("find the folder %s: %w", typed, err)
	}
	return absolute, nil
}

func (a *app) editChannelCommand() *cobra.Command {
	var name, topic, workspace, gitIgnore string
	var limit spendLimitFlag
	cmd := &cobra.Command{
		Use:   "edit CHANNEL",
		Short: "Change a channel's name, topic, workspace, spending limit, or what git ignores",
		Long: "Change a channel's name, topic, workspace, spending limit, or what git ignores. With another workspace its agents are ended first: a process can't move.\n" +
			"--git-ignore counts when a workbench is made; one that is there keeps its .gitignore, which is yours.",
		Args: takes(1, 1, "a CHANNEL"),
	}
	cmd.Flags().StringVar(&name, "name", "", "another name")
	cmd.Flags().StringVar(&topic, "topic", "", "another topic; \"\" for none")
	cmd.Flags().StringVar(&workspace, "workspace", "", "another folder for its agents")
	cmd.Flags().StringVar(&gitIgnore, "git-ignore", "", gitIgnoreUsage)
	limit.register(cmd)
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		body := map[string]any{}
		if cmd.Flags().Changed("name") {
			body["name"] = name
		}
		if cmd.Flags().Changed("topic") {
			body["topic"] = topic
		}
		if cmd.Flags().Changed("workspace") {
			folder, err := folder(workspace)
			if err != nil {
				return err
			}
			body["workspace"] = folder
		}
		if cmd.Flags().Changed("git-ignore") {
			if err := checkGitIgnore(gitIgnore); err != nil {
				return err
			}
			body["git_ignore"] = gitIgnore
		}
		if err := limit.fill(cmd, body); err != nil {
			return err
		}
		if len(body) == 0 {
			return usagef("Say what to change: --name, --topic, --workspace, --spend-limit or --git-ignore.")
		}
		channel, err := c.channel(ctx, args[0])
		if err != nil {
			return err
		}
		var changed api.Channel
		raw, err := c.do(ctx, http.MethodPatch, at("/api/channels/%s", channel.ID), body, &changed)
		if err != nil {
			return err
		}
		return a.result(raw, func() { a.say("Changed #%s.", changed.Name) })
	})
	return cmd
}

func (a *app) archiveChannelCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "archive CHANNEL",
		Short: "Put a channel away: its agents are ended, nothing can be posted, everything stays",
		Args:  takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			raw, err := c.post(ctx, at("/api/channels/%s/archive", channel.ID), nil, nil)
			if err != nil {
				return err
			}
			return a.result(raw, func() {
				if channel.ArchivedAt.IsZero() {
					a.say("Archived #%s.", channel.Name)
				} else {
					a.say("#%s is archived already.", channel.Name)
				}
			})
		}),
	}
}

func (a *app) unarchiveChannelCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unarchive CHANNEL",
		Short: "Bring an archived channel back",
		Args:  takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, err := c.archivedChannel(ctx, args[0])
			if err != nil {
				return err
			}
			raw, err := c.post(ctx, at("/api/channels/%s/unarchive", channel.ID), nil, nil)
			if status(err) == http.StatusConflict {
				return fmt.Errorf("%w To bring this one back, rename it first: `hearth channels edit %s --name NEW`, then `hearth channels unarchive %s`", err, channel.ID, channel.ID)
			}
			if err != nil {
				return err
			}
			return a.result(raw, func() {
				if channel.ArchivedAt.IsZero() {
					a.say("#%s is not archived.", channel.Name)
				} else {
					a.say("Brought back #%s.", channel.Name)
				}
			})
		}),
	}
}

func (a *app) deleteChannelCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete CHANNEL --yes",
		Short: "Delete a channel with its messages, agents and runs, for good",
		Long:  "Delete a channel with its messages, agents and runs, for good. The workspace is not touched.",
		Args:  takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			if !yes {
				what, err := c.contents(ctx, channel)
				if err != nil {
					return err
				}
				return usagef("This deletes #%s (%s) with %s, for good. Add --yes if you mean it, or put it away with `hearth channels archive`.", channel.Name, channel.ID, what)
			}
			var gone struct {
				Rows int `json:"rows"`
			}
			raw, err := c.do(ctx, http.MethodDelete, at("/api/channels/%s", channel.ID), nil, &gone)
			if err != nil {
				return err
			}
			return a.result(raw, func() {
				a.say("Deleted #%s and %s.", channel.Name, plain.Count(gone.Rows, "message", "messages"))
			})
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "yes, delete it")
	return cmd
}

// enough is how far what is in a channel is counted.
const enough = 1000

// contents says what would go with a channel.
func (c *client) contents(ctx context.Context, channel api.Channel) (string, error) {
	messages, err := c.tally(ctx, at("/api/channels/%s/messages", channel.ID))
	if err != nil {
		return "", err
	}
	agents, err := c.handles(ctx, channel.ID)
	if err != nil {
		return "", err
	}
	runs, err := c.tally(ctx, at("/api/channels/%s/runs", channel.ID))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, %s and %s", countMany(messages, "message", "messages"), plain.Count(len(agents), "agent", "agents"), countMany(runs, "run", "runs")), nil
}

// tally counts a channel's messages, with their threads, or its runs, page by
// page until there are more than enough.
func (c *client) tally(ctx context.Context, path string) (n int, err error) {
	before := ""
	for {
		var page struct {
			Rows []api.Row `json:"rows"`
			Runs []api.Run `json:"runs"`
			More bool      `json:"more"`
		}
		if _, err := c.get(ctx, path+"?limit=200&before="+before, &page); err != nil {
			return 0, err
		}
		for i, row := range page.Rows {
			n += 1 + row.ThreadSize
			if i == 0 { // oldest first
				before = row.ID
			}
		}
		for _, r := range page.Runs {
			n++
			before = r.ID // newest first
		}
		if !page.More || n > enough {
			return n, nil
		}
	}
}

func countMany(n int, one, many string) string {
	if n > enough {
		return "more than " + plain.Grouped(enough) + " " + many
	}
	return plain.Count(n, one, many)
}
