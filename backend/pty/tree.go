package pty

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// info is what the kernel says of one process.
type info struct {
	pid, parent, session int
	started              string // as in Record
	since                uint64 // the same time as a number, comparable within one boot
	zombie               bool
	mark                 string // its HEARTH_MARK; empty when it has none or the kernel won't say
}

// A waiting End looks whether the tree is gone after firstPoll and then ever more rarely, up to lastPoll: most processes go
// at once, and looking means reading every process's environment.
const (
	firstPoll = 4 * time.Millisecond
	lastPoll  = 100 * time.Millisecond
)

// A tree finds the processes to end and remembers them: once seen, a process stays a member until it is gone, also when
// its parent dies and nothing else connects it any more.
type tree struct {
	seed  func(info) bool // a member by itself, whoever its parent is
	root  Record          // a session leader whose session belongs to the tree; PID 0: none
	endAt func() uint64   // when root was reaped, in the unit of info.since; 0: not yet
	all   func() ([]info, error)
	known map[int]info
}

// scan looks at every process and returns the members that are alive.
func (t *tree) scan() ([]info, error) {
	all, err := t.all()
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	if t.known == nil {
		t.known = map[int]info{}
	}
	byPID := make(map[int]info, len(all))
	for _, p := range all {
		byPID[p.pid] = p
	}
	for pid, k := range t.known {
		if p, ok := byPID[pid]; !ok || p.started != k.started {
			delete(t.known, pid)
		}
	}
	untouchable := ancestry(byPID, os.Getpid())
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if _, ok := t.known[p.pid]; ok || untouchable[p.pid] {
				continue
			}
			_, byDescent := t.known[p.parent]
			if byDescent || t.seed(p) || t.inSession(p, byPID) {
				t.known[p.pid] = p
				grew = true
			}
		}
	}
	var alive []info
	for pid := range t.known {
		if p := byPID[pid]; !p.zombie { // a zombie does nothing any more and waits only for its parent
			alive = append(alive, p)
		}
	}
	slices.SortFunc(alive, func(a, b info) int { return a.pid - b.pid })
	return alive, nil
}

// inSession reports whether p is in the session that root led. The kernel keeps a number taken while a session uses it, so
// the number means root as long as root lives, and afterwards for whoever was there before root was reaped.
func (t *tree) inSession(p info, byPID map[int]info) bool {
	if t.root.PID == 0 || p.session != t.root.PID {
		return false
	}
	if leader, ok := byPID[t.root.PID]; ok {
		return leader.started == t.root.Started
	}
	end := t.endAt()
	return end != 0 && p.since <= end
}

// ancestry is pid and the processes it came from.
func ancestry(byPID map[int]info, pid int) map[int]bool {
	line := map[int]bool{}
	for pid > 0 && !line[pid] {
		line[pid] = true
		pid = byPID[pid].parent
	}
	return line
}

// kill is the last step: KILL until nothing is left, for at most KillBound.
func (t *tree) kill() error {
	deadline := time.Now().Add(KillBound)
	for poll := firstPoll; ; poll = min(2*poll, lastPoll) {
		alive, err := t.scan()
		if err != nil || len(alive) == 0 {
			return err
		}
		errs := signalAll(alive, syscall.SIGKILL)
		if time.Now().After(deadline) {
			return errors.Join(fmt.Errorf("still alive after KILL: %s", names(alive)), errs)
		}
		time.Sleep(poll)
	}
}

// gone waits until no member is left, and reports whether that came before the grace was over or hurry was closed.
func (t *tree) gone(grace time.Duration, hurry <-chan struct{}) (bool, error) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for poll := firstPoll; ; poll = min(2*poll, lastPoll) {
		alive, err := t.scan()
		if err != nil || len(alive) == 0 {
			return err == nil, err
		}
		select {
		case <-time.After(poll):
		case <-timer.C:
			return false, nil
		case <-hurry:
			return false, nil
		}
	}
}

// signalAll sends sig to each, and returns what went wrong other than that somebody was gone already.
func signalAll(ps []info, sig syscall.Signal) error {
	var errs []error
	for _, p := range ps {
		if err := send(p, sig); err != nil && !errors.Is(err, syscall.ESRCH) && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("signal pid %d: %w", p.pid, err))
		}
	}
	return errors.Join(errs...)
}

func names(ps []info) string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "pid %d", p.pid)
	}
	return b.String()
}
