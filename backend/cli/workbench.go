package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

type benchList struct {
	Workbenches []api.Workbench `json:"workbenches"`
}

// benchFlags are what the commands about workbenches have in common.
type benchFlags struct{ channel string }

func (f *benchFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.channel, "channel", "", "the `NAME` or id of the channel; may be left out when there is only one")
}

func (a *app) workbenchCommand() *cobra.Command {
	list := a.listWorkbenchCommand("workbench")
	list.Short = "List what agents keep in a channel's workbench; show, find, delete and restore files"
	list.AddCommand(a.listWorkbenchCommand("list"), a.showWorkbenchCommand(), a.findWorkbenchCommand(),
		a.deleteWorkbenchCommand(), a.deletedWorkbenchCommand(), a.restoreWorkbenchCommand(), a.workbenchSettingsCommand())
	return list
}

// inChannel does something in the channel that a person named, or in the only one.
func (a *app) inChannel(f *benchFlags, do func(ctx context.Context, c *client, channel api.Channel, args []string) error) func(*cobra.Command, []string) error {
	return a.with(func(ctx context.Context, c *client, args []string) error {
		if f.channel != "" {
			channel, err := c.channel(ctx, f.channel)
			if err != nil {
				return err
			}
			return do(ctx, c, channel, args)
		}
		var all channelList
		if _, err := c.get(ctx, "/api/channels", &all); err != nil {
			return err
		}
		switch len(all.Channels) {
		case 0:
			return errors.New("there is no channel: make one with `hearth channels create NAME`")
		case 1:
			return do(ctx, c, all.Channels[0], args)
		}
		names := make([]string, len(all.Channels))
		for i, one := range all.Channels {
			names[i] = "#" + one.Name
		}
		return usagef("Say in which channel, with --channel: there are %s.", list(names, 10))
	})
}

func (a *app) listWorkbenchCommand(name string) *cobra.Command {
	var f benchFlags
	var kind string
	var limit, offset int
	cmd := &cobra.Command{
		Use:   name,
		Short: "List what is in a channel's workbench",
		Long: `List what agents keep in a channel's workbench, the newest of each kind first: scripts with how often agents wrote and
ran them, notes, and artifacts. Spilled output is counted, and listed with --kind spill.`,
		Example: `  hearth workbench list --channel general
  hearth workbench list --channel general --kind spill --limit 20`,
		Args: takes(0, 0, ""),
	}
	f.register(cmd)
	cmd.Flags().StringVar(&kind, "kind", "", "only scripts, notes, artifacts or spill")
	cmd.Flags().IntVar(&limit, "limit", 200, "how many of each kind, 1 to 1000")
	cmd.Flags().IntVar(&offset, "offset", 0, "leave out this many of the newest of each kind")
	cmd.RunE = a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, _ []string) error {
		if limit < 1 || limit > 1000 {
			return usagef("--limit is a number from 1 to 1000, not %d.", limit)
		}
		if offset < 0 {
			return usagef("--offset is how many of the newest to leave out, not %d.", offset)
		}
		if cmd.Flags().Changed("kind") && !slices.Contains([]string{"scripts", "notes", "artifacts", "spill"}, kind) {
			return usagef("--kind is scripts, notes, artifacts or spill, not %q.", kind)
		}
		query := url.Values{"limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(offset)}}
		if kind != "" {
			query.Set("kind", kind)
		}
		var got benchList
		raw, err := c.get(ctx, at("/api/channels/%s/workbench", channel.ID)+"?"+query.Encode(), &got)
		if err != nil || a.json {
			return orPrint(a, raw, err)
		}
		return a.showWorkbenches(channel, got.Workbenches, kind, offset)
	})
	return cmd
}

func (a *app) showWorkbenches(channel api.Channel, all []api.Workbench, kind string, offset int) error {
	failed := false
	for i, b := range all {
		if i > 0 {
			a.say("")
		}
		whose := "The workbench of #" + channel.Name
		if b.Outside {
			whose = "The workbench of agents in #" + channel.Name + " whose workers have worktrees of their own"
		}
		switch {
		case b.Fault != "":
			failed = true
			a.complain("%s, %s, can't be looked at. %s", whose, b.Path, b.Fault)
			continue
		case !b.Exists:
			a.say("%s is not there yet: it is made when an agent begins to work. It will be %s", whose, b.Path)
			continue
		}
		a.say("%s: %s", whose, b.Path)
		a.showKinds(b)
		a.showEntries(b, kind)
		for _, k := range b.Kinds {
			if k.More && (kind != "" || k.Kind != "spill") {
				shown := 0
				for _, e := range b.Entries {
					if e.Kind == k.Kind {
						shown++
					}
				}
				a.say("(there are more in %s: add --kind %s --offset %d)", k.Kind, k.Kind, offset+shown)
			}
		}
	}
	if failed {
		return exitError(exitFailed)
	}
	return nil
}

