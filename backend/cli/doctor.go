package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hearth/backend/desktop"
	"hearth/backend/logs"
	"hearth/backend/pty"
	"hearth/backend/report"
)

// askWithin is how long a program may take to say its version.
const askWithin = 20 * time.Second

// finding is what the doctor says about one thing.
type finding = report.Finding

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say what is found, what is missing, and how to get it",
		Long:  "Say what is found, what is missing, and how to get it. It changes nothing.\n\nExit statuses: 0 when Hearth works, with the stand-in alone where there is no Claude Code; 1 when something is MISSING that it\ncan't do without. `--json` says of each finding whether it is `ok` and `required`.",
		Args:  takes(0, 0, ""),
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context()) },
	}
}

func (a *app) doctor(ctx context.Context) error {
	findings := a.findings(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	missing := false
	for _, f := range findings {
		missing = missing || f.Required && !f.OK
	}
	if err := a.showFindings(findings, missing); err != nil {
		return err
	}
	if missing {
		return exitError(exitFailed)
	}
	return nil
}

// findings is what the doctor finds; when ctx ends, some of it is missing.
func (a *app) findings(ctx context.Context) []finding {
	findings := []finding{{Name: "hearth", OK: true, Required: true, Detail: versionText()}}
	dir, err := a.dataDir()
	if err != nil {
		findings = append(findings, finding{Name: "data folder", Required: true, Detail: err.Error(), Fix: "set HEARTH_DATA_DIR to a folder"})
	} else {
		server, running := a.checkServer(ctx, dir)
		findings = append(findings, checkFolder(dir), a.checkDatabase(ctx, dir, running), server, checkLog(dir))
	}
	findings = append(findings, a.checkClaude(ctx)...)
	return append(findings, checkGit(ctx), checkBrowser())
}

func (a *app) showFindings(findings []finding, missing bool) error {
	if a.json {
		return a.printValue(struct {
			OK       bool      `json:"ok"`
			Findings []finding `json:"findings"`
		}{!missing, findings})
	}
	for _, f := range findings {
		mark := "ok     "
		switch {
		case f.OK:
		case f.Required:
			mark = "MISSING"
		default:
			mark = "missing"
		}
		a.say("%s  %-12s  %s", mark, f.Name, f.Detail)
		if f.Fix != "" {
			a.say("%s  %s", strings.Repeat(" ", 7+2+12), f.Fix)
		}
	}
	return nil
}

// checkFolder says whether the data folder can be used, or made.
func checkFolder(dir string) finding {
	f := finding{Name: "data folder", Required: true, Detail: dir}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Detail += " (made at the first start)"
		above := dir
		for errors.Is(err, fs.ErrNotExist) && above != filepath.Dir(above) {
			if leads, err := os.Readlink(above); err == nil {
				f.Detail = fmt.Sprintf("%s is a link to %s, which is not there", above, leads)
				f.Fix = "mount the disk it is on, remove the link, or set HEARTH_DATA_DIR to another folder"
				return f
			}
			above = filepath.Dir(above)
			info, err = os.Stat(above)
		}
		f.OK = err == nil && info.IsDir() && writable(above)
		if !f.OK {
			f.Detail = fmt.Sprintf("%s is not there, and can't be made in %s", dir, above)
		}
	case err != nil:
		f.Detail = err.Error()
	case !info.IsDir():
		f.Detail = dir + " is no folder"
	default:
		if f.OK = writable(dir); !f.OK {
			f.Detail = dir + " can't be written to"
		}
	}
	if !f.OK {
		f.Fix = "make it yours, or set HEARTH_DATA_DIR to another folder"
	}
	return f
}

func checkLog(dir string) finding {
	path := logs.Path(dir)
	f := finding{Name: "log", OK: true, Detail: path}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		f.Detail += " (not written yet)"
	case !info.Mode().IsRegular():
		f.OK, f.Required, f.Detail, f.Fix = false, true, path+" is not a file", "move it away: nothing that Hearth writes there would be kept"
	}
	return f
}

// checkServer says whether a Hearth runs with the data folder.
func (a *app) checkServer(ctx context.Context, dir string) (finding, *client) {
	f := finding{Name: "running", Fix: "start it with `hearth serve`"}
	c, running, err := reach(ctx, dir)
	switch {
	case err != nil:
		f.Detail = err.Error()
	case c != nil:
		f.OK, f.Fix = true, ""
		f.Detail = fmt.Sprintf("http://%s (process %d)", running.Addr, running.PID)
	case running.PID != 0:
		f.Detail = fmt.Sprintf("no; the last one was process %d and did not end in order", running.PID)
	default:
		f.Detail = "no"
	}
	return f, c
}

func checkGit(ctx context.Context) finding {
	f := finding{Name: "git", Fix: "install it with your package manager; without it, agents see no project activity"}
	path, err := exec.LookPath("git")
	if err != nil {
		f.Detail = "not found"
		return f
	}
	said, err := ask(ctx, nil, path, "--version")
	if err != nil {
		f.Detail = fmt.Sprintf("%s does not run: %s", path, err)
		return f
	}
	f.OK, f.Fix, f.Detail = true, "", fmt.Sprintf("%s (%s)", path, strings.TrimPrefix(said, "git version "))
	return f
}

func checkBrowser() finding {
	path, err := desktop.Browser(os.Environ())
	if err != nil {
		return finding{Name: "browser", Detail: "can't be opened from here: " + err.Error(), Fix: "open the address that `hearth open --print` prints in a browser of this machine"}
	}
	return finding{Name: "browser", OK: true, Detail: "opened with " + path}
}

// ask runs a program and returns the first line it says.
func ask(ctx context.Context, environment []string, program string, args ...string) (string, error) {
	out, err := pty.Probe{Path: program, Args: args, Env: environment, Dir: os.TempDir(), Within: askWithin}.Run(ctx)
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return "", errors.New(short(err.Error(), 200))
	}
	return short(line, 200), nil
}
