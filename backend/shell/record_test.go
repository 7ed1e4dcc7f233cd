package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	if r, next, err := ReadRecords(path, 77); r != nil || next != 0 || err != nil {
		t.Errorf("%v, %d, %v", r, next, err)
	}
	for _, command := range []string{"one", strings.Repeat("一", 5000)} {
		if err := (Record{Command: command, Status: 1}).append(path); err != nil {
			t.Fatal(err)
		}
	}
	first, next, err := ReadRecords(path, 0)
	if err != nil || len(first) != 2 || first[0].Command != "one" || first[1].Command != strings.Repeat("一", maxCommand) {
		t.Fatalf("%+v, %v", first, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	add := func(text string) {
		t.Helper()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	add("garbage\n{\"command\":\"three\"}\n{\"comm")
	second, next, err := ReadRecords(path, next)
	if err != nil || len(second) != 1 || second[0].Command != "three" {
		t.Errorf("%+v, %v", second, err)
	}
	add("and\":\"four\"}\n")
	if third, _, err := ReadRecords(path, next); err != nil || len(third) != 1 || third[0].Command != "four" {
		t.Errorf("%+v, %v", third, err)
	}
	if all, _, err := ReadRecords(path, 1<<40); err != nil || len(all) != 4 {
		t.Errorf("a file that began anew: %+v, %v", all, err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := (Record{}).append(link); err == nil {
		t.Error("a link is followed")
	}
}
