package pty

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// End ends the child and its whole tree in bounded steps, and releases the descriptors:
//
//  1. the child's input is closed, and it has CloseGrace to exit by itself;
//  2. TERM goes to what is left of the tree, which has TermGrace;
//  3. KILL goes to what is left then, again and again, for at most KillBound.
//
// When ctx ends, step 3 comes at once. The error says who is left, if anybody. End may be called any number of times and
// from several goroutines; the context that ends first decides. Processes that the child started belong to the tree also
// if they ignore HUP and TERM or called setsid; see the package comment for how they are found.
func (p *Process) End(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { p.hurryOnce.Do(func() { close(p.hurry) }) })
	defer stop()
	p.ending <- struct{}{} // waits for another End; that one is bounded, and ctx hurries it too
	defer func() { <-p.ending }()
	if p.ended {
		return p.endErr
	}
	p.endErr = p.end()
	p.ended = true
	return p.endErr
}

func (p *Process) end() error {
	t := p.tree()
	// Look first: when the child exits, its children lose their parent, and one without the mark would be lost.
	alive, err := t.scan()
	if p.stdin != nil {
		p.stdin.Close()
	}
	if err == nil && len(alive) > 0 {
		p.leaveTime()
		err = t.finish(p.termGrace, p.hurry)
	}
	if err != nil && p.reapedAt() == 0 {
		// Whatever kept us from the tree, the child itself is ours to kill: it is not reaped, so its pid is its own.
		err = errors.Join(err, p.cmd.Process.Kill())
	}
	select {
	case <-p.done:
	case <-time.After(KillBound):
		err = errors.Join(err, errors.New("not reaped"))
	}
	p.out.close()
	p.stderr.Close()
	if err != nil {
		return fmt.Errorf("end pid %d: %w", p.record.PID, err)
	}
	return nil
}

// tree finds the child and all that it started.
func (p *Process) tree() *tree {
	return &tree{
		seed: func(i info) bool {
			return i.mark == p.record.Mark || i.pid == p.record.PID && i.started == p.record.Started
		},
		root:  p.record,
		endAt: p.reapedAt,
		all:   processes,
	}
}

// finish is TERM, a wait, KILL.
func (t *tree) finish(grace time.Duration, hurry <-chan struct{}) error {
	select {
	case <-hurry:
		return t.kill()
	default:
	}
	alive, err := t.scan()
	if err != nil || len(alive) == 0 {
		return err
	}
	// Who can't be signalled with TERM can't be killed either; kill reports it.
	_ = signalAll(alive, syscall.SIGTERM)
	if gone, err := t.gone(grace, hurry); gone || err != nil {
		return err
	}
	return t.kill()
}

// leaveTime gives the child CloseGrace to exit by itself, or less when there is a hurry.
func (p *Process) leaveTime() {
	timer := time.NewTimer(p.closeGrace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-p.hurry:
	case <-timer.C:
	}
}

// reapedAt is when the child was reaped, in the unit of info.since; 0: not yet.
func (p *Process) reapedAt() uint64 {
	select {
	case <-p.done:
		return p.endAt
	default:
		return 0
	}
}
