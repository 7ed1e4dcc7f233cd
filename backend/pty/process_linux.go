package pty

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// ticksPerSecond is the unit of start times in /proc: USER_HZ, which the kernel's interface fixes at 100.
const ticksPerSecond = 100

// bootID tells this boot from others, so that a record from before a restart of the machine matches nobody.
var bootID = sync.OnceValues(func() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(bytes.TrimSpace(b)), err
})

// processes lists every process that can be seen. One that ends while we look is left out.
func processes() ([]info, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var out []info
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p, err := lookup(pid)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// lookup asks the kernel about one process.
func lookup(pid int) (info, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return info{}, err
	}
	p, err := parseStat(stat)
	if err != nil {
		return info{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	boot, err := bootID()
	if err != nil {
		return info{}, err
	}
	p.started = boot + ":" + strconv.FormatUint(p.since, 10)
	// Somebody else's environment can't be read, and is not ours to end.
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil {
		p.mark = markIn(env)
	}
	return p, nil
}

// parseStat reads a line of /proc/PID/stat. The second field is the program's name in parentheses and may itself hold
// spaces and parentheses; everything after the last one is plain. Fields are counted from 1 as in proc_pid_stat(5).
func parseStat(b []byte) (info, error) {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end < open {
		return info{}, errors.New("no program name")
	}
	rest := strings.Fields(string(b[end+1:]))
	const first, state, parent, session, start = 3, 3, 4, 6, 22
	if len(rest) <= start-first {
		return info{}, fmt.Errorf("%d fields", len(rest)+2)
	}
	var p info
	var errs [4]error
	p.pid, errs[0] = strconv.Atoi(strings.TrimSpace(string(b[:open])))
	p.parent, errs[1] = strconv.Atoi(rest[parent-first])
	p.session, errs[2] = strconv.Atoi(rest[session-first])
	p.since, errs[3] = strconv.ParseUint(rest[start-first], 10, 64)
	s := rest[state-first]
	p.zombie = s == "Z" || s == "X" || s == "x"
	return p, errors.Join(errs[:]...)
}

// markIn finds the mark in an environment as /proc gives it: entries ended by NUL.
func markIn(env []byte) string {
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(MarkVariable+"=")); ok {
			return string(value)
		}
	}
	return ""
}

// now is the present moment in the unit of info.since.
func now() uint64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		return 1 // before every process: then the session alone proves nothing
	}
	return uint64(ts.Sec)*ticksPerSecond + uint64(ts.Nsec)*ticksPerSecond/1e9
}

// send sends sig to exactly the process p, never to one that took over its pid.
func send(p info, sig syscall.Signal) error {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if errors.Is(err, unix.ENOSYS) { // Linux before 5.3
		if err := same(p); err != nil {
			return err
		}
		return syscall.Kill(p.pid, sig)
	}
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), "pidfd")
	defer f.Close()
	// The descriptor now holds one process, whoever it is; look who, then signal that one.
	if err := same(p); err != nil {
		return err
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0)
}

// same is an error of ESRCH unless p's pid still belongs to p.
func same(p info) error {
	is, err := lookup(p.pid)
	if err != nil {
		return err
	}
	if is.started != p.started {
		return syscall.ESRCH
	}
	return nil
}

// closeOnExec marks every descriptor of ours above 2 close-on-exec.
func closeOnExec() error {
	err := unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil || !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	return closeOnExecIn("/proc/self/fd") // Linux before 5.11
}
