package tool

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// feed gives a parser its output in pieces of a size.
func feed(t testing.TB, each func(string), output string, size int) {
	t.Helper()
	f := &fields{each: each}
	for rest := []byte(output); len(rest) > 0; {
		n := min(size, len(rest))
		if wrote, err := f.Write(rest[:n]); wrote != n || err != nil {
			t.Fatalf("wrote %d of %d: %v", wrote, n, err)
		}
		rest = rest[n:]
	}
	if len(f.held) > maxField {
		t.Fatalf("holds %d bytes", len(f.held))
	}
}

const (
	oid   = "1e912eafa5a1c2b3d4e5f60718293a4b5c6d7e8f"
	clean = "# branch.oid " + oid + "\x00# branch.head main\x00"
)

func TestStatusIsParsed(t *testing.T) {
	onMain := branch{name: "main", commit: oid}
	tests := []struct {
		name, output string
		want         status
	}{
		{"clean", clean, status{branch: onMain}},
		{"before the first commit", "# branch.oid (initial)\x00# branch.head main\x00", status{branch: branch{name: "main"}}},
		{"detached", "# branch.oid " + oid + "\x00# branch.head (detached)\x00", status{branch: branch{detached: true, commit: oid}}},
		{"upstream", clean + "# branch.upstream origin/main\x00# branch.ab +2 -13\x00", status{branch: branch{name: "main", commit: oid, upstream: "origin/main", ahead: 2, behind: 13}}},
		{"upstream that is gone", clean + "# branch.upstream origin/main\x00", status{branch: branch{name: "main", commit: oid, upstream: "origin/main"}}},
		{"an odd ab", clean + "# branch.ab -2 +x\x00", status{branch: onMain}},
		{"stash", clean + "# stash 3\x00", status{branch: onMain}},
		{"modified", "1 .M N... 100644 100644 100644 " + oid + " " + oid + " a file\nof two lines\x00",
			status{count: 1, changes: []change{{code: ".M", path: "a file\nof two lines"}}}},
		{"renamed", "2 R. N... 100644 100644 100644 " + oid + " " + oid + " R100 new name\x00old name\x00? 1 x\x00",
			status{count: 2, changes: []change{{code: "R.", path: "new name", from: "old name"}, {code: "??", path: "1 x"}}}},
		{"unmerged", "u UU N... 100644 100644 100644 100644 " + oid + " " + oid + " " + oid + " 충돌\x00",
			status{count: 1, changes: []change{{code: "UU", path: "충돌"}}}},
		{"ignored and unknown", "! ignored\x00x new kind\x00\x00? \x00", status{}},
		{"cut off", "? whole\x00? half", status{count: 1, changes: []change{{code: "??", path: "whole"}}}},
		{"too few fields", "1 .M N... 100644\x00", status{}},
		{"no state", "1 <> N... 100644 100644 100644 a b path\x00", status{}},
	}
	for _, tt := range tests {
		for _, size := range []int{1, 7, 1 << 20} {
			var p statusParser
			feed(t, p.field, tt.output, size)
			if !reflect.DeepEqual(p.status, tt.want) {
				t.Errorf("%s, by %d: %+v, want %+v", tt.name, size, p.status, tt.want)
			}
		}
	}
}

func TestManyChangesAreCountedAndFewKept(t *testing.T) {
	var p statusParser
	var output strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&output, "2 R. N... 100644 100644 100644 %s %s R100 new%d\x00old%d\x00", oid, oid, i, i)
	}
	feed(t, p.field, output.String(), 100)
	last := p.status.changes[maxChanges-1]
	if p.status.count != 1000 || len(p.status.changes) != maxChanges || last.path != "new49" || last.from != "old49" {
		t.Errorf("count %d, kept %d, last %+v", p.status.count, len(p.status.changes), last)
	}
}

func TestALongFieldIsCut(t *testing.T) {
	var p statusParser
	feed(t, p.field, "? "+strings.Repeat("x", 1<<20)+"\x00? y\x00", 4096)
	if p.status.count != 2 || len(p.status.changes[0].path) != maxField-2 || p.status.changes[1].path != "y" {
		t.Errorf("count %d, first path %d bytes", p.status.count, len(p.status.changes[0].path))
	}
}

