package app

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// sealDescriptors marks every descriptor but the standard three close-on-exec. Call it with syscall.ForkLock held for
// reading: then nothing is forked before it is done. It costs some ten microseconds.
func sealDescriptors() {
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return // without /proc, agents are kept from them when they start, as far as they are there already
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			unix.CloseOnExec(fd) // fails only for one that was closed since
		}
	}
}
