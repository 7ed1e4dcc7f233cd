package shell

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearth/backend/guard"
	"hearth/backend/plain"
)

func TestOutputOfAFailedCommandIsSpilled(t *testing.T) {
	c := newClient(t)
	status, got := c.run("seq 1 12000; exit 3")
	whole := numbers(12000)
	name := guard.SpillName(whole)
	if want := guard.FailedPointer(whole, ".flower/spill/"+name); got != want {
		t.Errorf("the output is\n%s\nwant\n%s", got, want)
	}
	if status.ExitStatus() != 3 {
		t.Errorf("status %v", status)
	}
	if texts := c.spilled(); len(texts) != 1 || texts[name] != whole {
		t.Errorf("the spill folder holds %d files, not the whole output", len(texts))
	}
	if info, err := os.Stat(filepath.Join(c.config.Folder, name)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	records := c.records()
	if len(records) != 1 || records[0].At.IsZero() {
		t.Fatalf("%+v", records)
	}
	records[0].At = records[0].At.Truncate(1 << 62)
	want := Record{
		At: records[0].At, Session: "native", Command: "seq 1 12000; exit 3", Status: 3, Path: filepath.Join(c.config.Folder, name),
		Name: ".flower/spill/" + name, Bytes: int64(len(whole)), Chars: len(whole), Lines: 12000, Kept: plain.Length(got),
	}
	if records[0] != want {
		t.Errorf("recorded\n%+v, want\n%+v", records[0], want)
	}

	// The same output is the same file.
	c.run("seq 1 12000; exit 4")
	if texts := c.spilled(); len(texts) != 1 || len(c.records()) != 2 {
		t.Errorf("%d files, %d records", len(texts), len(c.records()))
	}
}

func TestBothStreamsStayInTheirOrder(t *testing.T) {
	c := newClient(t)
	c.run("for i in $(seq 1 2000); do echo out $i; echo err $i >&2; done; false")
	var want strings.Builder
	for i := 1; i <= 2000; i++ {
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	if texts := c.spilled(); len(texts) != 1 || texts[guard.SpillName(want.String())] == "" {
		t.Errorf("what was spilled is not what was printed")
	}
}

func TestOutputIsLeftAlone(t *testing.T) {
	long := numbers(5000)
	for name, test := range map[string]struct {
		command string
		want    string
		change  func(*client)
	}{
		"a success":                {command: "seq 1 5000", want: long},
		"short":                    {command: "seq 1 900; exit 2", want: numbers(900)},
		"short, counted as text":   {command: "printf '\\303\\244%.0s' $(seq 1 4000); exit 2", want: strings.Repeat("ä", 4000)},
		"off":                      {command: "seq 1 5000; exit 2", want: long, change: func(c *client) { c.config.Over = 0 }},
		"a threshold that is none": {command: "seq 1 5000; exit 2", want: long, change: func(c *client) { c.env = []string{overVariable + "=x"}; c.config = Config{} }},
		"a relative folder":        {command: "seq 1 5000; exit 2", want: long, change: func(c *client) { c.config.Folder = ".flower/spill" }},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			folder := c.config.Folder
			if test.change != nil {
				test.change(c)
			}
			_, got := c.run(test.command)
			records := c.config.Records
			c.config = Config{Folder: folder, Records: records}
			if r := c.untouched(got, test.want); len(r) != 0 {
				t.Errorf("recorded %+v", r)
			}
		})
	}
}

func TestReadersOfSpilledTextAreLeftAlone(t *testing.T) {
	c := newClient(t)
	c.run("seq 1 12000; exit 3")
	name := guard.SpillName(numbers(12000))
	for _, command := range []string{"cat .flower/spill/" + name + " missing", "sed -n 1,9000p " + filepath.Join(c.config.Folder, name) + " missing"} {
		status, got := c.run(command)
		if status.ExitStatus() == 0 || len(got) < 40000 || strings.Contains(got, "spilled to") {
			t.Errorf("%s: %v, %.100q", command, status, got)
		}
	}
	if len(c.records()) != 1 {
		t.Errorf("%d records", len(c.records()))
	}
}

