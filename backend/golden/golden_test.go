package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// told is a test that notes what it is told.
type told struct {
	testing.TB
	said string
}

func (t *told) Helper()                           {}
func (t *told) Errorf(format string, args ...any) { t.said += fmt.Sprintf(format, args...) }
func (t *told) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func TestEqual(t *testing.T) {
	defer func(was bool) { *update = was }(*update)
	*update = false // here it is compared in any case
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("한\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	same, other := &told{TB: t}, &told{TB: t}
	EqualFile(same, path, "한\n")
	EqualFile(other, path, "글\n")
	if same.said != "" || !strings.Contains(other.said, "글") || !strings.Contains(other.said, "한") {
		t.Errorf("the same: %q; another: %q", same.said, other.said)
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "-update") {
			t.Errorf("a file that is not there: %s", said)
		}
	}()
	EqualFile(&told{TB: t}, path+"y", "")
}
