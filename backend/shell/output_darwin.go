package shell

import (
	"bytes"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// outputPath is the path of the file that stdout is. F_GETPATH writes at most
// MAXPATHLEN (1,024) bytes.
func outputPath() (string, error) {
	path := new([1024]byte)
	var pinner runtime.Pinner
	pinner.Pin(path)
	defer pinner.Unpin()
	if _, err := unix.FcntlInt(uintptr(syscall.Stdout), unix.F_GETPATH, int(uintptr(unsafe.Pointer(path)))); err != nil {
		return "", err
	}
	name, _, _ := bytes.Cut(path[:], []byte{0})
	return string(name), nil
}

// statusFlags are those that a descriptor was opened with, O_APPEND among them.
func statusFlags(descriptor int) (int, error) {
	return unix.FcntlInt(uintptr(descriptor), syscall.F_GETFL, 0)
}

// withHelper would make a child end with us; macOS can't.
func withHelper() *syscall.SysProcAttr { return nil }
