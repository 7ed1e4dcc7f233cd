package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/chat"
)

// posted is what the API answers to a post.
type posted struct {
	Row  api.Row   `json:"row"`
	Runs []api.Run `json:"runs"`
}

func (a *app) postCommand() *cobra.Command {
	var thread, author string
	var waits bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "post CHANNEL TEXT...",
		Short: "Write a message; @handle asks an agent",
		Long: `Write a message into a channel. @handle asks an agent, up to three in one message; on a direct line no mention is needed.
A TEXT of - is read from standard input. The message is on the disk when the command comes back; agents work on their own.

With --wait the command stays until they have answered, and prints the answer: as it is written on a terminal, whole into a
pipe. It fails (1) when a run failed, was stopped, or took longer than --timeout, and when the message mentions nobody but
someone who is not here. With --json it prints {"row": …, "runs": […], "replies": […]}.`,
		Example: `  hearth post general "@claude what does the failing test want?" --wait
  git diff | hearth post reviews - --as ci`,
		Args: takes(2, -1, "a CHANNEL and a TEXT"),
	}
	cmd.Flags().StringVar(&thread, "thread", "", "answer in the thread of the message with this `ID`")
	cmd.Flags().StringVar(&author, "as", "", "write as the person with this `HANDLE` (default: as yourself)")
	cmd.Flags().BoolVar(&waits, "wait", false, "wait for the answer and print it")
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "with --wait: how long to wait, such as 90s or 10m (default: for ever)")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		if timeout < 0 || cmd.Flags().Changed("timeout") && !waits {
			return usagef("--timeout belongs to --wait, and is a length of time such as 90s.")
		}
		text, err := a.text(args[1:])
		if err != nil {
			return err
		}
		channel, err := c.channel(ctx, args[0])
		if err != nil {
			return err
		}
		body := map[string]any{"body": text}
		if thread != "" {
			body["thread_root_id"] = thread
		}
		if author != "" {
			body["author"] = author
		}
		if waits {
			return a.postAndWait(ctx, c, channel, body, timeout)
		}
		var got posted
		raw, err := c.post(ctx, at("/api/channels/%s/messages", channel.ID), body, &got)
		if err != nil {
			return err
		}
		if a.json {
			return a.printJSON(raw)
		}
		return a.showPosted(ctx, c, channel, got)
	})
	return cmd
}

