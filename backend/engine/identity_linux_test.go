package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/pty"
	"hearth/backend/store"
)

// hearthProcess is a Hearth in a process of its own, as a person would start it.
type hearthProcess struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
}

// startHearth starts a Hearth with a data folder and waits until it has ended
// what it found left over.
func startHearth(t *testing.T, h *house, dir string) *hearthProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &hearthProcess{t: t, cmd: exec.Command(self, crashFlag, dir, h.home, h.workspace)}
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it did not start: %v", err)
	}
	p.base = strings.TrimSpace(line)
	return p
}

func (p *hearthProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// agent posts a message to @claude and returns the process that was started for
// it, and the instance in its mark.
func (p *hearthProcess) agent(c chat.Channel) (agent int, instance string) {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"body": "@claude hello"})
	if err != nil {
		p.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	response, err := client.Post(p.base+"/api/channels/"+c.ID+"/messages", "application/json", bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		p.t.Fatal(response.Status)
	}
	p.eventually("an agent's process", func() bool {
		children, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			p.t.Fatal(err)
		}
		for _, path := range children {
			pid := 0
			if _, err := fmt.Sscanf(path, "/proc/%d/", &pid); err != nil || parent(pid) != p.cmd.Process.Pid {
				continue
			}
			environ, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			for entry := range bytes.SplitSeq(environ, []byte{0}) {
				if mark, ok := bytes.CutPrefix(entry, []byte(pty.MarkVariable+"=")); ok {
					before, _, _ := bytes.Cut(mark, []byte("/"))
					agent, instance = pid, string(before)
					return true
				}
			}
		}
		return false
	})
	return agent, instance
}

// answered says whether an agent has written into a channel.
func (p *hearthProcess) answered(c chat.Channel) bool {
	p.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	response, err := client.Get(p.base + "/api/channels/" + c.ID + "/messages")
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		p.t.Fatal(response.Status, err)
	}
	return bytes.Contains(text, []byte(`"kind":"agent"`))
}

func (p *hearthProcess) eventually(what string, cond func() bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatalf("never: %s", what)
		}
	}
}

// parent is the parent of a living process: 0 when it is gone, or waits only to
// be reaped.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	var state string
	var up int
	if _, err := fmt.Sscan(after, &state, &up); err != nil || state == "Z" || state == "X" {
		return 0
	}
	return up
}

// stray is what an agent left behind: a process that carries the agent's mark in
// a session of its own, so that no hangup reaches it.
func stray(t *testing.T, instance string) int {
	t.Helper()
	c := exec.Command("sleep", "3600")
	c.Env = append(os.Environ(), pty.MarkVariable+"="+instance+"/stray")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	reaped := make(chan struct{})
	go func() {
		defer close(reaped)
		_ = c.Wait()
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-reaped
	})
	return c.Process.Pid
}

// copied is a copy of a data folder, made as a person would make it.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if said, err := exec.Command("cp", "-a", dir, to).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return to
}

// startAndEnd opens a Hearth with a data folder, lets it clear up what it takes
// to be left over, and closes it.
func startAndEnd(t *testing.T, h *house, dir string) {
	t.Helper()
	o := h.options
	o.DataDir = dir
	e, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.agents.endLeftovers(t.Context()); err != nil {
		t.Error(err)
	}
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// A data folder is copied to try something, while its Hearth runs or after it was
// killed. What the first Hearth started is none of the copy's business.
func TestACopiedFolderEndsNothingOfTheFirst(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeStandin)
	h.close()

	first := startHearth(t, h, h.dir)
	agent, instance := first.agent(c)
	startAndEnd(t, h, copied(t, h.dir))
	if parent(agent) != first.cmd.Process.Pid {
		t.Fatal("the copy ended the agent of a Hearth that lives")
	}

	left := stray(t, instance)
	first.kill()
	first.eventually("the agent hangs up with its Hearth", func() bool { return parent(agent) == 0 })
	copy := copied(t, h.dir)
	startAndEnd(t, h, copy)
	startAndEnd(t, h, copy) // and not at its second start either
	if parent(left) == 0 {
		t.Fatal("the copy ended what the first Hearth left behind")
	}
	startAndEnd(t, h, h.dir)
	if parent(left) != 0 {
		t.Error("a Hearth did not end what its own last start left behind")
	}
}

// Renamed, a folder is the same one.
func TestAMovedFolderEndsItsLeftovers(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	h.binding(c, "claude", chat.RuntimeStandin)
	h.close()

	first := startHearth(t, h, h.dir)
	_, instance := first.agent(c)
	left := stray(t, instance)
	first.kill()
	moved := h.dir + "-moved"
	if err := os.Rename(h.dir, moved); err != nil {
		t.Fatal(err)
	}
	startAndEnd(t, h, moved)
	if parent(left) != 0 {
		t.Error("it did not end what was left behind before the move")
	}
}

// However a second Hearth comes to the database of one that lives: it is refused,
// and nothing of the first is touched, neither its agent nor its turn.
func TestASecondHearthIsRefused(t *testing.T) {
	for _, way := range []struct {
		name string
		make func(dir string) (second string, err error)
	}{
		// Somebody clears away a lock file that looks forgotten.
		{"the lock file was removed", func(dir string) (string, error) { return dir, os.Remove(filepath.Join(dir, store.LockName)) }},
		{"a link to the database", func(dir string) (string, error) {
			second := t.TempDir()
			return second, os.Symlink(filepath.Join(dir, Database), filepath.Join(second, Database))
		}},
		{"a hard link of the database", func(dir string) (string, error) {
			second := t.TempDir()
			return second, os.Link(filepath.Join(dir, Database), filepath.Join(second, Database))
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			h := build(t, nil)
			c := h.channel("backend")
			h.binding(c, "claude", chat.RuntimeStandin)
			h.close()

			first := startHearth(t, h, h.dir)
			agent, instance := first.agent(c)
			left := stray(t, instance)
			o := h.options
			second, err := way.make(h.dir)
			if err != nil {
				t.Fatal(err)
			}
			o.DataDir = second
			for range 2 {
				e, err := New(t.Context(), o)
				if err == nil {
					_ = e.Close(t.Context())
				}
				if !errors.Is(err, store.ErrHeld) {
					t.Fatalf("got %v", err)
				}
			}
			if parent(agent) != first.cmd.Process.Pid || parent(left) == 0 {
				t.Error("it ended the agent of a Hearth that lives, or what that left")
			}
			first.eventually("the turn of the first has its answer", func() bool { return first.answered(c) })

			// The first is gone, and the database is free.
			first.kill()
			var e *Engine
			first.eventually("the database is given back", func() bool {
				e, err = New(t.Context(), o)
				return !errors.Is(err, store.ErrHeld)
			})
			if err == nil {
				err = e.Close(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}
