package pty

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
)

// residents adds up what processes hold in memory, as ps says. One that ends while we look is left out.
func residents(ctx context.Context, pids []int) (Memory, error) {
	if len(pids) == 0 {
		return Memory{}, nil
	}
	names := make([]string, len(pids))
	for i, pid := range pids {
		names[i] = strconv.Itoa(pid)
	}
	// ps exits with 1 when one of them is gone; what it says of the others is right.
	text, err := exec.CommandContext(ctx, "/bin/ps", "-o", "rss=", "-p", strings.Join(names, ",")).Output()
	if err != nil && len(text) == 0 {
		return Memory{}, err
	}
	var sum Memory
	for line := range strings.FieldsSeq(string(text)) {
		kib, err := strconv.ParseInt(line, 10, 64)
		if err != nil {
			return Memory{}, err
		}
		sum.Bytes += kib << 10
		sum.Processes++
	}
	return sum, nil
}
