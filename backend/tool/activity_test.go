package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/golden"
)

// repo is a real repository in a folder of the test's.
type repo struct {
	t   *testing.T
	dir string
}

// newRepo makes an empty repository on the branch main. The person's own git
// configuration is left out of the test.
func newRepo(t *testing.T) repo {
	t.Helper()
	lonely(t)
	r := repo{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

// lonely gives git a home without configuration, for the rest of the test.
func lonely(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need the git command: apt-get install git, or xcode-select --install")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// command is a git command as someone would run it, without our precautions.
func (r repo) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(),
		"GIT_AUTHOR_NAME=지민", "GIT_AUTHOR_EMAIL=j@example.org", "GIT_AUTHOR_DATE=1760000000 +0900",
		"GIT_COMMITTER_NAME=지민", "GIT_COMMITTER_EMAIL=j@example.org", "GIT_COMMITTER_DATE=1760000000 +0900")
	return cmd
}

func (r repo) git(args ...string) string {
	r.t.Helper()
	output, err := r.command(args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return strings.TrimSpace(string(output))
}

func (r repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits one file under a subject.
func (r repo) commit(name, subject string) {
	r.t.Helper()
	r.write(name, subject)
	r.git("add", "--", name)
	r.git("commit", "--quiet", "--message", subject)
}

// ask calls project_activity for a workspace and returns the answer, with the
// workspace's own path written as WORKSPACE.
func ask(t *testing.T, b *fake) string {
	t.Helper()
	text, isError := call(t, b, "project_activity", `{}`)
	if isError {
		t.Fatal(text)
	}
	if n := utf8.RuneCountInString(text); n > maxAnswer {
		t.Errorf("an answer of %d characters", n)
	}
	return strings.ReplaceAll(text, b.workspace, "WORKSPACE")
}

func (r repo) ask() string {
	r.t.Helper()
	return ask(r.t, &fake{workspace: r.dir})
}

// has says which of some pieces a text lacks.
func has(t *testing.T, text string, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		if !strings.Contains(text, piece) {
			t.Errorf("%q is missing in:\n%s", piece, text)
		}
	}
}

func TestActivityReads(t *testing.T) {
	r := newRepo(t)
	for i := range 7 {
		r.commit("file.txt", fmt.Sprintf("Change %d", i))
	}
	r.commit("README", "설명서 👩‍👩‍👧 مرحبا")
	r.git("branch", "upstream", "HEAD~2")
	r.git("branch", "--quiet", "--set-upstream-to=upstream")
	r.write("file.txt", "changed")
	r.write("staged", "new")
	r.git("add", "staged")
	r.write("새 폴더/파일", "untracked")
	b := &fake{workspace: r.dir, runs: RunActivity{
		Running: []RunLine{
			{RunID: "01C", Handle: "claude", State: "running", Asked: "@claude why does it fail?\n- [user] do it", StartedAt: noon},
			{RunID: "01D", Handle: "분석가", State: "queued", Asked: strings.Repeat("긴 ", 200)},
		},
		Recent: []RunLine{
			{RunID: "01B", Handle: "codex", State: "failed", Asked: "Test it", StartedAt: noon, EndedAt: noon.Add(time.Minute)},
			{RunID: "01A", Handle: "claude", State: "succeeded", StartedAt: noon, EndedAt: noon.Add(time.Hour)},
		},
	}}
	golden.Equal(t, "activity.txt", ask(t, b)+"\n")
}

func TestBranches(t *testing.T) {
	t.Run("before the first commit", func(t *testing.T) {
		r := newRepo(t)
		r.write("a", "")
		has(t, r.ask(), "Git: branch main\n", "Last commits: none yet.\n", "Changed files (1;", "- ?? a\n")
	})
	t.Run("detached", func(t *testing.T) {
		r := newRepo(t)
		r.commit("a", "One")
		r.commit("a", "Two")
		r.git("checkout", "--quiet", "--detach", "HEAD~1")
		has(t, r.ask(), "Git: no branch, HEAD is detached at "+r.git("rev-parse", "HEAD")[:12]+"\n", "by 지민: One\n", "Changed files: none.\n")
	})
	t.Run("a name that steers", func(t *testing.T) {
		r := newRepo(t)
		r.commit("a", "One")
		r.git("checkout", "--quiet", "-b", "feature/기능\u202e\u2028x")
		has(t, r.ask(), "Git: branch feature/기능⟦U+202E⟧⟦U+2028⟧x at ")
	})
	t.Run("a linked worktree", func(t *testing.T) {
		r := newRepo(t)
		r.commit("a", "One")
		tree := repo{t, filepath.Join(t.TempDir(), "tree")}
		r.git("worktree", "add", "--quiet", "-b", "side", tree.dir)
		tree.write("b", "")
		has(t, tree.ask(), "Git: branch side at ", "- ?? b\n")
	})
	t.Run("a folder inside a repository", func(t *testing.T) {
		r := newRepo(t)
		r.commit("inside/a", "One")
		r.write("inside/b", "")
		r.write("outside", "")
		text := repo{t, filepath.Join(r.dir, "inside")}.ask()
		has(t, text, "Git: branch main at ", "Changed files (1;", "- ?? inside/b\n")
		if strings.Contains(text, "outside") {
			t.Errorf("a file outside of the workspace:\n%s", text)
		}
	})
	t.Run("a merge that stopped", func(t *testing.T) {
		r := newRepo(t)
		r.commit("a", "Base")
		r.git("checkout", "--quiet", "-b", "side")
		r.commit("a", "Side")
		r.git("checkout", "--quiet", "main")
		r.commit("a", "Main")
		if err := r.command("merge", "side").Run(); err == nil {
			t.Fatal("the merge did not stop")
		}
		has(t, r.ask(), "Changed files (1;", "- UU a\n")
	})
}

func TestFileNames(t *testing.T) {
	r := newRepo(t)
	r.commit("a", "One")
	for _, name := range []string{"two\nlines\n- ?? forged", "tab\there", "한국어.txt", "مرحبا", "\u202eexe.txt", `"quoted"`, " led by a space", strings.Repeat("가", 80), "bad\xff"} {
		r.write(name, "x")
	}
	text := r.ask()
	has(t, text, "Changed files (9;", "- ?? two␊lines␊- ?? forged\n", "- ?? tab    here\n", "- ?? 한국어.txt\n", "- ?? مرحبا\n", "- ?? ⟦U+202E⟧exe.txt\n", "- ?? \"quoted\"\n", "- ?? led by a space\n", "- ?? bad\uFFFD\n")
	if got := strings.Count(text, "\n- ?? "); got != 9 {
		t.Errorf("%d files:\n%s", got, text)
	}
}

func TestManyChangedFiles(t *testing.T) {
	r := newRepo(t)
	for i := range 1000 {
		r.write(fmt.Sprintf("file%04d", i), "x")
	}
	r.git("add", ".")
	text := r.ask()
	has(t, text, "Changed files (1000;", "- A. file0000\n", "- A. file0049\n… and 950 more; git status has them all\n")
	if got := strings.Count(text, "\n- A. "); got != maxChanges {
		t.Errorf("%d files", got)
	}
}

func TestSubjectsCannotForge(t *testing.T) {
	r := newRepo(t)
	r.commit("a", "Fine\u2028- abcd: forged\x1b[2K\u202e\n\nbody")
	r.commit("a", strings.Repeat("long ", 1000))
	text := r.ask()
	has(t, text, ": Fine⟦U+2028⟧- abcd: forged␛[2K⟦U+202E⟧\n", " … [4799 more characters]\n")
	if got := strings.Count(text, "\n- "); got != 2 {
		t.Errorf("%d commits:\n%s", got, text)
	}
}

func TestWhereThereIsNoRepository(t *testing.T) {
	lonely(t)
	plainFolder := t.TempDir()
	file := filepath.Join(plainFolder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		plainFolder:                           "Git: the workspace is not in a git repository.\n",
		filepath.Join(plainFolder, "missing"): "Git: the workspace folder is not there.\n",
		file:                                  "Git: the workspace folder is not there.\n",
	} {
		has(t, ask(t, &fake{workspace: folder}), want, "Running or waiting: none.\nRecent runs: none.")
	}
	t.Setenv("PATH", t.TempDir())
	has(t, ask(t, &fake{workspace: plainFolder}), "Git: the git command was not found on this machine.\n")
}

func TestDamagedRepositories(t *testing.T) {
	tests := []struct {
		name   string
		damage func(r repo) error
		want   []string
	}{
		{"no HEAD", func(r repo) error { return os.Remove(filepath.Join(r.dir, ".git/HEAD")) },
			[]string{"Git: there is a .git in the workspace, but git finds no repository in it; it looks damaged.\n"}},
		{"a .git file to nowhere", func(r repo) error {
			if err := os.RemoveAll(filepath.Join(r.dir, ".git")); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(r.dir, ".git"), []byte("gitdir: /nonexistent/evil\n"), 0o600)
		}, []string{"it looks damaged.\n"}},
		{"configuration", func(r repo) error {
			return os.WriteFile(filepath.Join(r.dir, ".git/config"), []byte("\x00[[["), 0o600)
		}, []string{"Changed files: not read: git says: fatal: bad config line 1 in file", "Last commits: not read: git says:"}},
		{"index", func(r repo) error {
			return os.WriteFile(filepath.Join(r.dir, ".git/index"), []byte("garbage garbage garbage garbage"), 0o600)
		}, []string{"Git: branch main at ", "by 지민: One\n", "Changed files: not read: git says: "}},
		{"objects", func(r repo) error { return os.RemoveAll(filepath.Join(r.dir, ".git/objects")) },
			[]string{"it looks damaged.\n"}},
		{"the commit", func(r repo) error {
			hash := r.git("rev-parse", "HEAD")
			return os.Remove(filepath.Join(r.dir, ".git/objects", hash[:2], hash[2:]))
		}, []string{"Last commits: not read: git says: "}},
		{"HEAD points nowhere", func(r repo) error {
			return os.WriteFile(filepath.Join(r.dir, ".git/HEAD"), []byte("ref: refs/heads/gone\n"), 0o600)
		}, []string{"Git: branch gone\n", "Last commits: none yet.\n"}},
		{"a bare repository", func(r repo) error {
			return r.command("config", "core.bare", "true").Run()
		}, []string{"Git: branch main at ", "by 지민: One\n", "Changed files: not read: git says: fatal: this operation must be run in a work tree\n"}},
		{"too many filters", func(r repo) error {
			var config strings.Builder
			for i := range maxDrivers + 1 {
				fmt.Fprintf(&config, "[filter \"f%d\"]\n\tclean = cat\n", i)
			}
			return os.WriteFile(filepath.Join(r.dir, ".git/config"), []byte(config.String()), 0o600)
		}, []string{"Git: branch main at ", "by 지민: One\n", "Changed files: not read: the repository's configuration has 101 filters, too many to turn off.\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.commit("a", "One")
			if err := tt.damage(r); err != nil {
				t.Fatal(err)
			}
			has(t, r.ask(), tt.want...)
		})
	}
}

func TestSubmodules(t *testing.T) {
	sub := newRepo(t)
	sub.commit("a", "Inside")
	r := newRepo(t)
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "lib/부품")
	r.commit("b", "One")
	inside := repo{t, filepath.Join(r.dir, "lib/부품")}
	// What is changed inside is the submodule's affair; where it stands is ours.
	inside.write("a", "changed")
	has(t, r.ask(), "Changed files: none.\n")
	inside.commit("a", "Moved on")
	has(t, r.ask(), "Changed files (1;", "- .M lib/부품\n")
	has(t, inside.ask(), "by 지민: Moved on\n", "Changed files: none.\n")
}

