package pty

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

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
