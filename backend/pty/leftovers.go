package pty

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// EndLeftovers ends what earlier runs of an installation left behind, at the next start and before the first Start of
// this one: every process whose mark begins with instance and a slash, and what came from them. The caller must know that
// whoever started those is gone: by a lock that only one run can have. This process and its ancestors are left alone,
// whatever mark they carry (Hearth may have been started from within an agent's shell).
//
// A process without such a mark is left alone, whatever is known of its pid: another installation's, and one that was
// recorded, too. A record can be copied with the folder it is kept in.
//
// TERM comes first, KILL after DefaultTermGrace or when ctx ends. It returns those that are gone now. An error names who
// is left, or why nothing could be done.
func EndLeftovers(ctx context.Context, instance string) ([]Record, error) {
	if instance == "" || strings.ContainsAny(instance, "/\x00") {
		return nil, fmt.Errorf("end leftovers: %q does not name an instance", instance)
	}
	ended, err := endLeftovers(ctx, instance, processes)
	if err != nil {
		return ended, fmt.Errorf("end leftovers: %w", err)
	}
	return ended, nil
}

func endLeftovers(ctx context.Context, instance string, all func() ([]info, error)) ([]Record, error) {
	t := &tree{
		seed: func(i info) bool { return strings.HasPrefix(i.mark, instance+"/") },
		all:  all,
	}
	alive, err := t.scan()
	if err != nil || len(alive) == 0 {
		return nil, err
	}
	seen := map[int]info{}
	remember := func(ps []info) {
		for _, p := range ps {
			seen[p.pid] = p
		}
	}
	remember(alive)
	var errs []error
	if ctx.Err() == nil {
		_ = signalAll(alive, syscall.SIGTERM) // kill reports what can't be signalled
		if _, err := t.gone(DefaultTermGrace, ctx.Done()); err != nil {
			errs = append(errs, err)
		}
	}
	if late, err := t.scan(); err == nil {
		remember(late) // started while we waited
	}
	errs = append(errs, t.kill())
	left, err := t.scan()
	errs = append(errs, err)
	for _, p := range left {
		delete(seen, p.pid)
	}
	ended := make([]Record, 0, len(seen))
	for _, p := range seen {
		ended = append(ended, Record{PID: p.pid, Started: p.started, Mark: p.mark})
	}
	return ended, errors.Join(errs...)
}
