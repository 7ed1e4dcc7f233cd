package store

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"hearth/backend/changes"
	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/pty"
	"hearth/backend/run"
)

func init() { children["be traced"] = beTraced }

// rounds is how often each call is traced.
const rounds = 10

// beTraced makes calls and says before and after each one, by a write that the
// trace shows, which it is. Its argument is a database.
func beTraced(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Path: args[0]})
	if err != nil {
		return err
	}
	// What moves the log into the file may fall to any call.
	if _, err := s.writer.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0"); err != nil {
		return err
	}
	say, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	c, err := s.CreateChannel(ctx, chat.Channel{Name: "c", Workspace: "/w"})
	if err != nil {
		return err
	}
	b, err := s.CreateBinding(ctx, chat.Binding{ChannelID: c.ID, Handle: "h", Runtime: chat.RuntimeClaude})
	if err != nil {
		return err
	}
	for range rounds {
		var row chat.Row
		var runs []run.Run
		var asked run.Permission
		for _, call := range []struct {
			name string
			do   func() error
		}{
			{"Post", func() (err error) {
				row, runs, err = s.Post(ctx, chat.Row{ChannelID: c.ID, Kind: chat.KindUser, Body: "x"}, []run.Run{{BindingID: b.ID}})
				return err
			}},
			{"StartSession", func() error { return s.StartSession(ctx, run.Session{Native: "s", BindingID: b.ID}) }},
			{"RecordProcess", func() error { return s.RecordProcess(ctx, ProcessRecord{Record: pty.Record{Mark: "m"}}) }},
			{"Wait", func() error { return s.Wait(ctx, runs[0].ID, true) }},
			{"Material", func() error { _, err := s.Material(ctx, runs[0], true); return err }},
			{"Begin", func() error {
				return s.Begin(ctx, run.Beginning{RunID: runs[0].ID, Native: "s", Sent: stagedAs("s", row.CreatedAt, row.ID)})
			}},
			{"PutChange", func() error {
				return s.PutChange(ctx, runs[0].ID, changes.Change{Path: "/w/a", Before: version("a"), After: version("b")}, true)
			}},
			{"MoveChanges", func() error { return s.MoveChanges(ctx, runs[0].ID, []run.ChangeMove{{}}) }},
			{"SettleChanges", func() error {
				_, _, err := s.SettleChanges(ctx, runs[0].ID, []run.ChangeMove{{}}, &chat.Row{Kind: chat.KindUser})
				return err
			}},
			{"Ask", func() (err error) { asked, err = s.Ask(ctx, run.Permission{BindingID: b.ID, Tool: "t"}); return err }},
			{"Answer", func() error { _, err := s.Answer(ctx, asked.ID, run.PermissionAlways, "", ""); return err }},
			{"Finish", func() error {
				_, _, err := s.Finish(ctx, run.Finishing{RunID: runs[0].ID, State: run.Failed, Reply: "y", Commit: true})
				return err
			}},
			{"Retry", func() error { runs[0], err = s.Retry(ctx, runs[0].ID); return err }},
			{"Cancel", func() error { _, err := s.Cancel(ctx, runs[0].ID, nil); return err }},
			{"Unasked", func() error {
				_, _, err := s.Unasked(ctx, run.Run{BindingID: b.ID}, run.Finishing{State: run.Succeeded, Reply: "z"})
				return err
			}},
			{"EndSession", func() error { return s.EndSession(ctx, "s", ledger.EndedIdle, "r") }},
			{"ForgetProcess", func() error { return s.ForgetProcess(ctx, "m") }},
			{"Fresh", func() error { _, err := s.Fresh(ctx, b.ID); return err }},
		} {
			if _, err := fmt.Fprintf(say, "before %s", call.name); err != nil {
				return err
			}
			if err := call.do(); err != nil {
				return fmt.Errorf("%s: %w", call.name, err)
			}
			if _, err := fmt.Fprintf(say, "after %s", call.name); err != nil {
				return err
			}
		}
	}
	return s.Close()
}

// TestSyncs counts the syncs that the kernel was asked for within each call: a
// synced one has its sync behind it when it returns, a relaxed one costs none.
func TestSyncs(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Fatal("strace is missing, and without it nothing shows that a post is on the disk when it is acknowledged: apt install strace")
	}
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace")
	for attempt := range 5 {
		child := exec.Command(strace, "-f", "-s", "64", "-e", "trace=fsync,fdatasync,write", "-o", trace,
			must(os.Executable())(t), filepath.Join(dir, fmt.Sprintf("hearth%d.db", attempt)))
		child.Env = append(os.Environ(), childTask+"=be traced")
		out, err := child.CombinedOutput()
		if err == nil {
			break
		}
		// strace itself stumbles, now and then, over a thread that ends while it looks at it.
		if attempt == 4 || !bytes.Contains(out, []byte("strace: ptrace(")) {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	got := syncsOf(t, must(os.ReadFile(trace))(t))
	want := map[string]int{
		"Post": 1, "Ask": 1, "Answer": 1, "Finish": 1, "Retry": 1, "Cancel": 1, "Unasked": 1, "Fresh": 1,
		"StartSession": 0, "RecordProcess": 0, "Wait": 0, "Material": 0, "Begin": 0, "EndSession": 0, "ForgetProcess": 0,
		"PutChange": 0, "MoveChanges": 1, "SettleChanges": 1,
	}
	for name, n := range want {
		want[name] = n * rounds
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("syncs in %d calls each: %v, want %v", rounds, got, want)
	}
}

// syncsOf counts, by call, the syncs that came back between its marks.
func syncsOf(t *testing.T, trace []byte) map[string]int {
	t.Helper()
	event := regexp.MustCompile(`"(before|after) (\w+)"|(?:fsync|fdatasync)(?:\(\d+\)| resumed>.*) += 0`)
	counts := map[string]int{}
	within := ""
	for line := range bytes.Lines(trace) {
		switch m := event.FindSubmatch(line); {
		case m == nil:
		case string(m[1]) == "before":
			within = string(m[2])
			counts[within] += 0
		case string(m[1]) == "after":
			within = ""
		case within != "":
			counts[within]++
		}
	}
	if len(counts) == 0 {
		t.Fatalf("the trace shows nothing:\n%s", trace)
	}
	return counts
}
