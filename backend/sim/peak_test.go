package sim

import (
	"runtime"
	"syscall"
	"testing"
)

// peak is the most memory this process has had, in megabytes.
func peak(tb testing.TB) float64 {
	tb.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	unit := 1e3 // Linux counts kilobytes,
	if runtime.GOOS == "darwin" {
		unit = 1e6 // macOS bytes
	}
	return float64(used.Maxrss) / unit
}
