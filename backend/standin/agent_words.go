package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// commandNames are the commands, by name.
var commandNames = map[string]bool{
	"help": true, "stream": true, "slow": true, "tool": true, "history": true, "roster": true, "activity": true,
	"post": true, "decline": true, "ask": true, "background": true, "remember": true, "recall": true, "fail": true, "crash": true,
	"count": true, "stumble": true, "bash": true, "long": true, "worker": true, "write": true, "edit": true,
}

const helpText = `I am Hearth's stand-in agent. There is no model behind me: I say what I was told, and do what a few words mean.

- **slow**: count, a number a second; you can stop me
- **fail**: fail once, and answer when you retry
- **ask for permission**: ask to run a command, which I don't run then
- **who is here**, **history**: call that tool of the channel

A line that begins with a slash does the same and more:

- ` + "`/count N`" + `: count to N; ` + "`/stumble`" + `: the same as fail
- ` + "`/stream N`" + `: stream N words
- ` + "`/slow N`" + `: take N seconds first; you can stop me
- ` + "`/tool NAME {json}`" + `: call a tool of the channel
- ` + "`/history [N]`, `/roster`, `/activity`, `/post TEXT`, `/decline REASON`" + `: call that tool
- ` + "`/ask COMMAND`" + `: ask for permission to run COMMAND, and leave it at that
- ` + "`/bash COMMAND`" + `: ask, and run COMMAND in the workspace
- ` + "`/write FILE TEXT`, `/edit FILE OLD => NEW`" + `: ask, and change a file
- ` + "`/long N`" + `: pretend a command that prints N lines
- ` + "`/worker TEXT`" + `: pretend a subagent that is told TEXT, such as ` + "`/worker /long 5000`" + `
- ` + "`/background N`" + `: start a background task that ends after N seconds
- ` + "`/remember X`, `/recall`" + `: keep X in this session, and say it again
- ` + "`/fail`" + `: end with an error; ` + "`/crash`" + `: die at once`

// Bounds of what a command may ask for.
const (
	maxWords   = 200_000
	maxSeconds = 3600
	maxQuoted  = 2000 // characters of the message and of a tool's answer that are said back
)

// perform does what a message asks for, command by command, and says the rest.
func (a *agent) perform(ctx context.Context, t *turn, said told, warmth string, failedBefore int) (reply, error) {
	if n := a.hostile.bigLine; n > 0 {
		text := strings.Repeat("a very long line 아주 긴 줄 ", n/32+1)[:n]
		text = strings.ToValidUTF8(text, "")
		return reply{text: text}, t.say(ctx, []piece{{text: text}})
	}
	if len(said.commands) == 1 && said.commands[0].name == "count" {
		return a.count(ctx, t, said.commands[0])
	}
	var parts []string
	pieces := 0
	for _, c := range said.commands {
		text, err := a.command(ctx, t, c)
		switch {
		case errors.Is(err, errStumbled):
			return a.failTurn(t, "The stand-in was told to fail. Retry: the second time it works.")
		case errors.Is(err, errFailed):
			return a.failTurn(t, "The stand-in was told to fail.")
		case err != nil:
			return reply{}, err
		}
		if c.name == "stream" {
			pieces = max(pieces, strings.Count(text, " ")+1)
		}
		if text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		looked, err := a.lookAround(ctx, t, said)
		if err != nil {
			return reply{}, err
		}
		parts = append(parts, report(said, warmth, failedBefore)+looked, a.hint())
	}
	text := strings.Join(parts, "\n\n")
	return reply{text: text}, t.say(ctx, a.pieces(text, pieces))
}

var (
	errFailed   = errors.New("told to fail")
	errStumbled = errors.New("told to fail once")
)

// first says whether this is the first turn of a new session.
func (a *agent) first() bool { return a.turns == 1 && a.restored == 0 }

// lookAround is what the demo does before it first answers in a process that
// knows nothing: it calls tools of the channel, so that a person sees steps.
func (a *agent) lookAround(ctx context.Context, t *turn, said told) (string, error) {
	if !a.flags.demo || !said.payload || !a.first() {
		return "", nil
	}
	var called []string
	for _, look := range []struct {
		tool  string
		input map[string]any
	}{{"channel_roster", map[string]any{}}, {"channel_history", map[string]any{"limit": 5}}} {
		if s, _, _ := a.findTool(look.tool); s == nil {
			continue
		}
		if _, err := a.useTool(ctx, t, look.tool, look.input); err != nil {
			return "", err
		}
		called = append(called, look.tool)
	}
	if len(called) == 0 {
		return "", nil
	}
	return "\n- I looked around first: " + strings.Join(called, " and ") + ". Those are the steps of this turn. A warm agent need not look again.", nil
}