// text is what is to be posted: the words of the command line, or for - what
// standard input has.
func (a *app) text(words []string) (string, error) {
	if len(words) != 1 || words[0] != "-" {
		return strings.Join(words, " "), nil
	}
	const most = 1 << 20 // a message has at most 100,000 characters of 4 bytes
	text, err := io.ReadAll(io.LimitReader(a.stdin, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the message from standard input: %w", err)
	case len(text) > most:
		return "", errors.New("what comes from standard input is too long for a message: put it into a file of the workspace and name that")
	case !utf8.Valid(text):
		return "", errors.New("what comes from standard input is not text in UTF-8: convert it first, or put it into a file of the workspace and name that")
	}
	return string(text), nil
}

func (a *app) showPosted(ctx context.Context, c *client, channel api.Channel, got posted) error {
	a.say("Posted %s in #%s.", got.Row.ID, channel.Name)
	if len(got.Runs) == 0 {
		unknown, err := c.unknown(ctx, channel, got.Row.Body)
		switch {
		case err != nil:
			return err
		case unknown != "":
			a.say("%s", unknown)
		default:
			a.say("No agent is asked by it: none is mentioned.")
		}
		return nil
	}
	handles, err := c.handles(ctx, channel.ID)
	if err != nil {
		return err
	}
	for _, r := range got.Runs {
		a.say("%s is asked (run %s).", agentName(handles, r.BindingID), r.ID)
	}
	if c.offline() {
		a.say("No Hearth runs: the message is stored, and will be answered at the next start (hearth serve).")
	}
	return nil
}

// postWithin bounds a post that an interruption does not end. It takes milliseconds.
const postWithin = 10 * time.Second

// postAndWait posts, and stays until every run that the post caused has ended.
func (a *app) postAndWait(ctx context.Context, c *client, channel api.Channel, body map[string]any, timeout time.Duration) error {
	if err := c.needsServer("--wait"); err != nil {
		return fmt.Errorf("nothing was posted: %w", err)
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	handles, err := c.handles(ctx, channel.ID)
	if err != nil {
		return err
	}
	w := &wait{app: a, client: c, handles: handles}
	if err := w.watch(ctx); err != nil { // before the post, so that nothing is missed
		return err
	}
	defer w.close()
	var got posted
	// Whether it is posted must be known, also when the waiting is given up now.
	posting, cancel := context.WithTimeout(context.WithoutCancel(ctx), postWithin)
	defer cancel()
	if _, err := c.post(posting, at("/api/channels/%s/messages", channel.ID), body, &got); err != nil {
		return err
	}
	if len(got.Runs) == 0 {
		unknown, err := c.unknown(ctx, channel, got.Row.Body)
		switch {
		case err != nil:
			return err
		case unknown != "":
			a.complain("%s The message is posted; there is nothing to wait for.", unknown)
			w.failed = true
		default:
			a.complain("No agent is asked by this message: none is mentioned. It is posted; there is nothing to wait for.")
		}
	}
	w.expect(got.Runs)
	err = w.until(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		a.complain("No answer within %s. The work goes on: `hearth run %s` shows it, `hearth stop %s` stops it.", timeout, w.pending(), w.pending())
		return exitError(exitFailed)
	case errors.Is(err, context.Canceled):
		a.complain("Not waiting any longer. The work goes on: `hearth run %s` shows it, `hearth stop %s` stops it.", w.pending(), w.pending())
		return exitError(exitInterrupted)
	case err != nil:
		return err
	}
	if a.json {
		err := a.printValue(struct {
			posted
			Replies []api.Row `json:"replies"`
		}{posted{got.Row, w.runs()}, w.replies})
		if err != nil {
			return err
		}
	}
	if w.failed {
		return exitError(exitFailed)
	}
	return nil
}

// atWord is what may be a mention of anybody; package chat decides where.
var atWord = regexp.MustCompile(`[@＠]([\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}_-]*)`)

// unknown says whom a message mentions that is not in the channel, "" when it
// mentions nobody like that.
func (c *client) unknown(ctx context.Context, channel api.Channel, body string) (string, error) {
	var words []string
	for _, found := range atWord.FindAllStringSubmatch(body, 100) {
		words = append(words, found[1])
	}
	if words = chat.Mentions(body, words); len(words) == 0 {
		return "", nil
	}
	var roster rosterAnswer
	if _, err := c.get(ctx, at("/api/channels/%s/roster", channel.ID), &roster); err != nil {
		return "", err
	}
	var here, agents, strangers []string
	for _, p := range roster.People {
		here = append(here, p.Handle)
	}
	for _, one := range roster.Agents {
		here = append(here, one.Binding.Handle)
		agents = append(agents, "@"+one.Binding.Handle)
	}
	for _, word := range words {
		if len(chat.Mentions("@"+word, here)) == 0 {
			strangers = append(strangers, "@"+word)
		}
	}
	switch {
	case len(strangers) == 0:
		return "", nil
	case len(agents) == 0:
		return fmt.Sprintf("There is no %s here, nor any agent. Bind one with `hearth bindings add`.", list(strangers, 10)), nil
	case len(agents) == 1:
		return fmt.Sprintf("There is no %s here; the agent is %s.", list(strangers, 10), agents[0]), nil
	}
	return fmt.Sprintf("There is no %s here; the agents are %s.", list(strangers, 10), list(agents, 10)), nil
}
