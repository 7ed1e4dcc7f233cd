package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/ledger"
	"hearth/backend/plain"
	"hearth/backend/run"
)

// runDetail is what the API says about one run.
type runDetail struct {
	Run      api.Run      `json:"run"`
	Sent     *api.Sent    `json:"sent"`
	Steps    []api.Step   `json:"steps"`
	Savings  []api.Saving `json:"savings"`
	LiveText string       `json:"live_text"`
}

func (a *app) runCommand() *cobra.Command {
	var sent, diff bool
	cmd := &cobra.Command{
		Use:   "run ID|CHANNEL",
		Short: "See one run, or a channel's newest: what happened, what it used, what was sent and why",
		Args:  takes(1, 1, "the ID of a run, or a CHANNEL"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			id, err := c.runID(ctx, args[0])
			if err != nil {
				return err
			}
			if diff {
				var got struct {
					Changes []api.Change `json:"changes"`
				}
				raw, err := c.get(ctx, at("/api/runs/%s/changes", id), &got)
				if err != nil {
					return err
				}
				return a.result(raw, func() { a.showDiff(got.Changes) })
			}
			var got runDetail
			raw, err := c.get(ctx, at("/api/runs/%s", id), &got)
			if err != nil || a.json {
				return orPrint(a, raw, err)
			}
			handles, err := c.handles(ctx, got.Run.ChannelID)
			if err != nil {
				return err
			}
			if sent {
				a.showTexts(got)
				return nil
			}
			return a.showRun(ctx, c, got, agentName(handles, got.Run.BindingID))
		}),
	}
	cmd.Flags().BoolVar(&diff, "diff", false, "print which files it changed with the agent's own tools, line by line")
	cmd.Flags().BoolVar(&sent, "sent", false, "print what was sent, word for word")
	return cmd
}

// runID is the run that a person named: by its id, or as the newest of a channel.
func (c *client) runID(ctx context.Context, typed string) (string, error) {
	if isID(typed) {
		if _, err := c.get(ctx, at("/api/channels/%s", typed), nil); status(err) == http.StatusNotFound {
			return typed, nil
		}
	}
	channel, err := c.channel(ctx, typed)
	if err != nil {
		return "", err
	}
	var newest struct {
		Runs []api.Run `json:"runs"`
	}
	if _, err := c.get(ctx, at("/api/channels/%s/runs", channel.ID)+"?limit=1", &newest); err != nil {
		return "", err
	}
	if len(newest.Runs) == 0 {
		return "", fmt.Errorf("there is no run in #%s yet: ask an agent with `hearth post`", channel.Name)
	}
	return newest.Runs[0].ID, nil
}

// showTexts prints what was sent. Its lines are as they were sent but for what
// can't be seen.
func (a *app) showTexts(d runDetail) {
	if d.Sent == nil {
		a.say("Nothing was sent.")
		return
	}
	for _, b := range d.Sent.Blocks {
		a.say("=== %s: %s characters, about %s tokens ===", b.Kind, plain.Grouped(b.Characters), plain.Grouped(b.Tokens))
		indented(a.stdout, b.Text, "  ")
	}
}

func (a *app) showRun(ctx context.Context, c *client, d runDetail, agent string) error {
	r := d.Run
	a.say("%s  %s  %s, %s", r.ID, agent, r.Cause, r.State)
	for _, line := range [][2]string{
		{"row", dash(r.RowID)}, {"thread", r.ThreadRootID}, {"retry of", r.RetryOf}, {"temperature", r.Temperature}, {"session", r.Native},
		{"queued", a.when(r.QueuedAt)}, {"began", a.when(r.StartedAt)}, {"took", a.ran(r)}, {"reply", r.ReplyID},
	} {
		if line[1] != "" && line[1] != "-" {
			a.say("  %-12s %s", line[0], line[1])
		}
	}
	if b := r.Break; b != nil {
		a.say("  %-12s %s", "cache", missed(b))
		indented(a.stdout, b.Sentence+"\n"+evidence(b.Evidence), "               ")
		a.showProcessBefore(b)
	}
	if f := r.Failure; f != nil {
		a.say("  %-12s %s", "failed", f.Code)
		indented(a.stdout, f.Message, "               ")
		if f.Held {
			a.say("               The session holds the message all the same: what it told counts as told.")
		}
	}
	if c := r.Changed; c != nil {
		a.say("  %-12s %s, +%d -%d (hearth run %s --diff)", "changed", plain.Count(c.Files, "file", "files"), c.Added, c.Removed, r.ID)
	}
	if (r.State == string(run.Failed) || r.State == string(run.Stopped)) && r.RowID != "" {
		a.say("  %-12s hearth retry %s", "again", r.ID)
	}
	denials, err := c.denials(ctx, d)
	if err != nil {
		return err
	}
	a.showSteps(d.Steps, denials, d.Savings)
	a.showSavings(d.Steps, d.Savings)
	if d.LiveText != "" {
		a.say("\nSo far:")
		indented(a.stdout, d.LiveText, "  ")
	}
	a.showUsage(r.Usage)
	return a.showSent(ctx, c, d.Sent)
}

