package pty

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Seal marks every descriptor of ours but the standard three close-on-exec, as Start does
// before it starts a child. Call it before a program is started by other means: what
// libraries opened would stay open in it for as long as it lives.
func Seal() error { return closeOnExec() }

// closeOnExecIn marks the descriptors that a directory like /proc/self/fd or /dev/fd lists.
func closeOnExecIn(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd) // fails only for one that was closed since
		}
	}
	return nil
}
