package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/plain"
)

// bindingFlags are the settings of an agent on the command line.
type bindingFlags struct {
	app *app

	handle, runtime, model, permissionMode, baseURL, tokenFile, tokenEnv string

	noToken, supervised, noSupervised, resident, noResident, briefEveryTurn bool

	economyFlags
}

func (f *bindingFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.runtime, "runtime", "", "claude (Claude Code) or standin (Hearth's own stand-in, without a model)")
	flags.StringVar(&f.model, "model", "", "which model (default: the client's own choice)")
	flags.StringVar(&f.permissionMode, "permission-mode", "", strings.Join(chat.PermissionModes[1:], ", ")+" (default: as your own settings say)")
	flags.StringVar(&f.baseURL, "base-url", "", "another Messages API, such as http://127.0.0.1:11434")
	flags.StringVar(&f.tokenFile, "token-file", "", "read the token for --base-url from this file; - is standard input")
	flags.StringVar(&f.tokenEnv, "token-env", "", "read the token for --base-url from this environment variable")
	flags.BoolVar(&f.supervised, "supervised", true, "Hearth holds the process; with --resident too, it keeps its session between turns")
	flags.BoolVar(&f.noSupervised, "no-supervised", false, "the same as --supervised=false")
	flags.BoolVar(&f.resident, "resident", true, "the process is kept warm between turns, if it is supervised too")
	flags.BoolVar(&f.noResident, "no-resident", false, "every turn starts a new process, which is told the replay and the newest messages")
	flags.BoolVar(&f.briefEveryTurn, "brief-every-turn", false, "repeat the rules in every turn instead of telling them once")
	f.economyFlags.register(flags)
}

// fill puts what was given into the body of a request.
func (f *bindingFlags) fill(cmd *cobra.Command, body map[string]any) error {
	changed := cmd.Flags().Changed
	for _, pair := range [][2]string{
		{"token-file", "token-env"}, {"token-file", "no-token"}, {"token-env", "no-token"},
		{"supervised", "no-supervised"}, {"resident", "no-resident"}, {"glance", "no-glance"},
	} {
		if changed(pair[0]) && changed(pair[1]) {
			return usagef("--%s and --%s contradict one another. Give one of them.", pair[0], pair[1])
		}
	}
	if f.tokenFile == "-" && f.workers == "-" {
		return usagef("--workers and --token-file can't both be read from standard input. Put one of them into a file.")
	}
	for name, value := range map[string]string{
		"handle": f.handle, "model": f.model, "permission-mode": f.permissionMode, "base-url": f.baseURL,
	} {
		if changed(name) {
			body[strings.ReplaceAll(name, "-", "_")] = value
		}
	}
	if changed("runtime") {
		body["runtime"] = runtimeOf(f.runtime)
	}
	for name, value := range map[string]bool{
		"supervised": f.supervised, "resident": f.resident, "brief-every-turn": f.briefEveryTurn,
	} {
		if changed(name) {
			body[strings.ReplaceAll(name, "-", "_")] = value
		}
	}
	if changed("no-supervised") {
		body["supervised"] = !f.noSupervised
	}
	if changed("no-resident") {
		body["resident"] = !f.noResident
	}
	if changed("no-token") && f.noToken {
		body["token"] = ""
	}
	if changed("token-file") || changed("token-env") {
		token, err := f.token()
		if err != nil {
			return err
		}
		body["token"] = token
	}
	return f.economyFlags.fill(f.app, changed, body)
}

// runtimeOf lets people leave out what all names of runtimes have in common.
func runtimeOf(typed string) string {
	switch typed {
	case "claude":
		return string(chat.RuntimeClaude)
	case "standin":
		return string(chat.RuntimeStandin)
	}
	return typed
}

func (f *bindingFlags) token() (string, error) {
	if f.tokenEnv != "" {
		token := f.app.env(f.tokenEnv)
		if token == "" {
			return "", fmt.Errorf("the environment variable %s is empty or not set: put the token into it, then try again", f.tokenEnv)
		}
		return token, nil
	}
	text, err := f.readToken()
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", fmt.Errorf("there is no token in %s: put it there, then try again", f.tokenFile)
	}
	return token, nil
}

