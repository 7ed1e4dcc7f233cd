package shell

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// outputPath is a path that opens the file that stdout is, even one that was moved.
func outputPath() (string, error) { return "/proc/self/fd/1", nil }

// statusFlags are those that a descriptor was opened with, O_APPEND among them.
func statusFlags(descriptor int) (int, error) {
	return unix.FcntlInt(uintptr(descriptor), syscall.F_GETFL, 0)
}

// withHelper makes a child end with us: the client may kill the helper alone, as it
// would the shell in whose place the helper is.
func withHelper() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
