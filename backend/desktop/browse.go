package desktop

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"syscall"

	"hearth/backend/pty"
)

// opener is the program that opens a file or a link with what the desktop has for it.
func opener(system string) string {
	if system == "darwin" {
		return "open"
	}
	return "xdg-open"
}

// hasDisplay says whether something can be shown at all.
func hasDisplay(system string, environ []string) bool {
	return system == "darwin" || pty.Variable(environ, "DISPLAY") != "" || pty.Variable(environ, "WAYLAND_DISPLAY") != ""
}

// Browser is the program that opens links, in a person's environment.
func Browser(environ []string) (string, error) {
	if !hasDisplay(runtime.GOOS, environ) {
		return "", errors.New("there is no display here")
	}
	return pty.LookPath(opener(runtime.GOOS), environ)
}

// Browse opens a link with the person's own program for it and does not wait: what is
// started may be the browser itself, and lives on, whatever becomes of ctx. What the
// link may be is the caller's to say.
func Browse(ctx context.Context, environ []string, link string) error {
	program, err := Browser(environ)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, link)
	cmd.Env = environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C in our terminal is not the browser's end
	if err := pty.Seal(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // takes the zombie away; it may live longer than we do
	return nil
}