func (f *bindingFlags) readToken() ([]byte, error) {
	const most = 64 << 10 // far more than a token, far less than a mistake
	if f.tokenFile == "-" {
		return io.ReadAll(io.LimitReader(f.app.stdin, most))
	}
	file, err := os.Open(f.tokenFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

func (a *app) bindingsCommand() *cobra.Command {
	list := &cobra.Command{
		Use:   "bindings CHANNEL",
		Short: "List a channel's agents; add, edit, remove, stop, warm, restore them and start them fresh",
		Args:  takes(1, 1, "a CHANNEL"),
		RunE:  a.with(a.listBindings),
	}
	list.AddCommand(
		&cobra.Command{Use: "list CHANNEL", Short: "List a channel's agents", Args: list.Args, RunE: list.RunE},
		a.addBindingCommand(), a.editBindingCommand(), a.removeBindingCommand(),
		a.freshCommand(), a.stopAgentCommand(),
		a.actCommand("warm", "Start the process ahead of the next turn, if a place is free", "", func(raw []byte, who string) error {
			return a.result(raw, func() { a.say("%s is warm.", who) })
		}),
		a.actCommand("restore", "Load the saved session into the next process", "", func(raw []byte, who string) error {
			return a.result(raw, func() { a.say("The next turn of %s goes on in its saved session.", who) })
		}),
	)
	return list
}

// freshLong says what Start fresh does and does not do.
const freshLong = `A run that is going is stopped; queued ones stay. The next turn is cold: it has no replay of what the agent was asked and
answered here, only the newest messages of the channel.

--undo takes it back, until the agent is asked something: the next turn then goes on in the session that was forgotten.`

func (a *app) freshCommand() *cobra.Command {
	var undo bool
	fresh := a.actCommand("fresh", "Start fresh: end the process and its session", freshLong, nil)
	// It is not about a process alone, so it needs no Hearth that runs.
	fresh.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		if undo {
			return a.act(ctx, c, "fresh/undo", args, func(raw []byte, who string) error { return a.undoneFresh(raw, who, c.offline()) })
		}
		return a.act(ctx, c, "fresh", args, a.startedFresh)
	})
	fresh.Flags().BoolVar(&undo, "undo", false, "take the last Start fresh back")
	return fresh
}

func (a *app) startedFresh(raw []byte, who string) error {
	var got api.StartedFresh
	if err := json.Unmarshal(raw, &got); err != nil {
		return fmt.Errorf("start an agent fresh: %w", err)
	}
	return a.result(raw, func() {
		forgot := ""
		if s := got.Forgot; s != nil && s.Turns > 0 {
			forgot = ", which held " + plain.Count(s.Turns, "turn", "turns")
		}
		a.say("%s starts fresh: its process and session are ended%s. Its next turn is told the newest messages, and not what it was asked and answered before.", who, forgot)
		a.say("To take it back before the agent is asked something, add --undo.")
	})
}

// undoneFresh says what comes next. What is to be loaded is no Hearth's that does not run.
func (a *app) undoneFresh(raw []byte, who string, offline bool) error {
	var got api.FreshUndone
	if err := json.Unmarshal(raw, &got); err != nil {
		return fmt.Errorf("take a fresh start back: %w", err)
	}
	return a.result(raw, func() {
		switch {
		case got.Session != nil && offline:
			a.say("%s is not started fresh. Once Hearth runs, `hearth bindings restore` loads its saved session; otherwise its next turn is told what it was asked and answered before.", who)
		case got.Session != nil:
			a.say("%s is not started fresh: its next turn goes on in its saved session.", who)
		default:
			a.say("%s is not started fresh: its next turn is told what it was asked and answered before. There was no session to load.", who)
		}
	})
}

func (a *app) listBindings(ctx context.Context, c *client, args []string) error {
	channel, err := c.channel(ctx, args[0])
	if err != nil {
		return err
	}
	var got bindingList
	raw, err := c.get(ctx, at("/api/channels/%s/bindings", channel.ID), &got)
	if err != nil {
		return err
	}
	return a.result(raw, func() {
		if len(got.Bindings) == 0 {
			a.say("No agent is bound to #%s. Bind one with `hearth bindings add`.", channel.Name)
			return
		}
		var rows [][]string
		for _, b := range got.Bindings {
			url := dash(b.BaseURL)
			if b.HasToken {
				url += " (with a token)"
			}
			rows = append(rows, []string{
				named("@" + b.Handle), b.Runtime, named(dash(b.Model)), dash(b.PermissionMode), yesNo(b.Supervised), yesNo(b.Resident), roleOf(b), spillOver(b), url, b.ID,
			})
		}
		a.table([]string{"AGENT", "RUNTIME", "MODEL", "PERMISSION MODE", "SUPERVISED", "RESIDENT", "ROLE", "SPILL OVER", "BASE URL", "ID"}, rows)
	})
}

func (a *app) addBindingCommand() *cobra.Command {
	flags := &bindingFlags{app: a}
	cmd := &cobra.Command{
		Use:   "add CHANNEL HANDLE",
		Short: "Bind an agent to a channel",
		Long:  "Bind an agent to a channel.\n" + unsaidRuntime,
		Example: `  hearth bindings add general reviewer --model opus --permission-mode plan
  hearth bindings add general local --base-url http://127.0.0.1:11434 --model qwen3 --token-env OLLAMA_TOKEN
  hearth bindings add general lead --role coordinator --hands Grep,Glob
  hearth bindings list general --json | jq '.bindings[0].workers' > workers.json  # to be changed, and given with --workers`,
		Args: takes(2, 2, "a CHANNEL and a HANDLE"),
	}
	flags.register(cmd)
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		body := map[string]any{"handle": args[1]}
		if err := flags.fill(cmd, body); err != nil {
			return err
		}
		channel, err := c.channel(ctx, args[0])
		if err != nil {
			return err
		}
		standin := a.orStandin(ctx, body)
		var made api.Binding
		raw, err := c.post(ctx, at("/api/channels/%s/bindings", channel.ID), body, &made)
		if err != nil {
			return err
		}
		if standin != nil {
			a.complain("%s", standin(channel.Name, made.Handle))
		}
		return a.result(raw, func() {
			a.say("Bound @%s (%s) to #%s. Ask it something: hearth post %s \"@%s …\" --wait", made.Handle, made.Runtime, channel.Name, plain.ShellWord(channel.Name), made.Handle)
		})
	})
	return cmd
}

