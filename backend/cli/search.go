package cli

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
)

func (a *app) searchCommand() *cobra.Command {
	var f struct{ channel, from, before, after, on, next string }
	var thread, archived bool
	var limit int
	cmd := &cobra.Command{
		Use:   "search WORDS",
		Short: "Find what was written, in all channels",
		Long: `Find what was written in all channels, the newest first. A message is found when it has all of the WORDS, anywhere in it;
words in quotation marks are one. Upper and lower case are one. Filters can stand among the words as well:
in:#channel, from:handle (from:me is you), before:2026-11-01, after:, on:, is:thread.

` + "`hearth workbench find`" + ` looks into a channel's workbench.`,
		Example: `  hearth search retry helper --channel backend
  hearth search '"two workers" from:claude after:2026-11'`,
		Args: takes(0, -1, "WORDS"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			if err := page(limit); err != nil {
				return err
			}
			query := url.Values{"limit": {strconv.Itoa(limit)}}
			for name, value := range map[string]string{
				"q": strings.Join(args, " "), "channel": f.channel, "from": f.from, "before": f.before, "after": f.after, "on": f.on, "next": f.next,
			} {
				if value != "" {
					query.Set(name, value)
				}
			}
			if thread {
				query.Set("thread", "true")
			}
			if archived {
				query.Set("archived", "true")
			}
			if len(query) == 1 {
				return usagef("Say what to look for: give WORDS, or a filter such as --from.")
			}
			var got struct {
				Matches []api.SearchMatch `json:"matches"`
				Next    string            `json:"next"`
				Faults  []string          `json:"faults"`
			}
			raw, err := c.get(ctx, "/api/search?"+query.Encode(), &got)
			if err != nil {
				return err
			}
			if len(got.Faults) > 0 && !a.json {
				return usagef("%s", strings.Join(got.Faults, " "))
			}
			return a.result(raw, func() {
				for _, m := range got.Matches {
					a.showMatch(m)
				}
				switch {
				case got.Next != "":
					a.say("(there may be more: add --next %s)", got.Next)
				case len(got.Matches) == 0:
					a.say("Nothing was found.")
				}
			})
		}),
	}
	cmd.Flags().StringVar(&f.channel, "channel", "", "only in the channel with this `NAME`, or whose name begins so, or id")
	cmd.Flags().StringVar(&f.from, "from", "", "only by this `HANDLE`; me is you")
	cmd.Flags().StringVar(&f.before, "before", "", "only what is older than this `DAY`: 2026-11-01, 2026-11, 2026, today or yesterday")
	cmd.Flags().StringVar(&f.after, "after", "", "only what is younger than this `DAY`")
	cmd.Flags().StringVar(&f.on, "on", "", "only what is of this `DAY`")
	cmd.Flags().BoolVar(&thread, "thread", false, "only in threads")
	cmd.Flags().BoolVar(&archived, "archived", false, "in archived channels too")
	cmd.Flags().IntVar(&limit, "limit", 30, "how many messages, 1 to 200")
	cmd.Flags().StringVar(&f.next, "next", "", "the page after this one, as it was told")
	return cmd
}

// showMatch prints a message that was found: where, who and when on a line that
// starts in the first column, and what of its text was found indented.
func (a *app) showMatch(m api.SearchMatch) {
	who := author(m.Kind == "agent", m.Handle)
	thread := ""
	if m.ThreadRootID != "" {
		thread = "  in the thread of " + m.ThreadRootID
	}
	a.say("#%s  %s  %s  %s%s", m.Channel, a.when(m.CreatedAt), who, m.ID, thread)
	indented(a.stdout, m.Snippet, "    ")
}
