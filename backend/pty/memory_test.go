package pty

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

func TestMemoryIsThatOfTheWholeTree(t *testing.T) {
	t.Run("one process", func(t *testing.T) {
		p := run(t, "sleeper")
		ready(t, p)
		if m, err := p.Memory(t.Context()); err != nil || m.Processes != 1 || m.Bytes < 1<<20 || m.Bytes > 1<<30 {
			t.Errorf("%+v, %v", m, err)
		}
	})
	t.Run("a parent and its child", func(t *testing.T) {
		p := run(t, "parent:"+filepath.Join(t.TempDir(), "pid"))
		ready(t, p)
		if m, err := p.Memory(t.Context()); err != nil || m.Processes != 2 || m.Bytes < 2<<20 {
			t.Errorf("%+v, %v", m, err)
		}
		given, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Memory(given); !errors.Is(err, context.Canceled) {
			t.Errorf("a look that was given up: %v", err)
		}
		endNow(p)
		if m, err := p.Memory(t.Context()); err != nil || m != (Memory{}) {
			t.Errorf("after its end: %+v, %v", m, err)
		}
	})
}
