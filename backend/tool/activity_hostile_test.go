package tool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A trap is something in a repository's own files that makes an ordinary git
// command run a program. sprung is the program: it leaves a mark. control is an
// ordinary command that springs the trap: a trap that nothing springs would
// prove nothing.
type trap struct {
	name    string
	set     func(r repo, sprung string)
	control []string
}

var traps = []trap{
	{"the file system monitor", func(r repo, sprung string) {
		r.git("config", "core.fsmonitor", sprung)
	}, []string{"status"}},
	{"the monitor, by an included file", func(r repo, sprung string) {
		r.write(".git/more", "[core]\n\tfsmonitor = "+sprung+"\n")
		r.git("config", "include.path", "more")
	}, []string{"status"}},
	{"a hook of the index", func(r repo, sprung string) {
		r.write(".git/hooks/post-index-change", "#!/bin/sh\n"+sprung+"\n")
		if err := os.Chmod(filepath.Join(r.dir, ".git/hooks/post-index-change"), 0o700); err != nil {
			r.t.Fatal(err)
		}
		touch(r)
	}, []string{"status"}},
	{"hooks kept elsewhere", func(r repo, sprung string) {
		r.write("hooks/post-index-change", "#!/bin/sh\n"+sprung+"\n")
		if err := os.Chmod(filepath.Join(r.dir, "hooks/post-index-change"), 0o700); err != nil {
			r.t.Fatal(err)
		}
		r.git("config", "core.hooksPath", "hooks")
		touch(r)
	}, []string{"status"}},
	{"a clean filter", func(r repo, sprung string) {
		r.git("config", "filter.Evil one.clean", sprung)
		r.write(".gitattributes", "*.txt filter=\"Evil one\"\n")
		r.write(".git/info/attributes", "*.txt filter=evil\n")
		r.git("config", "filter.evil.clean", sprung)
		touch(r)
	}, []string{"status"}},
	{"a filter process that is required", func(r repo, sprung string) {
		r.git("config", "filter.e.v.i.l.process", sprung)
		r.git("config", "filter.e.v.i.l.required", "true")
		r.write(".gitattributes", "* filter=e.v.i.l\n")
		touch(r)
	}, []string{"status"}},
	{"a filter that can't be turned off by its name", func(r repo, sprung string) {
		r.git("config", "filter.a=b.clean", sprung)
		r.write(".gitattributes", "* filter=a=b\n")
		touch(r)
	}, []string{"status"}},
	{"a filter of an included file", func(r repo, sprung string) {
		r.write(".git/more", "[filter \"evil\"]\n\tclean = "+sprung+"\n")
		r.git("config", "include.path", "more")
		r.write(".gitattributes", "* filter=evil\n")
		touch(r)
	}, []string{"status"}},
	{"a filter of the worktree's configuration", func(r repo, sprung string) {
		r.git("config", "extensions.worktreeConfig", "true")
		r.git("config", "--worktree", "filter.evil.clean", sprung)
		r.write(".gitattributes", "* filter=evil\n")
		touch(r)
	}, []string{"status"}},
	{"the program for signatures", func(r repo, sprung string) {
		signed := strings.Replace(r.git("cat-file", "commit", "HEAD"), "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n\n", 1)
		r.write(".git/signed", signed+"\n")
		r.git("update-ref", "HEAD", r.git("hash-object", "-t", "commit", "-w", ".git/signed"))
		r.git("config", "log.showSignature", "true")
		r.git("config", "gpg.program", sprung)
	}, []string{"log"}},
	{"a submodule's filter", func(r repo, sprung string) {
		sub := repo{r.t, filepath.Join(r.dir, "lib")}
		if err := os.Mkdir(sub.dir, 0o700); err != nil {
			r.t.Fatal(err)
		}
		sub.git("init", "--quiet")
		sub.commit("a.txt", "Inside")
		r.write(".gitmodules", "[submodule \"lib\"]\n\tpath = lib\n\turl = ./lib\n\tignore = none\n")
		r.git("add", "lib", ".gitmodules")
		r.git("commit", "--quiet", "--message", "Add")
		sub.git("config", "filter.evil.clean", sprung)
		sub.write(".gitattributes", "* filter=evil\n")
		touch(sub)
	}, []string{"status"}},
	{"a transport for what is missing", func(r repo, sprung string) {
		head := r.git("rev-parse", "HEAD")
		r.git("config", "extensions.partialClone", "origin")
		r.git("config", "core.repositoryFormatVersion", "1")
		r.git("config", "remote.origin.url", "ext::"+sprung)
		r.git("config", "remote.origin.promisor", "true")
		r.git("config", "protocol.ext.allow", "always")
		if err := os.Remove(filepath.Join(r.dir, ".git/objects", head[:2], head[2:])); err != nil {
			r.t.Fatal(err)
		}
	}, []string{"log"}},
	{"an alias in place of the command, and a pager", func(r repo, sprung string) {
		for _, name := range []string{"log", "config", "symbolic-ref", "rev-parse", "mine"} {
			r.git("config", "alias."+name, "!"+sprung)
		}
		r.git("config", "core.pager", sprung)
		r.git("config", "pager.status", sprung)
		r.git("config", "diff.external", sprung)
		r.git("config", "core.sshCommand", sprung)
		r.git("config", "core.editor", sprung)
	}, []string{"mine"}},
}

// touch makes git look into a file again whose content has not changed.
func touch(r repo) {
	r.t.Helper()
	path := filepath.Join(r.dir, "a.txt")
	info, err := os.Stat(path)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.Chtimes(path, info.ModTime().Add(-1e12), info.ModTime().Add(-1e12)); err != nil {
		r.t.Fatal(err)
	}
}

func TestARepositoryRunsNothing(t *testing.T) {
	for _, tt := range traps {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.commit("a.txt", "One")
			mark := filepath.Join(t.TempDir(), "mark")
			sprung := filepath.Join(t.TempDir(), "sprung")
			if err := os.WriteFile(sprung, []byte(fmt.Sprintf("#!/bin/sh\necho \"$@\" >>%s\n", mark)), 0o700); err != nil {
				t.Fatal(err)
			}
			tt.set(r, sprung)
			// Setting a trap may spring it: only what comes now counts.
			if err := os.RemoveAll(mark); err != nil {
				t.Fatal(err)
			}
			text := r.ask()
			has(t, text, "Git: branch m")
			if said, err := os.ReadFile(mark); err == nil {
				t.Errorf("the repository ran a program, with %q", said)
			}
			// Its own status is of no matter: many a trap makes the command fail.
			_ = r.command(tt.control...).Run()
			if _, err := os.Stat(mark); err != nil {
				t.Errorf("the trap is none: git %s did not spring it", strings.Join(tt.control, " "))
			}
		})
	}
}

// TestThePersonsOwnFiltersStay: git-lfs is set up in the person's own
// configuration, and without it every file it keeps would seem changed.
func TestThePersonsOwnFiltersStay(t *testing.T) {
	r := newRepo(t)
	if output, err := exec.Command("git", "config", "--global", "filter.upper.clean", "tr a-z A-Z").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, output)
	}
	r.write(".gitattributes", "*.txt filter=upper\n")
	r.git("add", ".gitattributes")
	r.commit("a.txt", "content")
	touch(r)
	has(t, r.ask(), "Changed files: none.\n")
}