func TestWhatCanNotBeKeptStays(t *testing.T) {
	long := numbers(5000)
	elsewhere := t.TempDir()
	for name, test := range map[string]struct {
		prepare func(*client) error
		before  string // of the helper's start, in a shell
		command string // empty: the usual
		why     string
	}{
		"no workbench": {prepare: func(c *client) error { return os.Remove(filepath.Join(c.dir, ".flower")) }, why: "no such file"},
		"the workbench is a link": {prepare: func(c *client) error {
			if err := os.Remove(filepath.Join(c.dir, ".flower")); err != nil {
				return err
			}
			return os.Symlink(elsewhere, filepath.Join(c.dir, ".flower"))
		}, why: "no folder"},
		"the folder is a link out of place":   {prepare: func(c *client) error { return os.Symlink(elsewhere, c.config.Folder) }, why: "no folder"},
		"the folder is a link into the place": {prepare: func(c *client) error { return os.Symlink("..", c.config.Folder) }, why: "no folder"},
		"the folder is a file":                {prepare: func(c *client) error { return os.WriteFile(c.config.Folder, nil, 0o600) }, why: "no folder"},
		// A limit on the size of files is met as a full disk is.
		"no room": {before: "ulimit -S -f 8; ", command: "ulimit -S -f unlimited; seq 1 5000; exit 3", why: "keep the output"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			if test.prepare != nil {
				if err := test.prepare(c); err != nil {
					t.Fatal(err)
				}
			}
			command := test.command
			if command == "" {
				command = "seq 1 5000; exit 3"
			}
			cmd := c.command(c.line(command))
			if test.before != "" {
				cmd.Path, cmd.Args = "/bin/bash", []string{"bash", "-c", test.before + `exec "$0" "$1"`, c.helper, c.line(command)}
			}
			status, got := c.end(cmd)
			if got != long || status.ExitStatus() != 3 {
				t.Errorf("%v, %.200q", status, got)
			}
			records := c.records()
			if len(records) != 1 || !strings.Contains(records[0].Error, test.why) || records[0].Path != "" || records[0].Bytes != int64(len(long)) {
				t.Errorf("recorded %+v", records)
			}
			for _, folder := range []string{elsewhere, c.config.Folder} {
				if entries, err := os.ReadDir(folder); err == nil && len(entries) != 0 && folder == elsewhere || len(entries) > 1 {
					t.Errorf("%s holds %v", folder, entries)
				}
			}
		})
	}
}

