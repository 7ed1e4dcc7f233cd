package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"hearth/backend/plain"
)

// gitTimeout bounds one git command. A status of a very large repository that
// is not in memory takes seconds; nobody wants to wait longer than this.
const gitTimeout = 15 * time.Second

// maxDrivers is how many filter drivers of a repository are turned off one by
// one; with more than this, changed files are not read.
const maxDrivers = 100

// repository is what git says about a folder. A problem is a sentence that
// stands in place of what could not be read.
type repository struct {
	problem        string // nothing could be read
	status         status
	changesProblem string
	commits        []commit
	commitsProblem string
}

// readRepository asks git about a folder. Whatever is wrong with the folder,
// with git or with the repository is part of the answer, not an error.
func readRepository(ctx context.Context, folder string) repository {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return repository{problem: "the workspace folder is not there."}
	}
	path, err := exec.LookPath("git")
	if err != nil {
		return repository{problem: "the git command was not found on this machine."}
	}
	g := git{path: path, folder: folder}
	var r repository
	r.status, err = g.status(ctx)
	switch {
	case notARepository(err):
		return repository{problem: g.sentence(err)}
	case err != nil:
		r.changesProblem = g.sentence(err)
		r.status = status{branch: g.branch(ctx)}
	case r.status.branch.commit == "":
		return r // before the first commit; git log would call that an error
	}
	if r.commits, err = g.log(ctx); err != nil {
		r.commitsProblem = g.sentence(err)
	}
	return r
}

// git runs the git command in a folder whose repository nobody vouches for.
type git struct {
	path   string
	folder string
	off    []string // -c options that turn off what the repository's own configuration would run
}

// status reads the branch and the changed files of the folder.
//
// Problem: to see whether a file has changed, git runs it through the filter
// that .gitattributes names for it, and which program that is, the repository's
// own configuration may say. Solution: turn those off by name. Filters from the
// person's own configuration (git-lfs) stay.
func (g *git) status(ctx context.Context) (status, error) {
	var drivers driversParser
	err := g.run(ctx, &fields{each: drivers.field}, "config", "-z", "--show-scope", "--get-regexp", `^filter\.`)
	if err != nil && exitStatus(err) != 1 { // 1: there is none
		return status{}, err
	}
	if len(drivers.names) > maxDrivers {
		return status{}, fmt.Errorf("the repository's configuration has %d filters, too many to turn off", len(drivers.names))
	}
	for _, name := range drivers.names {
		if strings.Contains(name, "=") {
			return status{}, fmt.Errorf("the repository's configuration has a filter with \"=\" in its name, which can't be turned off")
		}
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			g.off = append(g.off, "-c", "filter."+name+"."+setting)
		}
	}
	var parser statusParser
	// No renames: to find them git reads file contents, which a partial clone
	// would have to fetch. Of submodules only which commit they are at: to look
	// inside, git would start another git under that repository's configuration.
	err = g.run(ctx, &fields{each: parser.field}, "status", "--porcelain=v2", "--branch", "-z",
		"--untracked-files=normal", "--no-renames", "--ignore-submodules=dirty", "--", ".")
	return parser.status, err
}

// log reads the last commits. A repository can ask for their signatures to be
// shown, and name the program that checks them: --no-show-signature.
func (g *git) log(ctx context.Context) ([]commit, error) {
	var parser logParser
	err := g.run(ctx, &fields{each: parser.field}, "log", "-z", fmt.Sprintf("-n%d", maxCommits), logFormat,
		"--encoding=UTF-8", "--no-color", "--no-decorate", "--no-show-signature", "--no-patch", "HEAD", "--")
	if err != nil {
		return nil, err
	}
	return parser.commits, nil
}

// branch reads the branch alone, for when status can't.
func (g *git) branch(ctx context.Context) branch {
	var b branch
	var name, hash head
	if err := g.run(ctx, &name, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
		b.name = strings.TrimSpace(name.String())
	} else if exitStatus(err) == 1 {
		b.detached = true
	}
	if err := g.run(ctx, &hash, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		b.header("branch.oid " + strings.TrimSpace(hash.String()))
	}
	return b
}

// gitError is a git command that did not end well.
type gitError struct {
	err      error
	stderr   string // its beginning
	timedOut bool
}

func (e *gitError) Error() string { return e.err.Error() + ": " + e.stderr }
func (e *gitError) Unwrap() error { return e.err }

// run runs one git command.
func (g *git) run(ctx context.Context, stdout io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	all := append([]string{
		"-C", g.folder,
		"--no-optional-locks", "--no-pager",
		// What a repository's own configuration could make these commands run.
		"-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=/dev/null",
	}, g.off...)
	cmd := exec.CommandContext(ctx, g.path, append(all, args...)...)
	cmd.Dir = "/" // the folder comes by -C; where Hearth was started may be gone
	cmd.Env = gitEnvironment(os.Environ())
	stderr := &head{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	// In a group of its own, so that what git itself started ends with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		return &gitError{err: fmt.Errorf("git %s: %w", args[0], err), stderr: stderr.String(), timedOut: ctx.Err() != nil}
	}
	return nil
}

// gitEnvironment is the environment without everything that steers git (a Hearth
// started from a git hook has GIT_DIR set), and with what keeps it quiet.
func gitEnvironment(environ []string) []string {
	var env []string
	for _, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "GIT_") && name != "LC_ALL" && name != "LANGUAGE" {
			env = append(env, entry)
		}
	}
	return append(env,
		"LC_ALL=C",                // messages are told apart below
		"GIT_OPTIONAL_LOCKS=0",    // never in the way of the agent's own git
		"GIT_TERMINAL_PROMPT=0",   // nobody is there to answer
		"GIT_NO_LAZY_FETCH=1",     // a partial clone fetches what is missing, over
		"GIT_ALLOW_PROTOCOL=none", // whatever transport the repository names
	)
}

// exitStatus returns the status a command ended with, -1 when it did not.
func exitStatus(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func notARepository(err error) bool {
	var failed *gitError
	return errors.As(err, &failed) && strings.Contains(failed.stderr, "not a git repository")
}

// sentence says what went wrong with a git command.
func (g *git) sentence(err error) string {
	var failed *gitError
	switch {
	case !errors.As(err, &failed):
		return "not read: " + clip(err.Error(), 300) + "."
	case failed.timedOut:
		return fmt.Sprintf("not read: git did not answer within %d seconds.", int(gitTimeout.Seconds()))
	case notARepository(err):
		if _, err := os.Lstat(filepath.Join(g.folder, ".git")); err == nil {
			return "there is a .git in the workspace, but git finds no repository in it; it looks damaged."
		}
		return "the workspace is not in a git repository."
	case exitStatus(err) == 129: // git's status for an option it does not know
		return "not read: this git is too old; 2.26 or newer is needed."
	}
	first, _, _ := strings.Cut(strings.TrimSpace(failed.stderr), "\n")
	if first == "" {
		first = failed.err.Error()
	}
	return "not read: git says: " + clip(first, 300)
}

// head keeps the beginning of what is written to it.
type head struct{ kept []byte }

// Write never fails.
func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), 4096-len(h.kept))]...)
	return len(p), nil
}

func (h *head) String() string { return plain.Repair(string(h.kept)) }