func TestLogIsParsed(t *testing.T) {
	tests := []struct {
		name, output string
		want         []commit
	}{
		{"none", "", nil},
		{"two", "1e912ea\x001760000000\x00지민\x00첫 커밋\x00abcd\x000\x00\x00\x00",
			[]commit{{"1e912ea", time.Unix(1760000000, 0), "지민", "첫 커밋"}, {"abcd", time.Unix(0, 0), "", ""}}},
		{"cut off", "1e912ea\x001760000000\x00a\x00sub", nil},
		{"no time", "1e912ea\x00soon\x00a\x00b\x00", nil},
		{"a time after time", "1e912ea\x0099999999999999\x00a\x00b\x00", nil},
		{"no hash", "<b>\x001\x00a\x00b\x00", nil},
		{"too many", strings.Repeat("abcd\x001\x00a\x00b\x00", 9), slices.Repeat([]commit{{"abcd", time.Unix(1, 0), "a", "b"}}, maxCommits)},
	}
	for _, tt := range tests {
		var p logParser
		feed(t, p.field, tt.output, 3)
		if !reflect.DeepEqual(p.commits, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, p.commits, tt.want)
		}
	}
}

func TestDriversAreParsed(t *testing.T) {
	tests := []struct {
		name, output string
		want         []string
	}{
		{"none", "", nil},
		{"the person's own", "global\x00filter.lfs.clean\ngit-lfs clean\x00system\x00filter.a.clean\nb\x00command\x00filter.c.clean\n\x00", nil},
		{"the repository's", "local\x00filter.evil.clean\nrun\x00local\x00filter.evil.process\nrun\x00worktree\x00filter.Other one.smudge\nx\x00", []string{"evil", "Other one"}},
		{"dots, lines and signs", "local\x00filter.a.b=c.clean\nx\nfilter.no.clean\x00", []string{"a.b=c"}},
		{"no value", "local\x00filter.bare.required\x00", []string{"bare"}},
		{"an unknown scope", "elsewhere\x00filter.x.clean\ny\x00", []string{"x"}},
		{"no name", "local\x00filter.clean\nx\x00local\x00filter..clean\nx\x00", []string{""}},
	}
	for _, tt := range tests {
		var p driversParser
		feed(t, p.field, tt.output, 5)
		if !reflect.DeepEqual(p.names, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, p.names, tt.want)
		}
	}
}

// FuzzGit gives the parsers whatever git, or what poses as git, could print.
func FuzzGit(f *testing.F) {
	f.Add([]byte(clean+"1 .M N... 100644 100644 100644 a b c\x002 R. N... 1 2 3 a b R1 x\x00y\x00u UU N... 1 2 3 4 a b c d\x00? z\x00"), 3)
	f.Add([]byte("1e912ea\x001760000000\x00a\x00b\x00"), 1)
	f.Add([]byte("local\x00filter.a.clean\nb\x00"), 100)
	f.Fuzz(func(t *testing.T, output []byte, size int) {
		size = max(1, min(size, 1<<20))
		var once, pieces statusParser
		feed(t, once.field, string(output), len(output)+1)
		feed(t, pieces.field, string(output), size)
		if !reflect.DeepEqual(once, pieces) {
			t.Fatalf("the size of the pieces matters: %+v, %+v", once, pieces)
		}
		s := once.status
		if len(s.changes) > maxChanges || len(s.changes) > s.count || (s.count <= maxChanges && len(s.changes) != s.count) {
			t.Fatalf("count %d, kept %d", s.count, len(s.changes))
		}
		var l logParser
		feed(t, l.field, string(output), size)
		if len(l.commits) > maxCommits {
			t.Fatalf("kept %d commits", len(l.commits))
		}
		var d driversParser
		feed(t, d.field, string(output), size)
		// Whatever was parsed, the answer has only lines of ours, each visible.
		var out strings.Builder
		writeRepository(&out, repository{status: s, commits: l.commits})
		text := out.String()
		shown := min(s.count, maxChanges)
		if got, want := strings.Count(text, "\n- "), shown+len(l.commits); got != want {
			t.Fatalf("%d items, want %d:\n%s", got, want, text)
		}
		if strings.Count(text, "\n") > shown+len(l.commits)+4 {
			t.Fatalf("lines nobody wrote:\n%s", text)
		}
	})
}