// showProcessBefore says how the process ended that took the turn before, and what one
// can do about it where it was that end that cost something.
func (a *app) showProcessBefore(b *api.CacheBreak) {
	e := b.Evidence.ProcessEnd
	if e == nil {
		return
	}
	said := "The process before: " + a.endOf(e)
	mattered := len(b.Evidence.Edited) > 0 || b.Cause == string(ledger.NewProcess) && !b.Evidence.Restored
	if advice := ledger.Ending(e.How).Advice(); mattered && advice != "" {
		said += "\n" + advice
	}
	indented(a.stdout, said, "               ")
}

func (a *app) showUsage(u api.Usage) {
	if len(u.Calls) == 0 && u.OutputTokens == 0 && u.InputTokens == 0 && u.CacheReadTokens == 0 {
		return
	}
	a.say("\nUsed, as the client reports it:")
	rows := make([][]string, 0, len(u.Calls)+1)
	for _, call := range u.Calls {
		who := "main"
		if !call.Main {
			who = "subagent"
		}
		rows = append(rows, []string{"  " + who, named(dash(call.Model)), plain.Grouped(call.InputTokens), plain.Grouped(call.CacheReadTokens), plain.Grouped(call.CacheWrite5mTokens), plain.Grouped(call.CacheWrite1hTokens), plain.Grouped(call.OutputTokens), ""})
	}
	rows = append(rows, []string{"  together", "", plain.Grouped(u.InputTokens), plain.Grouped(u.CacheReadTokens), plain.Grouped(u.CacheWrite5mTokens), plain.Grouped(u.CacheWrite1hTokens), plain.Grouped(u.OutputTokens), money(u.CostUSD)})
	a.table([]string{"  CALL", "MODEL", "INPUT", "READ", "WRITTEN 5M", "WRITTEN 1H", "OUTPUT", "COST"}, rows)
}

func (a *app) showSent(ctx context.Context, c *client, sent *api.Sent) error {
	if sent == nil {
		return nil
	}
	a.say("\nSent (token figures are Hearth's own count: about; --sent prints the words):")
	rows := make([][]string, len(sent.Blocks))
	for i, b := range sent.Blocks {
		rows[i] = []string{"  " + b.Kind, plain.Grouped(b.Characters), plain.Grouped(b.Tokens)}
	}
	a.table([]string{"  BLOCK", "CHARACTERS", "TOKENS"}, rows)
	if len(sent.Considered) > 0 {
		a.say("\nRows that were looked at:")
		rows = make([][]string, len(sent.Considered))
		for i, one := range sent.Considered {
			var row api.Row
			if _, err := c.get(ctx, at("/api/messages/%s", one.RowID), &row); err != nil {
				return err
			}
			rows[i] = []string{"  " + one.RowID, one.Verdict, named(author(row.Kind == "agent", row.Handle)), beginning(row.Body)}
		}
		a.table([]string{"  ROW", "VERDICT", "BY", "TEXT"}, rows)
	}
	if o := sent.Omitted; o != nil {
		var by []string
		for handle, n := range o.By {
			if handle == "" {
				handle = "you"
			}
			by = append(by, fmt.Sprintf("%d by %s", n, handle))
		}
		slices.Sort(by)
		a.say("\nNamed and not shown: %d (%s), before %s.", o.Count, strings.Join(by, ", "), o.Before)
	}
	a.showWatermark("before", sent.Before)
	a.showWatermark("once proven", sent.Staged)
	return nil
}

// beginning is as much of a message as tells which one it is.
func beginning(body string) string {
	kept, cut := plain.Cut(body, 40)
	if cut > 0 {
		kept += "…"
	}
	return kept
}

