package pty

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// zombieState is SZOMB in <sys/proc.h>.
const zombieState = 5

// processes lists every process of every user.
func processes() ([]info, error) {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	out := make([]info, 0, len(list))
	for i := range list {
		out = append(out, fromKinfo(&list[i]))
	}
	return out, nil
}

// lookup asks the kernel about one process.
func lookup(pid int) (info, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return info{}, err
	}
	if int(k.Proc.P_pid) != pid {
		return info{}, syscall.ESRCH
	}
	return fromKinfo(k), nil
}

func fromKinfo(k *unix.KinfoProc) info {
	start := k.Proc.P_starttime
	p := info{
		pid:    int(k.Proc.P_pid),
		parent: int(k.Eproc.Ppid),
		// Microseconds since 1970. A clock that was set back could in theory give two processes of one pid the same one.
		since:   uint64(start.Sec)*1e6 + uint64(start.Usec),
		started: fmt.Sprintf("%d.%06d", start.Sec, start.Usec),
		zombie:  k.Proc.P_stat == zombieState,
	}
	if sid, err := unix.Getsid(p.pid); err == nil {
		p.session = sid
	}
	// Fails for other people's processes, which are not ours to end.
	if args, err := unix.SysctlRaw("kern.procargs2", p.pid); err == nil {
		p.mark = markInArgs(args)
	}
	return p
}

// markInArgs finds the mark in the answer of kern.procargs2: the number of arguments as a 32-bit integer, the program's
// path, padding of NULs, that many arguments, then the environment; each ended by NUL.
func markInArgs(b []byte) string {
	if len(b) < 4 {
		return ""
	}
	argc := int(binary.NativeEndian.Uint32(b))
	b = b[4:]
	end := bytes.IndexByte(b, 0)
	if end < 0 {
		return ""
	}
	b = bytes.TrimLeft(b[end:], "\x00")
	for entry := range bytes.SplitSeq(b, []byte{0}) {
		if argc > 0 {
			argc--
			continue
		}
		if value, ok := bytes.CutPrefix(entry, []byte(MarkVariable+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// now is the present moment in the unit of info.since.
func now() uint64 { return uint64(time.Now().UnixMicro()) }

// send sends sig to the process p. macOS has no pidfd: between the look and the signal lie some microseconds, in which
// the pid would have to be freed and, of 99,999, be the next one given out.
func send(p info, sig syscall.Signal) error {
	is, err := lookup(p.pid)
	if err != nil {
		return err
	}
	if is.started != p.started {
		return syscall.ESRCH
	}
	return syscall.Kill(p.pid, sig)
}

// closeOnExec marks every descriptor of ours above 2 close-on-exec.
func closeOnExec() error { return closeOnExecIn("/dev/fd") }
