package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/delivery"
	"hearth/backend/sim"
)

const aboutSim = `Play a channel turn by turn and count what each way of telling the agent about it costs, in tokens. No model is asked and
nothing is sent. The ways:

  window     the newest messages in every turn
  watermark  the messages that the agent was not shown yet, as the published design does it
  unstable   watermark with a line in front of everything that changes in each turn
  hearth     what Hearth really sends

The rows of the table, in tokens where nothing else is said:

  input tokens, all turns      of all requests together: each sends everything before it again
  of them cacheable            that the request before it, of the same session, began with too
  cacheable ratio              the share of that, 0 to 1: how far a cache can help
  uncached tokens a warm turn  the price of a turn: what was not in the request before. Warm is any turn but the first of a session
  context tokens sent          of the channel's messages that were shown, and of the line that names what was left out
  of them already seen         of messages that an earlier turn had shown
  rows sent                    how many messages were shown, each time counted
  rows never shown             how many of the messages before the agent was last addressed no turn showed
  of them named                how many of those it was told of: how many, by whom, and how to get at them. Only hearth does that

Without --channel it is a generated channel of 200 messages and 30 mentions, another one for each --seed.

--channel FILE reads a channel from a file (or - for standard input), a message a line, as JSON, in the order of posting:

  {"id","thread_root_id","kind":"user"|"agent","handle","body","created_at","answers"}

An empty handle is the owner. created_at is RFC 3339. thread_root_id is left out at the top level. answers is the id of the message
that an agent's message replies to; when no message has it, replies are taken in the order of the mentions.

--channel NAME, where there is no such file, is a channel of this Hearth: at most its newest 100,000 messages or 64 MiB of them, and a minute.`

type simOptions struct {
	seed    uint64
	channel string
	agent   string
	play    sim.Options
}

func (a *app) simCommand() *cobra.Command {
	var o simOptions
	cmd := &cobra.Command{
		Use:   "sim",
		Short: "Count what a channel costs in tokens, told in one way or another",
		Long:  aboutSim,
		Args:  takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			flags := cmd.Flags()
			switch {
			case flags.Changed("seed") && flags.Changed("channel"):
				return usagef("--seed is for the generated channel, --channel for another one. Give one of them.")
			case flags.Changed("agent") && !flags.Changed("channel"):
				return usagef("--agent goes with --channel: the generated channel has one agent only.")
			case flags.Changed("channel") && strings.TrimSpace(o.channel) == "":
				return usagef("--channel wants a file or the name of a channel.")
			case flags.Changed("limit") && (o.play.Limit < 1 || o.play.Limit > delivery.Newest):
				return usagef("--limit is a number from 1 to %d, not %d.", delivery.Newest, o.play.Limit)
			case flags.Changed("evict-at") && o.play.EvictAt < 2:
				return usagef("--evict-at is the number of a mention, from 2 on, not %d.", o.play.EvictAt)
			}
			return a.sim(cmd.Context(), o)
		},
	}
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "which generated channel")
	cmd.Flags().StringVar(&o.channel, "channel", "", "play the channel in this `FILE`, or a channel of this Hearth by its name")
	cmd.Flags().StringVar(&o.agent, "agent", "", "play the agent with this `HANDLE`, where there are several")
	cmd.Flags().IntVar(&o.play.EvictAt, "evict-at", 0, "let a new process, which remembers nothing, answer mention `N`")
	cmd.Flags().IntVar(&o.play.Limit, "limit", delivery.DefaultLimit, "the most messages a turn shows, 1 to 30")
	return cmd
}

func (a *app) sim(ctx context.Context, o simOptions) error {
	report, err := a.simReport(ctx, o)
	if err != nil {
		return err
	}
	if o.channel == "" {
		report.Seed = &o.seed
	}
	if a.json {
		return a.printValue(report)
	}
	_, err = fmt.Fprint(a.stdout, report.Text())
	return err
}

// simReport plays what is to be played.
func (a *app) simReport(ctx context.Context, o simOptions) (sim.Report, error) {
	switch o.channel {
	case "":
		return sim.Run(ctx, sim.Generate(o.seed), o.play)
	case "-":
		channel, err := sim.Read(a.stdin, "stdin", o.agent)
		if err != nil {
			return sim.Report{}, simRead("standard input", err)
		}
		return sim.Run(ctx, channel, o.play)
	}
	file, err := os.Open(o.channel)
	if err == nil {
		defer file.Close()
		name := filepath.Base(o.channel)
		channel, err := sim.Read(file, strings.TrimSuffix(name, filepath.Ext(name)), o.agent)
		if err != nil {
			return sim.Report{}, simRead(o.channel, err)
		}
		return sim.Run(ctx, channel, o.play)
	}
	if !errors.Is(err, fs.ErrNotExist) || strings.ContainsRune(o.channel, filepath.Separator) {
		return sim.Report{}, err
	}
	c, err := a.connect(ctx)
	if err != nil {
		return sim.Report{}, err
	}
	report, err := c.compared(ctx, o)
	return report, errors.Join(err, c.close(ctx))
}

func simRead(from string, err error) error {
	if errors.Is(err, sim.ErrWhichAgent) {
		return usagef("Read %s: %s. Give --agent HANDLE.", from, err)
	}
	return fmt.Errorf("read %s: %w. `hearth sim --help` shows what a line looks like", from, err)
}

// comparedRows is how many messages of a channel of this Hearth are played: the most
// that the API takes.
const comparedRows = 100_000

// compared lets this Hearth play a channel of its own.
func (c *client) compared(ctx context.Context, o simOptions) (report sim.Report, err error) {
	channel, err := c.channel(ctx, o.channel)
	if err != nil {
		return report, fmt.Errorf("there is no file %s, and %w", o.channel, err)
	}
	binding, err := c.binding(ctx, channel, o.agent)
	if err != nil {
		return report, err
	}
	query := url.Values{"binding": {binding.ID}, "rows": {strconv.Itoa(comparedRows)}, "limit": {strconv.Itoa(o.play.Limit)}}
	if o.play.EvictAt > 0 {
		query.Set("evict_at", strconv.Itoa(o.play.EvictAt))
	}
	_, err = c.get(ctx, at("/api/channels/%s/strategies", channel.ID)+"?"+query.Encode(), &report)
	return report, err
}
