package pty

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestEndLeftoversEndsWhatMatches(t *testing.T) {
	instance, _, _ := strings.Cut(mark(t), "/")
	for name, c := range map[string]struct {
		mark  string
		ended bool
	}{
		"the instance":                 {instance + "/run-1", true},
		"another instance":             {instance + "-2/run-1", false},
		"no mark":                      {"", false},
		"the instance without a slash": {instance, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := plain(t, "sleeper", MarkVariable+"="+c.mark)
			ended, err := EndLeftovers(t.Context(), instance)
			if err != nil {
				t.Error(err)
			}
			if alive(r) == c.ended {
				t.Errorf("alive: %v, want ended %v", alive(r), c.ended)
			}
			if got := slices.Contains(ended, r); got != c.ended {
				t.Errorf("reported: %v in %+v, want %v", got, ended, c.ended)
			}
		})
	}
}

func TestEndLeftoversTakesStubbornDescendantsToo(t *testing.T) {
	file := t.TempDir() + "/pid"
	instance, _, _ := strings.Cut(mark(t), "/")
	c := child("parent:"+file+",bare", append(os.Environ(), MarkVariable+"="+mark(t)))
	if err := startChild(c); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Wait() }()
	grandchild := recordOf(t, pidIn(t, file))
	ended, err := EndLeftovers(t.Context(), instance)
	if err != nil {
		t.Error(err)
	}
	if alive(grandchild) || len(ended) != 2 {
		t.Errorf("grandchild alive: %v; ended %+v", alive(grandchild), ended)
	}
}

// Hearth started from within an agent's shell carries the mark of its own installation, and so does that shell.
func TestEndLeftoversSparesItselfAndItsAncestors(t *testing.T) {
	instance, _, _ := strings.Cut(mark(t), "/")
	c := child("next:"+instance, append(os.Environ(), MarkVariable+"="+mark(t)))
	out, err := c.Output()
	if err != nil || string(out) != "0 <nil>\n" {
		t.Errorf("it said %q, %v", out, err)
	}
}

func TestEndLeftoversNeedsAnInstance(t *testing.T) {
	for _, instance := range []string{"", "a/b", "/"} {
		if _, err := EndLeftovers(t.Context(), instance); err == nil {
			t.Errorf("%q was taken for an instance", instance)
		}
	}
}