// hint says what else can be tried: at length in the first answer.
func (a *agent) hint() string {
	if !a.first() {
		return "`help` says what I can do."
	}
	return "Send me one of these:\n\n" +
		"- `slow`: I count, and you can press Stop, then Retry.\n" +
		"- `fail`: I fail, and answer when you retry.\n" +
		"- `ask for permission`: I ask to run a command, and leave it at that.\n" +
		"- `help`: everything else.\n\n" +
		"Anything else, and I say again what reached me: this process is warm from now on, so it is less."
}

// count counts, a number a second.
func (a *agent) count(ctx context.Context, t *turn, c command) (reply, error) {
	n, err := number(c.rest, 20, maxCount)
	if err != nil {
		text := "/count: " + err.Error()
		return reply{text: text}, t.say(ctx, a.pieces(text, 0))
	}
	pieces := a.counting(int(n))
	return reply{text: textOf(pieces)}, t.say(ctx, pieces)
}

func (a *agent) command(ctx context.Context, t *turn, c command) (string, error) {
	switch c.name {
	case "help":
		return helpText, nil
	case "stream":
		n, err := number(c.rest, 20, maxWords)
		if err != nil {
			return "/stream: " + err.Error(), nil
		}
		return manyWords(int(n)), nil
	case "slow":
		n, err := number(c.rest, 2, maxSeconds)
		if err != nil {
			return "/slow: " + err.Error(), nil
		}
		return fmt.Sprintf("I took my time: %s.", secondsOf(n)), wait(ctx, n)
	case "remember":
		if c.rest == "" {
			return "/remember: say what.", nil
		}
		return "I keep that in mind: " + c.rest, nil // understood when the message was heard
	case "recall":
		if len(a.memory.remembered) == 0 {
			return "I remember nothing.", nil
		}
		return "I remember: " + strings.Join(a.memory.remembered, "; ") + ".", nil
	case "fail":
		return "", errFailed
	case "stumble":
		if a.stumbled = !a.stumbled; a.stumbled {
			return "", errStumbled
		}
		return "This time it works. The message that failed came again, to the process that lives on.", nil
	case "count":
		return "/count: ask for that alone.", nil
	case "crash":
		fmt.Fprintln(a.stderr, "stand-in agent: crashed, because it was told to")
		return "", errCrash
	case "ask":
		return a.askPermission(ctx, t, c.rest)
	case "background":
		return a.startTask(ctx, t, c.rest)
	case "bash":
		return a.shell(ctx, t, c.rest)
	case "write":
		return a.write(ctx, t, c.rest)
	case "edit":
		return a.edit(ctx, t, c.rest)
	case "long":
		return a.long(ctx, t, c.rest)
	case "worker":
		return a.worker(ctx, t, c.rest)
	}
	return a.toolCommand(ctx, t, c)
}

// toolCommand does the commands that call a tool of the channel.
func (a *agent) toolCommand(ctx context.Context, t *turn, c command) (string, error) {
	name, input := c.rest, map[string]any{}
	switch c.name {
	case "tool":
		var raw string
		name, raw, _ = strings.Cut(c.rest, " ")
		if raw = strings.TrimSpace(raw); raw != "" {
			if err := json.Unmarshal([]byte(raw), &input); err != nil {
				return fmt.Sprintf("/tool: the arguments of %s are no JSON object: %v", name, err), nil
			}
		}
	case "history":
		name = "channel_history"
		if c.rest != "" {
			n, err := number(c.rest, 0, 100)
			if err != nil {
				return "/history: " + err.Error(), nil
			}
			input["limit"] = int(n)
		}
	case "roster":
		name = "channel_roster"
	case "activity":
		name = "project_activity"
	case "post":
		name, input["body"] = "channel_post", c.rest
	case "decline":
		name, input["reason"] = "channel_decline", c.rest
	}
	return a.useTool(ctx, t, name, input)
}