func (a *app) showKinds(b api.Workbench) {
	told := make([]string, len(b.Kinds))
	for i, k := range b.Kinds {
		told[i] = plain.Count(k.Entries, strings.TrimSuffix(k.Kind, "s"), k.Kind)
		if k.Kind == "spill" {
			told[i] = fmt.Sprintf("%s in spill (%s)", plain.Count(k.Entries, "file", "files"), plain.Count(int(k.Bytes), "byte", "bytes"))
		}
	}
	a.say("%s", strings.Join(told, ", "))
	if b.Cut {
		a.say("There are more than 200,000 files: the rest was not looked at.")
	}
}

// what says what an entry is that is no file.
var what = map[string]string{
	"link": "a link", "hard_link": "a hard link; not read", "outside": "a link out of the workbench; never followed",
	"dead": "a link that leads nowhere", "special": "no regular file; never opened", "closed": "a folder that can't be looked into",
}

func (a *app) showEntries(b api.Workbench, kind string) {
	var rows [][]string
	for _, e := range b.Entries {
		if e.Kind == "spill" && kind == "" {
			continue
		}
		written, ran := "", ""
		if e.Kind == "scripts" {
			written, ran = plain.Grouped(e.Written), plain.Grouped(e.Run)
		}
		about := e.Description
		if said := what[e.What]; said != "" {
			about = join("("+said+")", about)
		}
		rows = append(rows, []string{e.Shown, plain.Grouped(e.Size), a.when(e.Modified), dash(written), dash(ran), dash(about)})
	}
	if len(rows) > 0 {
		a.table([]string{"PATH", "BYTES", "CHANGED", "WRITTEN", "RUN", "ABOUT"}, rows)
	}
}

func (a *app) showWorkbenchCommand() *cobra.Command {
	var f benchFlags
	var bench string
	var offset int64
	cmd := &cobra.Command{
		Use:   "show PATH",
		Short: "Print a file of a channel's workbench",
		Long: `Print a file of a channel's workbench: by its path in there, from the workspace (.flower/…), or absolute, as ` + "`hearth run`" + `
has it. To a terminal it is printed so that nothing in it can steer the terminal, with a line on standard error about the run
that wrote it last, where one says so; to a pipe or a file, byte by byte. With --json it is a piece of at most 1 MiB from --offset on, and next_offset says where the next one begins.`,
		Example: `  hearth workbench show scripts/check.sh --channel general
  hearth workbench show spill/0123456789abcdef.txt --channel general > output.txt`,
		Args: takes(1, 1, "the PATH of a file in the workbench"),
		RunE: a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, args []string) error {
			if offset < 0 {
				return usagef("--offset is a number of bytes, not %d.", offset)
			}
			if offset > 0 && !a.json {
				return usagef("--offset belongs to --json; without it the whole file is printed.")
			}
			query := url.Values{"path": {args[0]}}
			if bench != "" {
				query.Set("bench", bench)
			}
			path := at("/api/channels/%s/workbench", channel.ID)
			if !a.json && !a.terminal() {
				return c.copyTo(ctx, a.stdout, path+"/bytes?"+query.Encode())
			}
			return a.showPieces(ctx, c, path, query, offset)
		}),
	}
	f.register(cmd)
	cmd.Flags().StringVar(&bench, "bench", "", "the absolute path of the workbench, where a channel has two (default: the first that has such a file)")
	cmd.Flags().Int64Var(&offset, "offset", 0, "with --json: where the piece begins, in bytes")
	return cmd
}

