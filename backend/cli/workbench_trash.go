package cli

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

func (a *app) deleteWorkbenchCommand() *cobra.Command {
	var f benchFlags
	var bench string
	cmd := &cobra.Command{
		Use:   "delete PATH...",
		Short: "Delete files of a channel's workbench, so that they can be restored for some days",
		Long: `Delete files of a channel's workbench: by their paths in there, from the workspace (.flower/…), or absolute. They can be
restored for as many days as ` + "`hearth workbench settings`" + ` says, a week from the start. Agents hear of it in their next turn.`,
		Example: `  hearth workbench delete scripts/old.sh --channel general
  hearth workbench deleted --channel general`,
		Args: takes(1, 1000, "the PATH of each file"),
	}
	f.register(cmd)
	cmd.Flags().StringVar(&bench, "bench", "", "the absolute path of the workbench, where a channel has two (default: for each file the first that has it)")
	cmd.RunE = a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, args []string) error {
		files := make([]api.WorkbenchName, len(args))
		for i, path := range args {
			files[i].Path = path
		}
		var got struct {
			Deleted []api.WorkbenchDeleted `json:"deleted"`
			Refused []api.WorkbenchRefused `json:"refused"`
		}
		raw, err := c.post(ctx, at("/api/channels/%s/workbench/delete", channel.ID), map[string]any{"bench": bench, "files": files}, &got)
		if err != nil {
			return err
		}
		if a.json {
			if err := a.printJSON(raw); err != nil {
				return err
			}
		}
		for _, d := range got.Deleted {
			a.say("Deleted %s. Until %s: `hearth workbench restore %s %s`", d.Shown, a.when(d.KeptUntil), d.ID, d.Shown)
		}
		for _, r := range got.Refused {
			a.complain("%s", r.Fault)
		}
		if len(got.Refused) > 0 {
			return exitError(exitFailed)
		}
		return nil
	})
	return cmd
}

func (a *app) deletedWorkbenchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "deleted",
		Short: "List the files that were deleted and can be restored",
		Args:  takes(0, 0, ""),
	}
	f.register(cmd)
	cmd.RunE = a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, _ []string) error {
		var got struct {
			Deleted []api.WorkbenchDeleted `json:"deleted"`
		}
		raw, err := c.get(ctx, at("/api/channels/%s/workbench/deleted", channel.ID), &got)
		if err != nil || a.json {
			return orPrint(a, raw, err)
		}
		if len(got.Deleted) == 0 {
			a.say("Nothing that was deleted is left to restore.")
			return nil
		}
		rows := make([][]string, len(got.Deleted))
		for i, d := range got.Deleted {
			about := ""
			if d.Taken {
				about = "there is a newer one: restore with --as"
			}
			rows[i] = []string{d.ID, d.Shown, plain.Grouped(d.Size), a.when(d.DeletedAt), a.when(d.KeptUntil), dash(about)}
		}
		a.table([]string{"DELETION", "PATH", "BYTES", "DELETED", "KEPT UNTIL", "ABOUT"}, rows)
		return nil
	})
	return cmd
}

func (a *app) restoreWorkbenchCommand() *cobra.Command {
	var f benchFlags
	var bench, as string
	cmd := &cobra.Command{
		Use:   "restore DELETION PATH",
		Short: "Restore a deleted file",
		Long: `Restore a deleted file where it was, or with --as under another name. ` + "`hearth workbench deleted`" + ` lists what there is. A file
that is there is never replaced.`,
		Args: takes(2, 2, "the DELETION and the PATH, as `hearth workbench deleted` has them"),
	}
	f.register(cmd)
	cmd.Flags().StringVar(&bench, "bench", "", "the absolute path of the workbench, where a channel has two (default: the first that has it)")
	cmd.Flags().StringVar(&as, "as", "", "the `PATH` in the workbench to restore it to")
	cmd.RunE = a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, args []string) error {
		var got struct {
			Shown string `json:"shown"`
		}
		body := map[string]any{"deleted": args[0], "path": args[1], "bench": bench, "as": as}
		raw, err := c.post(ctx, at("/api/channels/%s/workbench/restore", channel.ID), body, &got)
		if err != nil || a.json {
			return orPrint(a, raw, err)
		}
		a.say("Restored %s.", got.Shown)
		return nil
	})
	return cmd
}

func (a *app) workbenchSettingsCommand() *cobra.Command {
	var editor string
	var days int
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "See or choose with what files are opened, and for how long deleted ones are kept",
		Example: `  hearth workbench settings --editor "code --reuse-window"
  hearth workbench settings --trash-days 30`,
		Args: takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&editor, "editor", "", "the `COMMAND` that the window and the browser open files with: a program with a window of its own; \"\" is the usual")
	cmd.Flags().IntVar(&days, "trash-days", 7, "for how many days deleted files can be restored, 1 to 365")
	cmd.RunE = a.with(func(ctx context.Context, c *client, _ []string) error {
		var got api.WorkbenchSettings
		change := map[string]any{}
		if cmd.Flags().Changed("editor") {
			change["editor"] = editor
		}
		if cmd.Flags().Changed("trash-days") {
			if days < 1 || days > 365 {
				return usagef("--trash-days is a number from 1 to 365, not %d.", days)
			}
			change["trash_days"] = days
		}
		var raw []byte
		var err error
		if len(change) == 0 {
			raw, err = c.get(ctx, "/api/workbench/settings", &got)
		} else {
			raw, err = c.do(ctx, http.MethodPatch, "/api/workbench/settings", change, &got)
		}
		if err != nil || a.json {
			return orPrint(a, raw, err)
		}
		if got.Editor == "" {
			got.Editor = "(the graphical $VISUAL or $EDITOR, or the desktop's own)"
		}
		a.say("Files are opened with: %s", got.Editor)
		a.say("Deleted files are kept for %s.", plain.Count(got.TrashDays, "day", "days"))
		return nil
	})
	return cmd
}
