package pty

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// probe is the test binary in a role, asked like a program for its version.
func probe(role string) Probe {
	return Probe{Path: os.Args[0], Env: append(os.Environ(), roleVariable+"="+role), Within: time.Minute}
}

func TestProbe(t *testing.T) {
	said, err := probe("terminal").Run(t.Context())
	if want := "in=false out=false err=false controlling=false leader=true\n"; string(said) != want || err != nil {
		t.Errorf("%q, %v; want %q", said, err, want)
	}
	if said, err := probe("cat").Run(t.Context()); len(said) > 0 || err != nil {
		t.Errorf("its input is not empty: %q, %v", said, err)
	}
	fd, err := unix.Open("/dev/null", unix.O_RDONLY, 0) // without close-on-exec, as a GUI library leaves it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	if said, err := probe(fmt.Sprint("descriptor:", fd)).Run(t.Context()); string(said) != "open: false\n" || err != nil {
		t.Errorf("it inherits a descriptor: %q, %v", said, err)
	}
	var exit *exec.ExitError
	said, err = probe("complain:100000").Run(t.Context())
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.HasSuffix(err.Error(), "xthe end") || len(err.Error()) > ProbeStderr+100 || len(said) > 0 {
		t.Errorf("%q, %.300v", said, err)
	}
	if _, err := (Probe{Path: "/nonexistent/claude", Within: time.Minute}).Run(t.Context()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// A program that never stops talking is not listened to for ever.
func TestProbeBoundsWhatIsSaid(t *testing.T) {
	flood := probe("flood")
	said, err := flood.Run(t.Context())
	if !errors.Is(err, ErrTooMuch) || len(said) != ProbeOutput {
		t.Errorf("%d bytes, %v", len(said), err)
	}
	flood.Output = 5
	if said, err := flood.Run(t.Context()); !errors.Is(err, ErrTooMuch) || string(said) != "yyyyy" {
		t.Errorf("%q, %v", said, err)
	}
	exact := probe("lines:4")
	exact.Output = len("éé\na\r\tb\n")
	if said, err := exact.Run(t.Context()); string(said) != "éé\na\r\tb\n" || err != nil {
		t.Errorf("%q, %v", said, err)
	}
}

// Whatever a probe started is ended with it, when it has answered and when it has not.
func TestProbeEndsItsTree(t *testing.T) {
	for name, c := range map[string]struct {
		how  string
		hung bool
	}{
		"answers and leaves one":                        {"leave", false},
		"answers and leaves one in its session":         {"leave same bare", false},
		"answers and leaves one that holds its output":  {"leave hold", false},
		"does not answer":                               {"setsid", true},
		"does not answer with one known by its descent": {"bare", true},
	} {
		t.Run(name, func(t *testing.T) {
			file := t.TempDir() + "/pid"
			ctx, cancel := context.WithCancelCause(t.Context())
			enough := errors.New("enough")
			done := make(chan error, 1)
			go func() {
				_, err := probe("parent:" + file + "," + c.how).Run(ctx)
				done <- err
			}()
			left := Record{PID: pidIn(t, file)}
			if i, err := lookup(left.PID); err == nil {
				left.Started = i.started
			}
			if c.hung {
				cancel(enough)
			}
			err := <-done
			if c.hung != errors.Is(err, enough) || !c.hung && err != nil {
				t.Errorf("%v", err)
			}
			if alive(left) {
				t.Error("what it started lives on")
			}
			cancel(nil)
		})
	}
	late := probe("stubborn")
	late.Within = 100 * time.Millisecond
	if _, err := late.Run(t.Context()); !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), "within 100ms") {
		t.Errorf("%v", err)
	}
}

// A mark is the probe's own: ending it must end nobody who carries the mark in its environment, as the shell of an agent does.
func TestProbeHasAMarkOfItsOwn(t *testing.T) {
	bystander := plain(t, "stubborn", MarkVariable+"=outer/agent")
	p := Probe{Path: "/bin/sh", Args: []string{"-c", "echo $" + MarkVariable}, Within: time.Minute}
	for instance, env := range map[string][]string{
		"probe/": {"PATH=/bin"},
		"outer/": {MarkVariable + "=older/x", MarkVariable + "=outer/agent"},
		"inst/":  {MarkVariable + "=inst/"},
	} {
		p.Env = env
		said, err := p.Run(t.Context())
		if err != nil || !strings.HasPrefix(string(said), instance+"probe-") {
			t.Errorf("%q, %v, want %s", said, err, instance)
		}
	}
	if !alive(bystander) {
		t.Error("a probe ended what it did not start")
	}
}