// showPieces prints a file of the workbench at path piece by piece, made visible; with
// --json one piece.
func (a *app) showPieces(ctx context.Context, c *client, path string, query url.Values, offset int64) error {
	query.Set("limit", strconv.Itoa(1<<20))
	last, rest := api.WorkbenchPiece{}, ""
	for first := true; ; first = false {
		query.Set("offset", strconv.FormatInt(offset, 10))
		var piece api.WorkbenchPiece
		raw, err := c.get(ctx, path+"/file?"+query.Encode(), &piece)
		if err != nil || a.json {
			return orPrint(a, raw, err)
		}
		switch {
		case first && piece.Binary:
			return fmt.Errorf("%s is no text (%s): send it into a file, with `hearth workbench show … > FILE`", piece.Shown, plain.Count(int(piece.Size), "byte", "bytes"))
		case !first && (!piece.Modified.Equal(last.Modified) || piece.Size != last.Size || piece.Bench != last.Bench):
			return fmt.Errorf("%s was changed while it was printed: print it again", piece.Shown)
		}
		if first {
			a.tellOrigin(ctx, c, path, url.Values{"path": query["path"], "bench": {piece.Bench}})
		}
		text := rest + piece.Text
		rest = ""
		done := piece.Next >= piece.Size
		if !done && strings.HasSuffix(text, "\r") { // the line may end in the next piece
			text, rest = text[:len(text)-1], "\r"
		}
		shown := visible(text)
		if done && text != "" && !strings.HasSuffix(text, "\n") {
			shown += "\n"
		}
		if _, err := fmt.Fprint(a.stdout, shown); err != nil {
			return fmt.Errorf("print %s: %w", piece.Shown, err)
		}
		if done {
			return nil
		}
		last, offset = piece, piece.Next
		query.Set("bench", piece.Bench)
	}
}

// tellOrigin asks what wrote a file and shows it beside the file itself; what keeps it
// from being found keeps nobody from the file.
func (a *app) tellOrigin(ctx context.Context, c *client, path string, file url.Values) {
	var found struct{ Origin *api.WorkbenchOrigin }
	if _, err := c.get(ctx, path+"/origin?"+file.Encode(), &found); err != nil {
		fmt.Fprintln(a.stderr, visible(fmt.Sprintf("(what wrote it could not be found out: %v)", err)))
		return
	}
	a.showOrigin(found.Origin)
}

// showOrigin shows what wrote a file; nil: no run says that it did.
func (a *app) showOrigin(o *api.WorkbenchOrigin) {
	if o == nil {
		return
	}
	how := ""
	if o.Command != "" {
		how = ": " + plain.Inline(o.Command)
	}
	fmt.Fprintln(a.stderr, visible(fmt.Sprintf("(written by @%s in run %s, %s%s)", o.Handle, o.RunID, a.when(o.At), how)))
}

func (a *app) findWorkbenchCommand() *cobra.Command {
	var f benchFlags
	var limit int
	cmd := &cobra.Command{
		Use:   "find QUERY",
		Short: "Find a text in a channel's workbench, in names and contents",
		Long: `Find a text in the names of files and in what they hold, spilled output too: scripts first, and the newest of each kind
first. Upper and lower case are one. At most 20 places of one file are told.`,
		Args: takes(1, -1, "a QUERY"),
		RunE: a.inChannel(&f, func(ctx context.Context, c *client, channel api.Channel, args []string) error {
			if limit < 1 || limit > 1000 {
				return usagef("--limit is a number from 1 to 1000, not %d.", limit)
			}
			query := url.Values{"q": {strings.Join(args, " ")}, "limit": {strconv.Itoa(limit)}}
			var got struct {
				Matches []api.WorkbenchMatch `json:"matches"`
				More    bool                 `json:"more"`
			}
			raw, err := c.get(ctx, at("/api/channels/%s/workbench/find", channel.ID)+"?"+query.Encode(), &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			a.showMatches(got.Matches)
			if got.More {
				a.say("(there may be more: --limit, or a longer QUERY)")
			}
			return nil
		}),
	}
	f.register(cmd)
	cmd.Flags().IntVar(&limit, "limit", 100, "how many places, 1 to 1000")
	return cmd
}

func (a *app) showMatches(matches []api.WorkbenchMatch) {
	if len(matches) == 0 {
		a.say("Nothing was found.")
		return
	}
	bench := matches[0].Bench
	for i, m := range matches {
		if i > 0 && m.Bench != bench {
			bench = m.Bench
			a.say("In %s:", bench)
		}
		if m.Line == 0 {
			a.say("%s", m.Shown)
			continue
		}
		a.say("%s:%d: %s", m.Shown, m.Line, m.Text)
	}
}
