package golden

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOnce(t *testing.T) {
	var o Once
	times := 0
	for _, name := range []string{"a", "b/c", "a"} {
		path := filepath.Join(t.TempDir(), name)
		err := o.Copy(path, func(path string) error {
			times++
			return os.WriteFile(path, []byte("made"), 0o644)
		})
		if got, read := os.ReadFile(path); err != nil || read != nil || string(got) != "made" {
			t.Errorf("%s: %q, %v, %v", name, got, err, read)
		}
	}
	if times != 1 {
		t.Errorf("made %d times", times)
	}
	there := filepath.Join(t.TempDir(), "there")
	if err := errors.Join(os.WriteFile(there, []byte("mine"), 0o600), o.Copy(there, nil)); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(there); string(got) != "mine" {
		t.Errorf("what was there is %q", got)
	}
	var broken Once
	for range 2 {
		if err := broken.Copy(there, func(string) error { return errors.New("no room") }); err == nil || err.Error() != "no room" {
			t.Errorf("what can't be made: %v", err)
		}
	}
}
