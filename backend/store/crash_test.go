package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/run"
)

func init() { children["work until killed"] = workUntilKilled }

// workUntilKilled posts, begins and finishes without end, and says on its
// standard output what was acknowledged, after it was. Its arguments are a
// database, a channel and the bindings to work for.
func workUntilKilled(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Path: args[0]})
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	failed := make(chan error, len(args))
	for _, binding := range args[2:] {
		workers.Go(func() {
			for i := 0; ; i++ {
				if err := workOnce(ctx, s, args[1], binding, strings.Repeat(itoa(i), 1+i%2000)); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	workers.Wait()
	return <-failed
}

func workOnce(ctx context.Context, s *Store, channel, binding, body string) error {
	row, runs, err := s.Post(ctx, chat.Row{ChannelID: channel, Kind: chat.KindUser, Body: body}, []run.Run{{BindingID: binding, Cause: run.CauseMention}})
	if err != nil {
		return err
	}
	// One write, so that a line is whole or is not there.
	fmt.Printf("posted %s %s %d\n", row.ID, runs[0].ID, len(body))
	if err := s.Begin(ctx, run.Beginning{RunID: runs[0].ID, Native: "s", Sent: stagedAs("s", row.CreatedAt, row.ID)}); err != nil {
		return err
	}
	_, reply, err := s.Finish(ctx, run.Finishing{RunID: runs[0].ID, State: run.Succeeded, Reply: "re: " + body, Commit: true, Steps: []run.Step{{Kind: "text"}}})
	if err != nil {
		return err
	}
	fmt.Printf("finished %s %s %d\n", reply.ID, runs[0].ID, len(body)+len("re: "))
	return nil
}

// TestKill kills a process that works with the store, again and again: what it
// acknowledged is there, and nothing is there by half.
func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hearth.db")
	s := openAt(t, path, nil)
	c := must(s.CreateChannel(t.Context(), chat.Channel{Name: "c", Workspace: "/w"}))(t)
	args := []string{path, c.ID}
	for _, handle := range []string{"one", "two", "three"} {
		b := must(s.CreateBinding(t.Context(), chat.Binding{ChannelID: c.ID, Handle: handle, Runtime: chat.RuntimeClaude}))(t)
		args = append(args, b.ID)
	}
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	var acknowledged []string
	for range 8 {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		acknowledged = append(acknowledged, killAfter(t, 1+random.IntN(150), args)...)
		s = openAt(t, path, nil)
		for _, line := range acknowledged {
			checkAcknowledged(t, s, line)
		}
		checkWhole(t, s)
	}
}

// killAfter starts a child, kills it once it has acknowledged so many things,
// and returns all that it acknowledged.
func killAfter(t *testing.T, things int, args []string) []string {
	t.Helper()
	child := exec.Command(must(os.Executable())(t), args...)
	child.Env = append(os.Environ(), childTask+"=work until killed")
	var complaint strings.Builder
	child.Stderr = &complaint
	out := must(child.StdoutPipe())(t)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	reader := bufio.NewReader(out)
	killed := false
	for {
		line, err := reader.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break // what follows the last line end was not said
		}
		lines = append(lines, line)
		if len(lines) == things {
			killed = true
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := child.Wait(); err == nil || !killed {
		t.Fatalf("the child ended by itself after %d of %d: %v\n%s", len(lines), things, err, complaint.String())
	}
	return lines
}

func checkAcknowledged(t *testing.T, s *Store, line string) {
	t.Helper()
	var what, rowID, runID string
	var length int
	if _, err := fmt.Sscanf(line, "%s %s %s %d\n", &what, &rowID, &runID, &length); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	row, err := s.Row(t.Context(), rowID)
	if err != nil || len(row.Body) != length {
		t.Fatalf("%s: a row of %d bytes, %v", line, len(row.Body), err)
	}
	r, err := s.Run(t.Context(), runID)
	if err != nil || what == "posted" && r.RowID != rowID || what == "finished" && (r.ReplyID != rowID || r.State != run.Succeeded) {
		t.Fatalf("%s: the run is %+v, %v", line, r, err)
	}
}

// checkWhole looks for anything that is there by half.
func checkWhole(t *testing.T, s *Store) {
	t.Helper()
	var verdict string
	if err := s.reader.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity: %s, %v", verdict, err)
	}
	for what, query := range map[string]string{
		"a person's row without its run":    "SELECT count(*) FROM rows WHERE kind = 'user' AND id NOT IN (SELECT row_id FROM runs)",
		"an ended run without its reply":    "SELECT count(*) FROM runs WHERE state = 'succeeded' AND reply_id NOT IN (SELECT id FROM rows)",
		"a reply of a run that has no end":  "SELECT count(*) FROM rows WHERE kind = 'agent' AND id NOT IN (SELECT reply_id FROM runs)",
		"an ended run without its step":     "SELECT count(*) FROM runs WHERE state = 'succeeded' AND id NOT IN (SELECT run_id FROM run_steps)",
		"a running run with nothing staged": "SELECT count(*) FROM runs WHERE state = 'running' AND id NOT IN (SELECT run_id FROM staged)",
		"something staged for no running":   "SELECT count(*) FROM staged WHERE run_id NOT IN (SELECT id FROM runs WHERE state = 'running')",
		"a line that names nothing":         "SELECT count(*) FROM pragma_foreign_key_check",
		"a watermark that says more than ends": `SELECT count(*) FROM watermarks, json_each('["' || replace(ids, ' ', '","') || '"]')
			WHERE ids <> '' AND value NOT IN (SELECT row_id FROM runs WHERE state = 'succeeded' UNION SELECT reply_id FROM runs WHERE state = 'succeeded')`,
	} {
		var n int
		if err := s.reader.QueryRowContext(t.Context(), query).Scan(&n); err != nil || n != 0 {
			t.Errorf("%d times %s (%v)", n, what, err)
		}
	}
}
