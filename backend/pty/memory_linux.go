package pty

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// residents adds up what processes hold in memory. One that ends while we look is left out.
func residents(ctx context.Context, pids []int) (Memory, error) {
	var sum Memory
	for _, pid := range pids {
		if ctx.Err() != nil {
			return Memory{}, context.Cause(ctx)
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			return Memory{}, err
		}
		pages, err := residentPages(text)
		if err != nil {
			return Memory{}, fmt.Errorf("/proc/%d/statm: %w", pid, err)
		}
		sum.Bytes += pages * int64(os.Getpagesize())
		sum.Processes++
	}
	return sum, nil
}

// residentPages reads the second number of /proc/PID/statm.
func residentPages(statm []byte) (int64, error) {
	fields := bytes.Fields(statm)
	if len(fields) < 2 {
		return 0, fmt.Errorf("%d fields", len(fields))
	}
	return strconv.ParseInt(string(fields[1]), 10, 64)
}
