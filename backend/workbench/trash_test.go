package workbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// remove deletes files, all of which go.
func remove(t *testing.T, b *Bench, at time.Time, names ...string) []Deleted {
	t.Helper()
	deleted, refused, err := b.Delete(names, at)
	if err != nil || len(refused) > 0 || len(deleted) != len(names) {
		t.Fatalf("%+v %v %v", deleted, refused, err)
	}
	return deleted
}

func inTrash(t *testing.T, b *Bench) (paths []string) {
	t.Helper()
	all, err := b.Deleted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		paths = append(paths, one.Path)
	}
	return paths
}

func content(t *testing.T, b *Bench, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.Path(), path))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// What is deleted is no part of the workbench any more, an agent hears of it, and
// restored it is the same file in its place.
func TestDeleteAndRestore(t *testing.T) {
	b := bench(t)
	put(t, b, "scripts/deep/확인\xff.sh", "# desc: check\n")
	put(t, b, "scripts/other.sh", "other\n")
	put(t, b, "spill/0123456789abcdef.txt", "needle\n")
	before := scan(t, b)
	written := get(t, before, "scripts/deep/확인\xff.sh").Modified
	_, mark := Delta(Mark{}, before)

	deleted := remove(t, b, noon, "scripts/deep/확인\xff.sh", "spill/0123456789abcdef.txt")
	if d := deleted[0]; d.ID == "" || d.ID != deleted[1].ID || d.Kind != Script || d.What != File || d.Size != 14 || !d.At.Equal(noon) {
		t.Errorf("%+v", d)
	}
	after := scan(t, b)
	if len(after.Entries) != 1 {
		t.Errorf("%+v", after.Entries)
	}
	told, _ := Delta(mark, after)
	if want := "\n- \"scripts/deep/확인\ufffd.sh\""; !strings.HasSuffix(told, want) {
		t.Errorf("an agent is told %q", told)
	}
	if found, err := b.Find(t.Context(), "needle", 0); err != nil || len(found.Matches) != 0 {
		t.Errorf("%+v %v", found, err)
	}
	for _, name := range []string{TrashFolder + "/" + deleted[0].ID + "/spill/0123456789abcdef.txt", TrashFolder} {
		if _, err := b.Open(name); chat.CodeOf(err) != chat.CodeNotFound {
			t.Errorf("%s can be opened: %v", name, err)
		}
	}
	for _, name := range []string{".gitignore", ".ignore"} {
		if content(t, b, TrashFolder+"/"+name) != "*\n" {
			t.Errorf("%s does not hide the trash", name)
		}
	}
	if got := inTrash(t, b); !slices.Equal(got, []string{"scripts/deep/확인\xff.sh", "spill/0123456789abcdef.txt"}) {
		t.Errorf("%q", got)
	}

	// The folder that it was in may be gone by now.
	if err := os.Remove(filepath.Join(b.Path(), "scripts/deep")); err != nil {
		t.Fatal(err)
	}
	for _, d := range deleted {
		if as, err := b.Restore(d.ID, d.Path, ""); err != nil || as != d.Path {
			t.Fatal(as, err)
		}
	}
	if now := scan(t, b); !slices.EqualFunc(now.Entries, before.Entries, func(x, y Entry) bool { return x.Path == y.Path && x.Description == y.Description }) || !get(t, now, deleted[0].Path).Modified.Equal(written) {
		t.Errorf("%+v", now.Entries)
	}
	if _, err := b.Restore(deleted[0].ID, deleted[0].Path, "scripts/again.sh"); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("restored twice: %v", err)
	}
	if left := deletions(root(t, b.Path()+"/"+TrashFolder)); len(left) != 0 {
		t.Errorf("left is %q", left)
	}
}

