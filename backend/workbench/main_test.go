package workbench

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hearth/backend/chat"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a workbench in a new workspace, prepared.
func bench(t testing.TB) *Bench {
	t.Helper()
	b, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Prepare(chat.IgnoreAll); err != nil {
		t.Fatal(err)
	}
	return b
}

// put writes a file of the workbench, with the folders it is in.
func put(t testing.TB, b *Bench, path, content string) {
	t.Helper()
	path = filepath.Join(b.Path(), path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func scan(t testing.TB, b *Bench) Inventory {
	t.Helper()
	inv, err := b.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

func get(t *testing.T, inv Inventory, path string) Entry {
	t.Helper()
	for _, e := range inv.Entries {
		if e.Path == path {
			return e
		}
	}
	t.Errorf("no %q", path)
	return Entry{}
}

func at(minute int) time.Time {
	return time.Date(2026, 3, 1, 9, minute, 0, 0, time.UTC)
}
