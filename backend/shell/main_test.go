package shell

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// other runs the helper as the client runs it for MCP servers and command hooks, with
// pipes.
func (c *client) other(args ...string) (out string, status, pid int) {
	c.t.Helper()
	cmd := c.command("")
	var b bytes.Buffer
	cmd.Args = append([]string{c.helper}, args...)
	cmd.Stdout, cmd.Stderr = &b, &b
	_ = cmd.Run() // the status says it
	return b.String(), cmd.ProcessState.ExitCode(), cmd.Process.Pid
}

func TestWhatIsNoBashCommandIsBecome(t *testing.T) {
	c := newClient(t)
	for name, test := range map[string]struct {
		line, want string
		status     int
	}{
		"a hook":            {line: `echo hook "q"`, want: "hook q\n"},
		"a hook that fails": {line: "seq 1 5000; exit 2", want: numbers(5000), status: 2},
		"a server":          {line: `/bin/echo 'a b' c`, want: "a b c\n"},
		"nothing":           {line: "", want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			if out, status, _ := c.other(test.line); out != test.want || status != test.status {
				t.Errorf("%d, %q", status, out)
			}
		})
	}
	// No process stays in between.
	if out, _, pid := c.other(`echo $$`); strings.TrimSpace(out) != strconv.Itoa(pid) {
		t.Errorf("the process is %s, not %d", out, pid)
	}
	if out, _, _ := c.other("/bin/echo", "a b", "c"); out != "a b c\n" {
		t.Errorf("%q", out)
	}
	if out, status, _ := c.other("nothing-of-this-name", "x"); status != 127 || !strings.Contains(out, "hearth-shell: ") {
		t.Errorf("%d, %q", status, out)
	}
	if out, status, _ := c.other(); status != 0 || out != "" {
		t.Errorf("%d, %q", status, out)
	}
	// What it is no client's shape but has the Bash tool's output runs in the Bash
	// tool's shell all the same.
	if _, got := c.end(c.command("[[ a == a ]] && seq 1 5000 && echo $BASH_VERSION; exit 3")); !strings.HasPrefix(got, numbers(5000)+"5") && !strings.HasPrefix(got, numbers(5000)+"4") {
		t.Errorf("%.100q", got)
	}
}

func TestABashCommandIsBecomeWhenNothingCanBeSpilled(t *testing.T) {
	c := newClient(t)
	c.config.Over = 0
	cmd := c.command(c.line("echo $$"))
	_, got := c.end(cmd)
	if strings.TrimSpace(got) != strconv.Itoa(cmd.Process.Pid) {
		t.Errorf("the process is %s, not %d", got, cmd.Process.Pid)
	}
}

func TestACommandBehavesAsWithoutTheHelper(t *testing.T) {
	c := newClient(t)
	for _, command := range []string{
		"ulimit -n; ulimit -c; umask; id -u",
		"echo $0; echo $-; echo $#; echo $SHELL",
		"cat; echo the input is over",
		"ls /proc/self/fd | grep -v '^3$' | tr '\\n' ' '",
		"grep -E 'Sig(Ign|Blk|Cgt)' /proc/self/status",
		"ps -o sid= -p $$ | tr -d ' ' > /dev/null; [ -t 1 ]; echo $?",
		"cd / && pwd; exit",
		"set -e; false; echo not here",
		"nonexistent-command",
		"printf 'a\\0b\\377'; exit 9",
		"echo \"quote ' and \\\" and \\\\ and \\$HOME\"",
		"cat <<'X'\nhere\nX\nexit 5",
	} {
		with, gotWith := c.run(command)
		cmd := c.command(c.line(command))
		cmd.Path, cmd.Args = "/bin/bash", []string{"/bin/bash", "-c", c.line(command)}
		without, gotWithout := c.end(cmd)
		if with != without || gotWith != gotWithout {
			t.Errorf("%s:\nwith    %v %q\nwithout %v %q", command, with, gotWith, without, gotWithout)
		}
	}
}

func TestTheWorkingDirectoryIsTracked(t *testing.T) {
	c := newClient(t)
	c.run("cd /usr")
	if got, err := os.ReadFile(c.tracked()); err != nil || string(got) != "/usr\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHearthsVariablesAreTheHelpersAlone(t *testing.T) {
	c := newClient(t)
	_, bash := c.run("env")
	hook, _, _ := c.other("env")
	for _, env := range []string{bash, hook} {
		if strings.Contains(env, "HEARTH_SHELL") || strings.Contains(env, PrefixVariable) || !strings.Contains(env, "HEARTH_MARK=kept\n") {
			t.Errorf("%s", env)
		}
	}
}

func TestAPrefixOfThePersonsOwn(t *testing.T) {
	c := newClient(t)
	folder := filepath.Join(c.dir, "with space")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(folder, "prefix")
	script := "#!/bin/bash\necho \"$#:$1\"\nexec bash -c \"${@: -1}\"\n"
	if err := os.WriteFile(own, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c.config.Then = own + " -x"
	_, got := c.run("echo it\\'s $" + PrefixVariable)
	if want := "2:-x\nit's " + own + " -x\n"; got != want {
		t.Errorf("%q", got)
	}
	c.config.Then = own
	if out, _, _ := c.other("echo hook"); out != "1:echo hook\nhook\n" {
		t.Errorf("%q", out)
	}
}

func TestTheShellIsTheClients(t *testing.T) {
	for _, test := range []struct{ shell, want string }{
		{"/opt/homebrew/bin/zsh", "/opt/homebrew/bin/zsh"},
		{"/bin/bash", "/bin/bash"},
		{"/usr/bin/fish", "bash"},
		{"bash", "bash"},
		{"", "bash"},
	} {
		t.Setenv("SHELL", test.shell)
		want := test.want
		if want == "bash" {
			path, err := exec.LookPath("bash")
			if err != nil {
				t.Fatal(err)
			}
			want = path
		}
		if got := personsShell(); got != want {
			t.Errorf("SHELL=%s: %s", test.shell, got)
		}
	}
}

func TestCalled(t *testing.T) {
	for _, args := range [][]string{{"hearth-shell"}, {"/data/bin/hearth-shell-0123", "x"}} {
		if !Called(args) {
			t.Errorf("%q", args)
		}
	}
	for _, args := range [][]string{nil, {"hearth"}, {"/hearth-shell/hearth", "hearth-shell"}} {
		if Called(args) {
			t.Errorf("%q", args)
		}
	}
}

func TestEnvironment(t *testing.T) {
	c := Config{Over: 10, Folder: "/w/.flower/spill", Name: "n", Records: "/r", Then: "/t -x"}
	env := c.Environment("/bin/h")
	for name, value := range env {
		t.Setenv(name, value)
	}
	if got := fromEnvironment(); got != c {
		t.Errorf("%+v", got)
	}
	if env[PrefixVariable] != "/bin/h" {
		t.Errorf("%v", env)
	}
	left := c.childEnvironment([]string{"A=1", overVariable + "=10", PrefixVariable + "=/bin/h", "HEARTH_MARK=m"})
	if want := []string{"A=1", "HEARTH_MARK=m", PrefixVariable + "=/t -x"}; !slices.Equal(left, want) {
		t.Errorf("%q", left)
	}
}
