package shell

import (
	"bytes"
	"hearth/backend/plain"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// TestMain makes this program its own helper, as Hearth is where none is embedded.
func TestMain(m *testing.M) {
	if Called(os.Args) {
		os.Exit(Main(os.Args))
	}
	os.Exit(m.Run())
}

// A client starts commands as the real one does: the helper leads a session of its
// own, and both its outputs are one regular file that is appended to.
type client struct {
	t      testing.TB
	helper string
	dir    string // the workspace, with a workbench
	file   string // the output's
	config Config
	env    []string // besides
}

func newClient(t testing.TB) *client {
	t.Helper()
	root := t.TempDir()
	c := &client{t: t, dir: filepath.Join(root, "workspace"), file: filepath.Join(root, "b1.output")}
	if err := os.MkdirAll(filepath.Join(c.dir, ".flower"), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if c.helper, err = install(root, self, nil); err != nil {
		t.Fatal(err)
	}
	c.config = Config{Over: 4000, Folder: filepath.Join(c.dir, ".flower", "spill"), Name: ".flower/spill", Records: filepath.Join(root, "records")}
	return c
}

// line is what 2.1.332 makes of a command.
func (c *client) line(command string) string {
	return `source /nonexistent/snapshot-bash-1.sh 2>/dev/null || true && { \builtin shopt -u extglob || \builtin setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 || true` +
		` && eval ` + plain.ShellQuoted(command) + ` < /dev/null && pwd -P >| ` + c.tracked()
}

// tracked is the file in which the client finds the working directory.
func (c *client) tracked() string { return filepath.Join(filepath.Dir(c.dir), "claude-1a2b-cwd") }

// command makes the helper's process for a line, with its output in the file.
func (c *client) command(line string) *exec.Cmd {
	c.t.Helper()
	file, err := os.OpenFile(c.file, os.O_WRONLY|os.O_CREATE|os.O_APPEND|os.O_TRUNC, 0o600)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { file.Close() })
	cmd := exec.Command(c.helper, line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, file, file
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash", "HEARTH_MARK=kept", "CLAUDE_CODE_SESSION_ID=native"}, c.env...)
	for name, value := range c.config.Environment(c.helper) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// run runs a command of the Bash tool to its end and returns how it ended and what
// the client's file then holds.
func (c *client) run(command string) (syscall.WaitStatus, string) {
	c.t.Helper()
	return c.end(c.command(c.line(command)))
}

func (c *client) end(cmd *exec.Cmd) (syscall.WaitStatus, string) {
	c.t.Helper()
	_ = cmd.Run() // the status says it
	if cmd.ProcessState == nil {
		c.t.Fatalf("%s did not start", cmd.Path)
	}
	return cmd.ProcessState.Sys().(syscall.WaitStatus), c.output()
}

func (c *client) output() string {
	c.t.Helper()
	text, err := os.ReadFile(c.file)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// spilled returns the texts in the spill folder, by name.
func (c *client) spilled() map[string]string {
	c.t.Helper()
	entries, err := os.ReadDir(c.config.Folder)
	if err != nil && !os.IsNotExist(err) {
		c.t.Fatal(err)
	}
	texts := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(c.config.Folder, entry.Name()))
		if err != nil {
			c.t.Fatal(err)
		}
		texts[entry.Name()] = string(text)
	}
	return texts
}

func (c *client) records() []Record {
	c.t.Helper()
	records, _, err := ReadRecords(c.config.Records, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	return records
}

// untouched checks that an output is there as it was printed, and nothing was
// spilled; it returns the records.
func (c *client) untouched(got, want string) []Record {
	c.t.Helper()
	if got != want {
		c.t.Errorf("the output has %d bytes, %.300q; want the %d bytes that were printed", len(got), got, len(want))
	}
	if texts := c.spilled(); len(texts) != 0 {
		c.t.Errorf("%d files in the spill folder", len(texts))
	}
	return c.records()
}

// numbers is what `seq 1 n` prints.
func numbers(n int) string {
	out, err := exec.Command("seq", "1", itoa(n)).Output()
	if err != nil {
		panic(err)
	}
	return string(out)
}

func itoa(n int) string { return strconv.Itoa(n) }

// write makes a file in the workspace and returns its path.
func (c *client) write(name string, content []byte) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// gate makes a FIFO in the workspace, on which two processes can wait for one another.
func (c *client) gate(name string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// await reads from a gate until its writer closes it.
func (c *client) await(gate string) string {
	c.t.Helper()
	text, err := os.ReadFile(gate)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(bytes.TrimSpace(text))
}