func TestOutputThatIsNoRegularFile(t *testing.T) {
	c := newClient(t)
	want := numbers(5000)
	var out bytes.Buffer
	cmd := c.command(c.line("seq 1 5000; exit 3"))
	cmd.Stdout, cmd.Stderr = &out, &out // a pipe
	_, file := c.end(cmd)
	c.untouched(file, "")
	if out.String() != want || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("%v, %.100q", cmd.ProcessState, out.String())
	}

	cmd = c.command(c.line("seq 1 5000; echo no >&2; exit 3"))
	other, err := os.Create(filepath.Join(t.TempDir(), "errors"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	cmd.Stderr = other
	_, file = c.end(cmd)
	c.untouched(file, want)
}

func TestAFileThatIsNotAppendedTo(t *testing.T) {
	c := newClient(t)
	cmd := c.command(c.line("seq 1 5000; exit 3"))
	file, err := os.Create(c.file)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	_, got := c.end(cmd)
	if whole := numbers(5000); got != guard.FailedPointer(whole, ".flower/spill/"+guard.SpillName(whole)) {
		t.Errorf("%.300q", got)
	}
}

func TestAFileThatIsGone(t *testing.T) {
	c := newClient(t)
	cmd := c.command(c.line("seq 1 5000; rm " + c.file + "; exit 3"))
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != 3 || len(c.spilled()) != 0 || len(c.records()) != 0 {
		t.Errorf("%v, %d files, %+v", cmd.ProcessState, len(c.spilled()), c.records())
	}
}

func TestAJobThatIsLeftRunningKeepsTheFile(t *testing.T) {
	c := newClient(t)
	go_, over := c.gate("go"), c.gate("over")
	_, got := c.run("{ read x < " + go_ + "; echo late $x; echo over > " + over + "; } & seq 1 5000; exit 3")
	whole := numbers(5000)
	pointer := guard.FailedPointer(whole, ".flower/spill/"+guard.SpillName(whole))
	if got != pointer {
		t.Fatalf("%.300q", got)
	}
	if err := os.WriteFile(go_, []byte("word\n"), 0); err != nil {
		t.Fatal(err)
	}
	c.await(over)
	if got := c.output(); got != pointer+"late word\n" {
		t.Errorf("%.300q", got[min(len(got), len(pointer)):])
	}
}

func TestAJobThatWritesAllTheTime(t *testing.T) {
	c := newClient(t)
	over, stop := c.gate("over"), filepath.Join(c.dir, "stop")
	_, _ = c.run("{ while [ ! -e " + stop + " ]; do echo tick; done; echo over > " + over + "; } & seq 1 5000; exit 3")
	if err := os.WriteFile(stop, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.await(over)
	whole := c.output()
	if r := c.records(); len(r) != 1 {
		t.Errorf("%+v", r)
	} else if r[0].Error == "" {
		whole = c.spilled()[filepath.Base(r[0].Path)]
	}
	if got := strings.ReplaceAll(whole, "tick\n", ""); got != numbers(5000) {
		t.Errorf("of the command's output %d bytes are left", len(got))
	}
}

func TestAnOutputThatNeverEndsIsLeftAlone(t *testing.T) {
	o := output{}
	m := newMeasure()
	// What is read is never as much as the file, which is this test's own stdout, has.
	err := o.copyTo(m, strings.NewReader(strings.Repeat("x", 1<<20)), m)
	if err == nil {
		t.Error("taken for whole")
	}
}

func TestSignals(t *testing.T) {
	// Tests run by nohup: a signal that is caught here has its default back in a child, as from a terminal.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	whole := numbers(5000)
	pointer := guard.FailedPointer(whole, ".flower/spill/"+guard.SpillName(whole))
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGINT, syscall.SIGHUP, syscall.SIGSEGV} {
		c := newClient(t)
		status, got := c.run(fmt.Sprintf("seq 1 5000; kill -%d $$", int(s)))
		if !status.Signaled() || status.Signal() != s || status.CoreDump() || got != pointer {
			t.Errorf("%v: %v, %.200q", s, status, got)
		}
		if r := c.records(); len(r) != 1 || r[0].Status != 128+int(s) {
			t.Errorf("%v: recorded %+v", s, r)
		}
	}
}

func TestASignalToTheGroup(t *testing.T) {
	for name, test := range map[string]struct {
		trap string
		want func(syscall.WaitStatus) bool
	}{
		"ends the command":             {"", func(s syscall.WaitStatus) bool { return s.Signaled() && s.Signal() == syscall.SIGTERM }},
		"is handled by it, it goes on": {"trap 'seq 1 5000; exit 7' TERM; ", func(s syscall.WaitStatus) bool { return s.ExitStatus() == 7 }},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			ready := c.gate("ready")
			cmd := c.command(c.line(test.trap + "seq 1 5000; echo > " + ready + "; while :; do sleep 0.01; done"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			c.await(ready)
			if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !test.want(status) {
				t.Errorf("%v", status)
			}
			if got := c.output(); !strings.Contains(got, "spilled to") || len(c.spilled()) != 1 {
				t.Errorf("%.200q", got)
			}
		})
	}
}

// Whatever is printed, the whole is on disk, or untouched.
func TestWhateverIsPrinted(t *testing.T) {
	for name, text := range map[string][]byte{
		"NULs":                      bytes.Repeat([]byte{0}, 20000),
		"invalid UTF-8":             bytes.Repeat([]byte{0xff, 'a', 0xc3, '\n'}, 5000),
		"what continues nothing":    bytes.Repeat([]byte{0x80}, 300000),
		"cut inside a character":    append(bytes.Repeat([]byte("x"), 5000), 0xf0, 0x9f),
		"one long line":             bytes.Repeat([]byte("y"), 700000),
		"no letters":                bytes.Repeat([]byte("\r\n"), 3000),
		"Chinese":                   bytes.Repeat([]byte("一二三\n"), 90000),
		"marks without end":         append([]byte("a"), bytes.Repeat([]byte("\u0301"), 30000)...),
		"just over":                 bytes.Repeat([]byte("z"), 4001),
		"terminal":                  bytes.Repeat([]byte("\x1b[2J\x1b]0;x\x07"), 1000),
		"a family across the piece": append(bytes.Repeat([]byte("x"), 256<<10-1), []byte(strings.Repeat("👨‍👩‍👧", 100))...),
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			_, got := c.run("cat " + c.write("text", text) + "; exit 1")
			r := c.records()
			if len(r) != 1 || r[0].Error != "" {
				t.Fatalf("recorded %+v", r)
			}
			whole, err := os.ReadFile(r[0].Path)
			if err != nil || !bytes.Equal(whole, text) || r[0].Path != filepath.Join(c.config.Folder, guard.SpillName(string(text))) {
				t.Errorf("%v; %d of %d bytes in %s", err, len(whole), len(text), r[0].Path)
			}
			if r[0].Chars != plain.Length(string(text)) || r[0].Kept != plain.Length(got) || plain.Length(got) > 1700 {
				t.Errorf("%+v, and %d characters stay", r[0], plain.Length(got))
			}
		})
	}
}

