package standin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"hearth/backend/plain"
)

// What the client does with the output of a command.
const (
	maxStdout  = 30_000          // characters of it in the tool's output; the whole is in a file then
	maxFailure = 10_000          // characters of what is told of one that failed
	shellBound = 2 * time.Minute // how long a command may take
	maxKept    = 64 << 20        // bytes of output that are kept
	prefixName = "CLAUDE_CODE_SHELL_PREFIX"
)

// shell runs a command of /bash, once it may be run.
func (a *agent) shell(ctx context.Context, t *turn, command string) (string, error) {
	if command == "" {
		return "/bash: say which command.", nil
	}
	c := bashCall(command)
	c.suggestions = suggestCommand(command)
	return a.bash(ctx, t, c, func(command string) (string, int, error) { return a.execute(ctx, command) })
}

// long pretends a command with a long output: numbers, one a line.
func (a *agent) long(ctx context.Context, t *turn, rest string) (string, error) {
	n, err := number(rest, 2000, maxWords)
	if err != nil {
		return "/long: " + err.Error(), nil
	}
	c := bashCall(fmt.Sprintf("seq 1 %d", int(n)))
	c.looks = true
	return a.bash(ctx, t, c, func(string) (string, int, error) {
		var b strings.Builder
		for i := range int(n) {
			fmt.Fprintln(&b, i+1)
		}
		return b.String(), 0, nil
	})
}

func bashCall(command string) *toolCall {
	return &toolCall{tool: "Bash", display: "Bash", id: newID("toolu_"), input: encode(map[string]any{"command": command})}
}

// bash is a call of the Bash tool, from the model's wish to its result.
func (a *agent) bash(ctx context.Context, t *turn, c *toolCall, run func(command string) (output string, status int, err error)) (string, error) {
	v, refusal, err := a.propose(ctx, t, c, "run `"+commandOf(c.input)+"`")
	if !v.allowed {
		return refusal, err
	}
	command := commandOf(c.input)
	output, status, err := run(command)
	switch {
	case err != nil && context.Cause(ctx) != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return fmt.Sprintf("`%s` did not run: %v", command, err), t.failed(ctx, c, err.Error())
	case status != 0:
		text := middleCut(fmt.Sprintf("Exit code %d\n%s", status, strings.TrimRight(output, "\n")))
		return fmt.Sprintf("`%s` failed. I was told:\n%s", command, quote(text)), t.failed(ctx, c, text)
	}
	structured, err := a.bashOutput(c.id, output)
	if err != nil {
		return "", err
	}
	text, err := t.answered(ctx, c, structured)
	return fmt.Sprintf("I ran `%s`, and was told:\n%s", command, quote(text)), err
}

// bashOutput is the Bash tool's own form of an output. A long one is put into a
// file, as the client does it.
func (a *agent) bashOutput(id, output string) (map[string]any, error) {
	output = strings.TrimRight(strings.ToValidUTF8(output, "\uFFFD"), "\n")
	o := map[string]any{"stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}
	if utf8.RuneCountInString(output) <= maxStdout {
		return o, nil
	}
	folder := filepath.Join(strings.TrimSuffix(a.transcript.file.Name(), ".jsonl"), "tool-results")
	path := filepath.Join(folder, id+".txt")
	err := os.MkdirAll(folder, 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(output), 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("keep an output: %w", err)
	}
	o["stdout"], o["persistedOutputPath"], o["persistedOutputSize"] = first(output, maxStdout), path, len(output)
	return o, nil
}

// middleCut takes the middle out of what is too long.
func middleCut(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	n := utf8.RuneCountInString(text)
	if n <= maxFailure {
		return text
	}
	runes := []rune(text)
	return fmt.Sprintf("%s\n\n... [%d characters truncated] ...\n\n%s", string(runes[:maxFailure/2]), n-maxFailure, string(runes[n-maxFailure/2:]))
}

// execute runs a command as the client does: behind the prefix if there is one, its
// output in a file that it appends to, in a session of its own.
func (a *agent) execute(ctx context.Context, command string) (output string, status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, shellBound)
	defer cancel()
	folder, err := os.MkdirTemp("", "standin-")
	if err != nil {
		return "", 0, fmt.Errorf("run a command: %w", err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	file, err := os.OpenFile(filepath.Join(folder, "output"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return "", 0, fmt.Errorf("run a command: %w", err)
	}
	defer file.Close()
	line := "eval " + plain.ShellQuoted(command) + " < /dev/null && pwd -P >| " + plain.ShellQuoted(filepath.Join(folder, "claude-standin-cwd"))
	shell, err := exec.LookPath("bash")
	if err != nil {
		shell = "/bin/sh"
	}
	cmd := exec.CommandContext(ctx, shell, "-c", line)
	if prefix := os.Getenv(prefixName); prefix != "" {
		cmd = exec.CommandContext(ctx, prefix, line)
	}
	cmd.Dir, cmd.Stdout, cmd.Stderr = a.transcript.cwd, file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err = cmd.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", 0, fmt.Errorf("the command was ended: %w", ctx.Err())
	case errors.As(err, &ended):
		status = ended.ExitCode()
		if by, ok := ended.Sys().(syscall.WaitStatus); ok && by.Signaled() {
			status = 128 + int(by.Signal())
		}
	case err != nil:
		return "", 0, fmt.Errorf("run a command: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", 0, fmt.Errorf("read what a command printed: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKept))
	if err != nil {
		return "", 0, fmt.Errorf("read what a command printed: %w", err)
	}
	return string(text), status, nil
}