func root(t *testing.T, path string) *os.Root {
	t.Helper()
	opened, err := folders.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

// A newer file is never replaced by an older one of its name.
func TestRestoreReplacesNothing(t *testing.T) {
	b := bench(t)
	put(t, b, "notes/why.md", "old\n")
	d := remove(t, b, noon, "notes/why.md")[0]
	put(t, b, "notes/why.md", "new\n")
	if all, err := b.Deleted(t.Context()); err != nil || len(all) != 1 || !all[0].Taken {
		t.Errorf("%+v %v", all, err)
	}
	_, err := b.Restore(d.ID, d.Path, "")
	if chat.CodeOf(err) != chat.CodeConflict || !strings.Contains(err.Error(), "under another name") {
		t.Errorf("%v", err)
	}
	for as, code := range map[string]chat.Code{
		"INDEX.md": chat.CodeInvalid, "notes": chat.CodeInvalid, "../x": chat.CodeForbidden, "/etc/x": chat.CodeForbidden, ".gitignore": chat.CodeNotFound,
		"notes/.hidden": chat.CodeNotFound, "notes/../x": chat.CodeInvalid, "elsewhere/x": chat.CodeNotFound, "notes/a\x00": chat.CodeInvalid, "notes/" + strings.Repeat("x", 300): chat.CodeInvalid,
	} {
		if _, err := b.Restore(d.ID, d.Path, as); chat.CodeOf(err) != code {
			t.Errorf("as %q: %v", as, err)
		}
	}
	if as, err := b.Restore(d.ID, d.Path, "notes/old/why.md"); err != nil || as != "notes/old/why.md" {
		t.Fatal(as, err)
	}
	if content(t, b, "notes/why.md") != "new\n" || content(t, b, "notes/old/why.md") != "old\n" {
		t.Error("they are not both there")
	}
}

// What is named by hostile hands stays where it is.
func TestDeleteRefuses(t *testing.T) {
	b := bench(t)
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, b, "scripts/deep/x", "x")
	if err := errors.Join(os.Symlink(outside, filepath.Join(b.Path(), "scripts/out")), os.Symlink("deep", filepath.Join(b.Path(), "scripts/in"))); err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]chat.Code{
		"INDEX.md": chat.CodeInvalid, "scripts": chat.CodeInvalid, "scripts/deep": chat.CodeInvalid, "scripts/none": chat.CodeNotFound, "": chat.CodeInvalid,
		".gitignore": chat.CodeNotFound, TrashFolder: chat.CodeNotFound, "scripts/out/secret": chat.CodeForbidden, "scripts/in/x": chat.CodeForbidden,
		"../x": chat.CodeForbidden, outside + "/secret": chat.CodeForbidden, "scripts/../../x": chat.CodeForbidden, "scripts/x\x00": chat.CodeInvalid, "scripts/deep/x/y": chat.CodeForbidden,
	} {
		deleted, refused, err := b.Delete([]string{name}, noon)
		if err != nil || len(deleted) != 0 || len(refused) != 1 || chat.CodeOf(refused[0].Err) != code {
			t.Errorf("%q: %+v %+v %v", name, deleted, refused, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(outside, "secret")); err != nil || string(text) != "secret" {
		t.Errorf("%q %v", text, err)
	}
	if got := inTrash(t, b); len(got) != 0 {
		t.Errorf("in the trash is %q", got)
	}
	// One that can't be deleted keeps no other.
	if deleted, refused, err := b.Delete([]string{"scripts/none", "scripts/deep/x"}, noon); len(deleted) != 1 || len(refused) != 1 || err != nil {
		t.Errorf("%+v %+v %v", deleted, refused, err)
	}
	none, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := none.Delete([]string{"scripts/x"}, noon); chat.CodeOf(err) != chat.CodeNotFound {
		t.Errorf("without a workbench: %v", err)
	}
	// A trash that is a link is none of ours.
	other := bench(t)
	put(t, other, "scripts/x", "x")
	if err := os.Symlink(outside, filepath.Join(other.Path(), TrashFolder)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := other.Delete([]string{"scripts/x"}, noon); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("into a link: %v", err)
	}
	if _, err := other.EmptyTrash(t.Context(), noon, noon); chat.CodeOf(err) != chat.CodeConflict {
		t.Errorf("out of a link: %v", err)
	}
	if content(t, other, "scripts/x") != "x" {
		t.Error("it is gone")
	}
}

// Links, hard links and FIFOs are moved themselves: nothing is followed, read or
// waited for.
func TestDeleteWhatIsNoPlainFile(t *testing.T) {
	b := bench(t)
	target := filepath.Join(t.TempDir(), "target")
	if err := errors.Join(
		os.WriteFile(target, []byte("kept"), 0o600), os.Symlink(target, filepath.Join(b.Path(), "artifacts/out")),
		os.Link(target, filepath.Join(b.Path(), "artifacts/hard")), syscall.Mkfifo(filepath.Join(b.Path(), "artifacts/fifo"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	deleted := remove(t, b, noon, "artifacts/out", "artifacts/hard", "artifacts/fifo")
	if deleted[0].What != Link || deleted[1].What != File || deleted[2].What != Special {
		t.Errorf("%+v", deleted)
	}
	for _, d := range deleted {
		if _, err := b.Restore(d.ID, d.Path, ""); err != nil {
			t.Error(err)
		}
	}
	if to, err := os.Readlink(filepath.Join(b.Path(), "artifacts/out")); err != nil || to != target {
		t.Errorf("%q %v", to, err)
	}
	remove(t, b, noon, "artifacts/out", "artifacts/hard", "artifacts/fifo")
	if n, err := b.EmptyTrash(t.Context(), noon.Add(time.Hour), noon.Add(2*time.Hour)); n != 3 || err != nil {
		t.Error(n, err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "kept" {
		t.Errorf("what the links lead to: %q %v", text, err)
	}
}

func TestEmptyTrash(t *testing.T) {
	b := bench(t)
	for i := range 4 {
		name := fmt.Sprintf("notes/%d.md", i)
		put(t, b, name, "x")
		remove(t, b, noon.Add(time.Duration(i)*24*time.Hour), name)
	}
	now := noon.Add(72*time.Hour + 30*time.Minute)
	if n, err := b.EmptyTrash(t.Context(), noon.Add(36*time.Hour), now); n != 2 || err != nil {
		t.Error(n, err)
	}
	if got := inTrash(t, b); !slices.Equal(got, []string{"notes/3.md", "notes/2.md"}) {
		t.Errorf("%q", got)
	}
	// A file as large as the trash pushes out what is older, and stays for an hour.
	large := filepath.Join(b.Path(), "artifacts/large")
	if err := errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, maxTrashBytes+1)); err != nil {
		t.Fatal(err)
	}
	remove(t, b, now, "artifacts/large")
	if n, err := b.EmptyTrash(t.Context(), noon, now); n != 1 || err != nil {
		t.Error(n, err)
	}
	if got := inTrash(t, b); !slices.Equal(got, []string{"artifacts/large", "notes/3.md"}) {
		t.Errorf("%q", got)
	}
	if n, err := b.EmptyTrash(t.Context(), noon, now.Add(time.Hour)); n != 2 || err != nil {
		t.Error(n, err)
	}
	// What others put there is not ours to take away, or to restore.
	for _, name := range []string{"own", "20260301T120000Z-short", "99999999T999999Z-" + strings.Repeat("A", 26)} {
		put(t, b, TrashFolder+"/"+name+"/scripts/x", "x")
		if _, err := b.Restore(name, "scripts/x", ""); name != "99999999T999999Z-"+strings.Repeat("A", 26) && chat.CodeOf(err) != chat.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n, err := b.EmptyTrash(t.Context(), now, now); n != 0 || err != nil || len(inTrash(t, b)) != 0 {
		t.Error(n, err, inTrash(t, b))
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	put(t, b, "notes/4.md", "x")
	remove(t, b, noon, "notes/4.md")
	if _, err := b.EmptyTrash(ended, now, now); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// An agent writes a file again and again while it is deleted and restored: every text
// is in the workbench or in the trash, whole.
func TestDeleteWhileAnAgentWrites(t *testing.T) {
	b := bench(t)
	const rounds = 50
	seen := map[string]bool{}
	note := func(text []byte) {
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			seen[string(line)] = true
		}
	}
	path := filepath.Join(b.Path(), "scripts/x")
	var agent sync.WaitGroup
	agent.Go(func() {
		for i := range rounds {
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
			if err == nil {
				_, err = fmt.Fprintf(file, "%d\n", i)
				err = errors.Join(err, file.Close())
			}
			if err != nil {
				t.Error(err)
				return
			}
		}
	})
	agent.Go(func() { // another person restores what this one deletes
		for range rounds {
			all, err := b.Deleted(t.Context())
			if err != nil {
				t.Error(err)
			}
			for _, d := range all {
				if _, err := b.Restore(d.ID, d.Path, ""); err != nil && chat.CodeOf(err) != chat.CodeConflict && chat.CodeOf(err) != chat.CodeNotFound {
					t.Error(err)
				}
			}
		}
	})
	for range rounds {
		if _, refused, err := b.Delete([]string{"scripts/x"}, noon); err != nil || len(refused) > 0 && chat.CodeOf(refused[0].Err) != chat.CodeNotFound {
			t.Fatal(refused, err)
		}
		if _, err := b.EmptyTrash(t.Context(), noon.Add(time.Hour), noon); err != nil {
			t.Fatal(err)
		}
	}
	agent.Wait()
	remains, err := b.Deleted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range remains {
		text, err := os.ReadFile(filepath.Join(b.Path(), TrashFolder, d.ID, d.Path))
		if err != nil {
			t.Error(err)
		}
		note(text)
	}
	if text, err := os.ReadFile(path); err == nil {
		note(text)
	}
	for i := range rounds {
		if !seen[fmt.Sprint(i)] {
			t.Errorf("text %d is lost", i)
		}
	}
}
