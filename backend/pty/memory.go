package pty

import (
	"context"
	"fmt"
)

// Memory is what a child and all that it started hold in memory.
type Memory struct {
	// Bytes that are resident. What two processes share is counted in each of them.
	Bytes     int64
	Processes int
}

// Memory looks how much memory the tree takes now; ctx bounds the look. A child that has ended takes none.
func (p *Process) Memory(ctx context.Context) (Memory, error) {
	alive, err := p.tree().scan()
	if err != nil {
		return Memory{}, fmt.Errorf("look at the memory of pid %d: %w", p.record.PID, err)
	}
	pids := make([]int, len(alive))
	for i, one := range alive {
		pids[i] = one.pid
	}
	held, err := residents(ctx, pids)
	if err != nil {
		return Memory{}, fmt.Errorf("look at the memory of pid %d: %w", p.record.PID, err)
	}
	return held, nil
}