// useTool calls a tool as a model would: the call, the question whether it may,
// the answer.
func (a *agent) useTool(ctx context.Context, t *turn, name string, input map[string]any) (string, error) {
	s, tool, full := a.findTool(name)
	if s == nil {
		return fmt.Sprintf("I have no tool %q. I have: %s.", name, strings.Join(a.toolNames(), ", ")), nil
	}
	raw, err := json.Marshal(input)
	if err != nil {
		return "", fmt.Errorf("encode the input of %s: %w", name, err)
	}
	c := &toolCall{tool: full, display: tool, input: raw, id: newID("toolu_")}
	v, refusal, err := a.propose(ctx, t, c, "call "+tool, Block{Type: "text", Text: "I call " + tool + "."})
	if !v.allowed {
		return refusal, err
	}
	content, isError, err := a.callTool(ctx, s, tool, c.input)
	if errors.Is(err, errInterrupted) {
		return "", err
	}
	if err != nil || isError {
		text := shown(encode(content))
		if err != nil {
			text = err.Error()
		}
		return fmt.Sprintf("%s refused:\n%s", tool, quote(text)), t.failed(ctx, c, text)
	}
	if content == nil {
		content = []json.RawMessage{}
	}
	text, err := t.answered(ctx, c, content)
	return fmt.Sprintf("%s answered:\n%s", tool, quote(text)), err
}

// failTurn ends a turn as an error of the API would.
func (a *agent) failTurn(t *turn, why string) (reply, error) {
	text := "API Error: 500 " + why
	t.replay()
	id := newID("msg_")
	message := map[string]any{
		"id": id, "type": "message", "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence", "stop_sequence": "",
		"usage": Usage{}, "content": []any{map[string]any{"type": "text", "text": text}},
	}
	a.emit(map[string]any{"type": "assistant", "message": message, "parent_tool_use_id": nil, "error": "server_error"})
	return reply{text: text, failed: true}, a.transcript.add("assistant", id, message, map[string]any{"isApiErrorMessage": true})
}

// warmth says what the agent can see of its lease.
func (a *agent) warmth(said told) string {
	switch {
	case a.turns > 0:
		return fmt.Sprintf("I am warm: this process has taken %s before, and was told only what is new.", count(a.turns, "turn"))
	case a.restored > 0:
		return fmt.Sprintf("I am restored: a new process that has loaded a saved session with %s.", count(a.restored, "turn"))
	case said.replay:
		return "I am cold: a new process that remembers nothing, and was told of earlier exchanges."
	}
	return "I am cold: a new process that remembers nothing."
}

// report says what came along with a message.
func report(said told, warmth string, failedBefore int) string {
	var b strings.Builder
	b.WriteString("I am Hearth's stand-in: there is no model behind me, so I can only say what reached me.\n\n")
	b.WriteString("- " + warmth + "\n")
	b.WriteString("- You said: " + quote(said.text) + "\n")
	for _, what := range said.changed {
		b.WriteString("- A message I had been told was " + what + " since.\n")
	}
	if said.rows == 0 {
		b.WriteString("- No new rows came with it.")
	} else {
		which := "new"
		if said.first {
			which = "earlier"
		}
		fmt.Fprintf(&b, "- With it came %s: ", count(said.rows, which+" row"))
		for i, who := range said.order {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%d by %s", said.by[who], who)
		}
		b.WriteString(".")
	}
	if said.omitted != "" {
		b.WriteString("\n- I was told what I was not shown: " + said.omitted)
	}
	if failedBefore > 0 {
		fmt.Fprintf(&b, "\n- %s that got no answer came again with it.", count(failedBefore, "earlier message"))
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// quote says a text back, within bounds.
func quote(text string) string {
	runes := []rune(text)
	if len(runes) <= maxQuoted {
		return text
	}
	return fmt.Sprintf("%s … [%d more characters]", string(runes[:maxQuoted]), len(runes)-maxQuoted)
}

// number reads a command's number, from 0 to a bound.
func number(text string, otherwise, most float64) (float64, error) {
	word, _, _ := strings.Cut(text, " ")
	if word == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseFloat(word, 64)
	if err != nil || n != n || n < 0 || n > most {
		return 0, fmt.Errorf("%q is no number from 0 to %g", word, most)
	}
	return n, nil
}

func secondsOf(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) + " s" }

// wait takes its time; an interrupt ends it.
func wait(ctx context.Context, seconds float64) error {
	timer := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// manyWords is n words in many scripts.
func manyWords(n int) string {
	words := strings.Fields("a warm process hears only what is new 따뜻한 프로세스는 새로운 것만 듣는다 温かい プロセス は 新しい こと だけ 聞く теплый процесс слышит новое عملية دافئة 🔥 café naïve")
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words[i%len(words)])
	}
	return b.String()
}