// unsaidRuntime says what an agent is when nobody says.
const unsaidRuntime = "Without --runtime it is Claude Code, or the stand-in where Claude Code is not found."

func (a *app) editBindingCommand() *cobra.Command {
	flags := &bindingFlags{app: a}
	cmd := &cobra.Command{
		Use:   "edit CHANNEL HANDLE",
		Short: "Change an agent's settings",
		Long:  "Change an agent's settings. What it is at is stopped and its process is ended: a process is what it was started as.\nWhat waits in its queue is answered by the next one.",
		Args:  takes(1, 2, "a CHANNEL and a HANDLE"),
	}
	flags.register(cmd)
	cmd.Flags().StringVar(&flags.handle, "handle", "", "another handle")
	cmd.Flags().BoolVar(&flags.noToken, "no-token", false, "forget the token")
	cmd.RunE = a.with(func(ctx context.Context, c *client, args []string) error {
		body := map[string]any{}
		if err := flags.fill(cmd, body); err != nil {
			return err
		}
		if len(body) == 0 {
			return usagef("Say what to change. `%s --help` lists the settings.", cmd.CommandPath())
		}
		channel, b, err := c.agent(ctx, args)
		if err != nil {
			return err
		}
		var changed api.Binding
		raw, err := c.do(ctx, http.MethodPatch, at("/api/bindings/%s", b.ID), body, &changed)
		if err != nil {
			return err
		}
		return a.result(raw, func() { a.say("Changed @%s in #%s.", changed.Handle, channel.Name) })
	})
	return cmd
}

// agent finds the agent that CHANNEL [HANDLE] names.
func (c *client) agent(ctx context.Context, args []string) (api.Channel, api.Binding, error) {
	channel, err := c.channel(ctx, args[0])
	if err != nil {
		return channel, api.Binding{}, err
	}
	handle := ""
	if len(args) > 1 {
		if handle = chat.CleanHandle(args[1]); handle == "" {
			return channel, api.Binding{}, usagef("A handle can't be empty.")
		}
	}
	b, err := c.binding(ctx, channel, handle)
	return channel, b, err
}

func (a *app) removeBindingCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove CHANNEL HANDLE",
		Short: "Take an agent out of a channel; what it wrote stays",
		Args:  takes(2, 2, "a CHANNEL and a HANDLE"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			channel, b, err := c.agent(ctx, args)
			if err != nil {
				return err
			}
			if _, err := c.do(ctx, http.MethodDelete, at("/api/bindings/%s", b.ID), nil, nil); err != nil {
				return err
			}
			return a.result([]byte("{}"), func() { a.say("Took @%s out of #%s.", b.Handle, channel.Name) })
		}),
	}
}

// actCommand is something that is done to one agent.
func (a *app) actCommand(what, short, more string, show func(raw []byte, who string) error) *cobra.Command {
	long := short + ".\n\n"
	if more != "" {
		long += more + "\n\n"
	}
	return &cobra.Command{
		Use:   what + " CHANNEL [HANDLE]",
		Short: short,
		Long:  long + "HANDLE may be left out when the channel has one agent.",
		Args:  takes(1, 2, "a CHANNEL and a HANDLE"),
		RunE: a.with(func(ctx context.Context, c *client, args []string) error {
			if err := c.needsServer("`hearth bindings " + what + "`"); err != nil {
				return err
			}
			return a.act(ctx, c, what, args, show)
		}),
	}
}

// act does something to the agent that CHANNEL [HANDLE] names.
func (a *app) act(ctx context.Context, c *client, what string, args []string, show func(raw []byte, who string) error) error {
	channel, b, err := c.agent(ctx, args)
	if err != nil {
		return err
	}
	raw, err := c.post(ctx, at("/api/bindings/%s/"+what, b.ID), nil, nil)
	if err != nil {
		return err
	}
	return show(raw, fmt.Sprintf("@%s in #%s", b.Handle, channel.Name))
}

func (a *app) stopAgentCommand() *cobra.Command {
	return a.actCommand("stop", "Stop what an agent is at; it remembers the conversation", "", func(raw []byte, who string) error {
		var got struct {
			Stopped bool `json:"stopped"`
		}
		if err := json.Unmarshal(raw, &got); err != nil {
			return fmt.Errorf("stop an agent: %w", err)
		}
		return a.result(raw, func() {
			if got.Stopped {
				a.say("Stopped %s. Its session lives on.", who)
			} else {
				a.say("%s is at nothing.", who)
			}
		})
	})
}
