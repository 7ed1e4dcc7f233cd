package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/plain"
)

func (a *app) historyCommand() *cobra.Command {
	var before, thread string
	var limit int
	cmd := &cobra.Command{
		Use:   "history CHANNEL",
		Short: "Read what was written, newest page first",
		Args:  takes(1, 1, "a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			if err := page(limit); err != nil {
				return err
			}
			channel, err := c.channel(ctx, args[0])
			if err != nil {
				return err
			}
			query := url.Values{"limit": {strconv.Itoa(limit)}}
			if before != "" {
				query.Set("before", before)
			}
			if thread != "" {
				query.Set("thread_root_id", thread)
			}
			var got struct {
				Rows []api.Row `json:"rows"`
				More bool      `json:"more"`
				Root *api.Row  `json:"root"`
			}
			raw, err := c.get(ctx, at("/api/channels/%s/messages", channel.ID)+"?"+query.Encode(), &got)
			if err != nil {
				return err
			}
			return a.result(raw, func() {
				if got.Root != nil {
					a.showRow(*got.Root)
				}
				if len(got.Rows) == 0 {
					a.say("Nothing was written here.")
					return
				}
				if got.More {
					a.say("(there is more: add --before %s)", got.Rows[0].ID)
				}
				for _, row := range got.Rows {
					a.showRow(row)
				}
			})
		}),
	}
	cmd.Flags().StringVar(&before, "before", "", "only what was written before the message with this `ID`")
	cmd.Flags().IntVar(&limit, "limit", 30, "how many messages, 1 to 200")
	cmd.Flags().StringVar(&thread, "thread", "", "the thread of the message with this `ID`")
	return cmd
}

// showRow prints a message: who and when on a line that starts in the first
// column, and the text indented, so that none can look like another message.
func (a *app) showRow(row api.Row) {
	who := author(row.Kind == "agent", row.Handle)
	if row.Kind == "agent" {
		who += " (agent)"
	}
	notes := ""
	switch row.Note {
	case "interim":
		notes = "  while working"
	case "declined":
		notes = "  declined"
	case "unasked":
		notes = "  unasked"
	case "command":
		notes = "  answer to a command"
	}
	if row.ThreadSize > 0 {
		notes += "  " + plain.Count(row.ThreadSize, "answer", "answers") + " in its thread"
	}
	switch {
	case !row.DeletedAt.IsZero():
		notes += "  deleted " + a.when(row.DeletedAt)
	case !row.EditedAt.IsZero():
		notes += "  edited " + a.when(row.EditedAt)
	}
	fmt.Fprintf(a.stdout, "%s  %s  %s%s\n", a.when(row.CreatedAt), visible(who), row.ID, notes)
	indented(a.stdout, row.Body, "    ")
}

// author is who wrote a message, as people are told.
func author(agent bool, handle string) string {
	if agent {
		return "@" + handle
	}
	return cmp.Or(handle, "you")
}
