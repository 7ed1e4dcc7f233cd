// Package golden holds what is rendered against what was, kept in files, for tests
// of any layer. go test -update writes the files anew; then look at the difference.
package golden

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Equal fails the test when got is not what stands in the file of that name in
// testdata.
func Equal(t testing.TB, name, got string) {
	t.Helper()
	EqualFile(t, filepath.Join("testdata", name), got)
}

// EqualFile is Equal of a file anywhere.
func EqualFile(t testing.TB, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is no %s: run the test with -update", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew, then look at the difference). Got:\n%s\nwant:\n%s", path, got, want)
	}
}
