package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

// undone is what the API answers to a taking back.
type undone struct {
	Files []api.ChangeMove `json:"files"`
	RowID string           `json:"row_id"`
	Run   api.Run          `json:"run"`
}

func (a *app) undoCommand() *cobra.Command {
	var back, dryRun bool
	var overwrite []string
	cmd := &cobra.Command{
		Use:   "undo RUN|CHANNEL [FILE...]",
		Short: "Take back what a run changed in files, or put it back",
		Long: `Take back what a run, or a channel's newest one, changed in files with the agent's own tools: all of them, or the FILEs that are named as
` + "`hearth run ID --diff`" + ` names them. What a command did to files is not known. A file that others have changed since stays as it is, unless
--overwrite names it; what stands in it comes back with --back then. Agents hear of it in their next turn.`,
		Example: `  hearth undo general --dry-run
  hearth undo general
  hearth undo general --back`,
		Args: takes(1, 1000, "the ID of a run or a CHANNEL, and FILEs"),
	}
	cmd.Flags().BoolVar(&back, "back", false, "put back what was taken back")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "only say what would be done")
	cmd.Flags().StringArrayVar(&overwrite, "overwrite", nil, "take this `FILE` back although others have changed it since")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		id, err := c.runID(ctx, args[0])
		if err != nil {
			return err
		}
		var seen undone
		if _, err := c.post(ctx, at("/api/runs/%s/changes/undo", id), map[string]any{"dry_run": true, "back": back}, &seen); err != nil {
			return err
		}
		order := map[string]any{"dry_run": dryRun, "back": back}
		var files []int
		for _, name := range slices.Concat(args[1:], overwrite) {
			m, err := changeNamed(seen.Files, name)
			if err != nil {
				return err
			}
			files = append(files, m.N)
		}
		if len(args) > 1 {
			order["files"] = files
		}
		var over []map[string]any
		for _, name := range overwrite {
			m, _ := changeNamed(seen.Files, name) // it was found above
			over = append(over, map[string]any{"n": m.N, "hash": m.Hash})
		}
		if over != nil {
			order["overwrite"] = over
		}
		var got undone
		raw, err := c.post(ctx, at("/api/runs/%s/changes/undo", id), order, &got)
		if err != nil {
			return err
		}
		return a.result(raw, func() { a.showUndone(got, dryRun) })
	})
	return cmd
}

// changeNamed is the file of a run that a person named.
func changeNamed(files []api.ChangeMove, name string) (api.ChangeMove, error) {
	for _, m := range files {
		if m.Shown == name {
			return m, nil
		}
	}
	return api.ChangeMove{}, fmt.Errorf("the run changed no file %q; `hearth run ID --diff` names those it changed", name)
}

// deeds and reasons are what was done to a file, and why it was left alone.
var (
	deeds   = map[string]string{"restore": "restored", "remove": "removed", "create": "made again"}
	reasons = map[string]string{
		"done":     "there is nothing to do",
		"changed":  "others have changed it since",
		"gone":     "it is not there any more",
		"mixed":    "something else changed it too, while the run went on",
		"not_kept": "one of its contents is too large, or too old, to be kept",
		"fault":    "it can't be written",
	}
)

func (a *app) showUndone(u undone, dryRun bool) {
	if len(u.Files) == 0 {
		a.say("The run changed no files with the agent's own tools.")
		return
	}
	can := false
	for _, m := range u.Files {
		name := plain.Inline(m.Shown)
		if m.Deed != "leave" {
			would := ""
			if dryRun {
				would = "would be "
			}
			a.say("%s: %s%s", name, would, deeds[m.Deed])
			continue
		}
		why := reasons[m.Reason]
		if m.Fault != "" {
			why = "it " + m.Fault
		}
		if m.Reason == "changed" && m.LostAdded+m.LostRemoved > 0 {
			why += fmt.Sprintf(" (+%d -%d)", m.LostAdded, m.LostRemoved)
		}
		can = can || m.CanOverwrite
		a.say("%s: left as it is; %s", name, plain.Inline(why))
	}
	if can {
		a.say("(--overwrite FILE takes one back all the same; --back brings back what stands in it)")
	}
}

// showDiff prints which files a run changed, as a unified difference.
func (a *app) showDiff(all []api.Change) {
	if len(all) == 0 {
		a.say("The run changed no files with the agent's own tools.")
		return
	}
	for _, c := range all {
		name := plain.Inline(c.Shown)
		from, to := name, name
		if c.Made {
			from = "/dev/null"
		}
		a.say("--- %s\n+++ %s", from, to)
		switch c.Form {
		case "binary":
			a.say("(it is no text)")
		case "large":
			a.say("(it is too large to be shown)")
		}
		for _, h := range c.Hunks {
			a.showHunk(h)
		}
		if c.Left > 0 {
			a.say("(%s more)", plain.Count(c.Left, "line", "lines"))
		}
		if c.Undone {
			a.say("(taken back)")
		}
	}
}

// signs stand before the lines of a difference.
var signs = map[string]string{"same": " ", "added": "+", "removed": "-"}

func (a *app) showHunk(h api.DiffHunk) {
	old, now := 0, 0
	for _, l := range h.Lines {
		if l.Kind != "added" {
			old++
		}
		if l.Kind != "removed" {
			now++
		}
	}
	a.say("@@ -%d,%d +%d,%d @@", h.Old, old, h.New, now)
	for _, l := range h.Lines {
		cut := ""
		if l.Cut > 0 {
			cut = fmt.Sprintf("… (%s more)", plain.Count(l.Cut, "character", "characters"))
		}
		a.say("%s%s%s", signs[l.Kind], plain.Inline(l.Text), cut)
		if l.Unended {
			a.say(`\ No newline at end of file`)
		}
	}
}
