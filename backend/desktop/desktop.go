package desktop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"hearth/backend/chat"
	"hearth/backend/plain"
	"hearth/backend/pty"
)

const (
	// patience is how long a program is watched after it was started: one that can't do
	// what it should says so soon. Editors that stay are not waited for.
	patience = 2 * time.Second
	// answerWithin is how long the desktop may take to answer a question.
	answerWithin = 3 * time.Second
)

// A Desktop is that of the person whom this process belongs to.
type Desktop struct {
	// Environ is what programs are started with, the person's own.
	Environ func(ctx context.Context) []string

	system   string         // "" is runtime.GOOS
	patience time.Duration  // 0 is the usual
	children sync.WaitGroup // waited for by tests alone: programs live longer than Hearth does
}

// A File is what is to be opened.
type File struct {
	Path       string // absolute
	Head       []byte // how it begins: some hundred bytes, or all of it
	Executable bool   // the system would run it
}

// Edit opens a file in the person's editor: chosen, a command, if that is given; else
// $VISUAL or $EDITOR, if that is no program for a terminal; else the desktop's own for
// texts. What is no text is opened with whatever the desktop has for it, unless that
// could be to run it. Errors: no display, or no program for it (chat.CodeUnavailable);
// it might be run (chat.CodeForbidden); chosen is no command (chat.CodeInvalid).
func (d *Desktop) Edit(ctx context.Context, f File, chosen string) error {
	env := d.Environ(ctx)
	if err := d.display(env, f.Path); err != nil {
		return err
	}
	command, err := editor(chosen, env)
	if err != nil {
		return err
	}
	if len(command) > 0 {
		return d.start(ctx, env, command, f.Path)
	}
	text := isText(f.Head)
	if text {
		if command := d.textEditor(ctx, env); len(command) > 0 {
			return d.start(ctx, env, command, f.Path)
		}
	}
	if why := runnable(f); why != "" {
		next := "Copy its path, and open it with a program that you know."
		if text {
			next = "Choose an editor with `hearth workbench settings --editor`, which opens it as a text."
		}
		return chat.Errorf(chat.CodeForbidden, "%s %s, so the desktop might run it instead of showing it. %s", shown(f.Path), why, next)
	}
	return d.start(ctx, env, []string{opener(d.os())}, f.Path)
}

// Reveal shows a file in its folder, in the person's file manager: chosen there, where
// the desktop can. Errors as Edit's.
func (d *Desktop) Reveal(ctx context.Context, path string) error {
	env := d.Environ(ctx)
	if err := d.display(env, path); err != nil {
		return err
	}
	if d.os() == "darwin" {
		return d.start(ctx, env, []string{"open", "-R"}, path)
	}
	if showItem(ctx, pty.Variable(env, "DBUS_SESSION_BUS_ADDRESS"), path) == nil {
		return nil
	}
	return d.start(ctx, env, []string{opener(d.os())}, filepath.Dir(path))
}

func (d *Desktop) os() string {
	if d.system != "" {
		return d.system
	}
	return runtime.GOOS
}

// display says what to do where nothing can be shown.
func (d *Desktop) display(env []string, path string) error {
	if hasDisplay(d.os(), env) {
		return nil
	}
	return chat.Errorf(chat.CodeUnavailable, "Hearth runs where there is no display, so it can open nothing there. Copy the path: %s", shown(path))
}

// textEditor is the desktop's own program for texts, which shows a script and runs none.
func (d *Desktop) textEditor(ctx context.Context, env []string) []string {
	if d.os() == "darwin" {
		return []string{"open", "-t"}
	}
	launch, err := pty.LookPath("gtk-launch", env)
	if err != nil {
		return nil
	}
	mime, err := pty.LookPath("xdg-mime", env)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	ask := exec.CommandContext(ctx, mime, "query", "default", "text/plain")
	ask.Env, ask.WaitDelay = env, time.Second
	if pty.Seal() != nil {
		return nil
	}
	out, err := ask.Output()
	app := strings.TrimSpace(string(out))
	if err != nil || !strings.HasSuffix(app, ".desktop") || strings.ContainsAny(app, "/\n") || strings.HasPrefix(app, "-") {
		return nil
	}
	return []string{launch, app}
}

// start starts a program with a file's path behind its arguments.
func (d *Desktop) start(ctx context.Context, env, command []string, path string) error {
	program, err := pty.LookPath(command[0], env)
	if err != nil {
		return chat.Errorf(chat.CodeUnavailable, "There is no program %s here to open files with. Install it, choose an editor with `hearth workbench settings --editor`, or copy the path: %s", shown(command[0]), shown(path))
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, append(slices.Clone(command[1:]), path)...)
	cmd.Env, cmd.Dir = env, "/"                          // nothing of an agent's is where it looks first
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C in our terminal is not its end
	if err := pty.Seal(); err != nil {
		return fmt.Errorf("mark descriptors close-on-exec: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return chat.Wrap(chat.CodeUnavailable, cause(err), fmt.Sprintf("%s can't be started; choose another editor with `hearth workbench settings --editor`", shown(program)))
	}
	ended := make(chan error, 1)
	d.children.Go(func() { ended <- cmd.Wait() }) // takes the zombie away
	wait := d.patience
	if wait == 0 {
		wait = patience
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return chat.Errorf(chat.CodeUnavailable, "%s could not open %s (%s). Choose an editor with `hearth workbench settings --editor`, or copy the path.", shown(filepath.Base(program)), shown(path), err)
		}
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}

// shown is a foreign text in a sentence.
func shown(text string) string { return `"` + plain.Name(text) + `"` }

func cause(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