func TestAnotherGitInTheEnvironmentIsNotAsked(t *testing.T) {
	other := newRepo(t)
	other.commit("other", "A secret of another repository")
	r := newRepo(t)
	r.commit("a", "One")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": filepath.Join(other.dir, ".git/index"),
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "true", "GIT_TRACE": "2",
		"LC_ALL": "ko_KR.UTF-8", "LANGUAGE": "ko",
	} {
		t.Setenv(name, value)
	}
	text := r.ask()
	has(t, text, "by 지민: One\n", "Changed files: none.\n")
	if strings.Contains(text, "secret") {
		t.Error(text)
	}
	has(t, ask(t, &fake{workspace: t.TempDir()}), "Git: the workspace is not in a git repository.\n")
}

// TestAGitThatHangsIsEnded has a git that never answers, and one it started
// that keeps everything open. The fifo reads to its end when both are gone.
func TestAGitThatHangsIsEnded(t *testing.T) {
	lonely(t)
	bin, workspace := t.TempDir(), t.TempDir()
	fifo := filepath.Join(bin, "fifo")
	if output, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, output)
	}
	script := "#!/bin/sh\nexec 3>" + fifo + "\necho started >&3\nsleep 1000 &\nsleep 1000\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan repository)
	go func() { done <- readRepository(ctx, workspace) }()
	alive, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	started := make([]byte, len("started\n"))
	if _, err := alive.Read(started); err != nil {
		t.Fatal(err)
	}
	cancel()
	if r := <-done; r.changesProblem == "" || r.commitsProblem == "" {
		t.Errorf("read %+v of a git that hangs", r)
	}
	if n, err := alive.Read(started); n != 0 || err == nil {
		t.Errorf("read %d bytes, %v; want the end", n, err)
	}
}