// sparse makes a command that gives a file a size, without a block of it on disk.
func sparse(file string, size int) string {
	return "dd if=/dev/zero of=" + file + " bs=1 count=0 seek=" + itoa(size) + " 2>/dev/null; "
}

func TestALargeOutputIsNotHeldInMemory(t *testing.T) {
	c := newClient(t)
	cmd := c.command(c.line(sparse(c.file, 128<<20) + "exit 3"))
	_, got := c.end(cmd)
	r := c.records()
	if len(r) != 1 || r[0].Bytes != 128<<20 || !strings.HasPrefix(got, "[134,217,728 characters, 1 lines") {
		t.Fatalf("%+v, %.100q", r, got)
	}
	if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; used > 64<<10 {
		t.Errorf("%d KiB of memory", used)
	}
}

func TestAnOutputOverTheBoundStays(t *testing.T) {
	c := newClient(t)
	cmd := c.command(c.line(sparse(c.file, 1025<<20) + "exit 3"))
	_ = cmd.Run()
	if info, err := os.Stat(c.file); err != nil || info.Size() != 1025<<20 {
		t.Errorf("%v, %v", info, err)
	}
	if r := c.records(); len(r) != 1 || !strings.Contains(r[0].Error, "1 GB") || len(c.spilled()) != 0 {
		t.Errorf("%+v", r)
	}
}

func BenchmarkCommand(b *testing.B) {
	c := newClient(b)
	helper := filepath.Join(b.TempDir(), helperName)
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", helper, "./helper")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	c.helper = helper
	// One after the other in one run: what else the machine does hits both alike.
	var took [2][]time.Duration
	for b.Loop() {
		for i := range took {
			cmd := c.command(c.line("true"))
			if i == 0 {
				cmd.Path, cmd.Args = "/bin/bash", []string{"/bin/bash", "-c", c.line("true")}
			}
			began := time.Now()
			if status, text := c.end(cmd); status.ExitStatus() != 0 {
				b.Fatalf("%v %s", status, text)
			}
			took[i] = append(took[i], time.Since(began))
		}
	}
	without, with := median(took[0]), median(took[1])
	b.ReportMetric(float64(without.Microseconds())/1000, "ms-without")
	b.ReportMetric(float64(with.Microseconds())/1000, "ms-with")
	b.ReportMetric(float64(with)/float64(without), "ratio")
}

func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)/2]
}