func (a *app) showWatermark(which string, w *api.Watermark) {
	if w == nil {
		return
	}
	a.say("\nWatermark %s: session %s, up to %s, %s besides.", which, w.Native, a.when(w.LastAt), plain.Count(len(w.IDs), "row", "rows"))
}

func (a *app) showSteps(steps []api.Step, denials map[string]string, savings []api.Saving) {
	if len(steps) == 0 {
		return
	}
	a.say("\nWhat happened:")
	for _, s := range steps {
		what := s.Kind
		if s.Name != "" {
			what = s.Name
		}
		if s.Parent != "" {
			what = "(subagent) " + what
		}
		denial := denials[call(s.Name, s.Input)]
		if s.Error && denial == "" {
			what += ", with an error"
		}
		text := s.Input
		if text == "" {
			text = s.Output
		}
		a.say("  %d. %s: %s%s", s.N+1, what, short(text, 120), denial)
		for _, saving := range savings {
			if s.ID != "" && saving.StepID == s.ID {
				a.say("     %s", saved(saving))
			}
		}
	}
}

// showSavings tells of what was kept out of the context and belongs to no step that
// is shown, and what all of it comes to.
func (a *app) showSavings(steps []api.Step, savings []api.Saving) {
	if len(savings) == 0 {
		return
	}
	shown := map[string]bool{"": false}
	for _, s := range steps {
		shown[s.ID] = s.ID != ""
	}
	a.say("\nKept out of the context:")
	tokens, spilled := 0, false
	for _, s := range savings {
		tokens += s.Tokens
		spilled = spilled || s.Path != ""
		if !shown[s.StepID] {
			a.say("  %s", saved(s))
		}
	}
	a.say("  together about %s", plain.Count(tokens, "token", "tokens"))
	if spilled {
		a.say("  `hearth workbench show PATH` prints one of the files.")
	}
}

// saved says what one of Hearth's rules did in a turn.
func saved(s api.Saving) string {
	about := ""
	if s.Tokens > 0 {
		about = ", about " + plain.Count(s.Tokens, "token", "tokens")
	}
	who := ""
	if s.Detail != "" && s.StepID == "" {
		who = " of " + short(s.Detail, 120)
	}
	switch run.SavingKind(s.Kind) {
	case run.SavingSpill:
		if s.Fault != "" {
			return fmt.Sprintf("output%s that should have been spilled is in the context: %s", who, s.Fault)
		}
		return fmt.Sprintf("spilled: output%s of %s in %s%s; the whole is in %s", who, plain.Count(s.Chars, "character", "characters"), plain.Count(s.Lines, "line", "lines"), about, s.Path)
	case run.SavingDenial:
		return fmt.Sprintf("denied %s to the coordinator: %s", s.Tool, short(s.Detail, 200))
	case run.SavingGlance:
		return "a glance: no worker was needed" + about
	case run.SavingIndex:
		return "the workbench's index: only what was new in it was told" + about
	case run.SavingIsolated:
		return "the worker was given a git worktree of its own"
	}
	return s.Kind + about
}

// denials says why calls of a run were denied, by call.
func (c *client) denials(ctx context.Context, d runDetail) (map[string]string, error) {
	if len(d.Steps) == 0 {
		return nil, nil
	}
	var asked struct {
		Permissions []api.Permission `json:"permissions"`
	}
	if _, err := c.get(ctx, "/api/permissions?limit=200&channel="+url.QueryEscape(d.Run.ChannelID), &asked); err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, p := range asked.Permissions {
		if p.RunID == d.Run.ID && p.State == string(run.PermissionDenied) {
			out[call(p.Tool, string(p.Input))] = "; " + denial(p.Message)
		}
	}
	return out, nil
}

// denial says who denied a call and why. The messages are those of package run.
func denial(message string) string {
	switch message {
	case "Nobody answered before the turn ended.", "Hearth was restarted before anyone answered.":
		return "denied: " + message
	case "A person said no.":
		return "denied by you"
	}
	return "denied by you: " + short(message, 120)
}

// call is a tool and its input in one form, however the input is written.
func call(tool, input string) string {
	var value any
	if json.Unmarshal([]byte(input), &value) == nil {
		if text, err := json.Marshal(value); err == nil {
			input = string(text)
		}
	}
	return tool + " " + input
}
