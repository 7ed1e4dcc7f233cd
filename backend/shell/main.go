package shell

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// helperName begins the name of the helper's file, whatever the program behind it:
// the client starts it without arguments of ours (a prefix with arguments works for
// commands, and for no MCP server).
const helperName = "hearth-shell"

// As a shell says it.
const (
	statusNotExecutable = 126
	statusNotFound      = 127
	statusSignal        = 128 // and the signal's number
)

// Called says whether a program was started as the helper. args are os.Args.
func Called(args []string) bool {
	return len(args) > 0 && strings.HasPrefix(filepath.Base(args[0]), helperName)
}

// Main is the helper: it runs a command line of the client's, which is args[1] (args
// are os.Args), and returns its exit status. It returns only for commands of the
// Bash tool whose output may have to be spilled, and for errors; in all other cases
// the process becomes the command.
func Main(args []string) int {
	c := fromEnvironment()
	env := c.childEnvironment(os.Environ())
	switch len(args) {
	case 0, 1:
		return 0 // as an empty command
	case 2:
	default: // no client does that; it can only mean a program and its arguments
		return becomeProgram(args[1:], env)
	}
	line := args[1]
	asked, bash := command(line)
	o, isFile := findOutput()
	shell := "/bin/sh" // which the client runs command hooks with
	if bash || isFile {
		shell = personsShell()
	}
	argv := []string{shell, "-c", c.behind(line)}
	if !bash || !isFile || c.Over == 0 {
		return become(shell, argv, env)
	}
	return c.run(o, asked, argv, env)
}

// personsShell is the shell that the client runs commands of the Bash tool with: it
// says so in SHELL, and takes only bash and zsh.
func personsShell() string {
	shell := os.Getenv("SHELL")
	if name := filepath.Base(shell); filepath.IsAbs(shell) && (strings.Contains(name, "bash") || strings.Contains(name, "zsh")) {
		return shell
	}
	if path, err := exec.LookPath("bash"); err == nil {
		return path
	}
	return "/bin/bash"
}

// becomeProgram is become for a program that PATH may have to find.
func becomeProgram(argv, env []string) int {
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return complain(err)
	}
	return become(path, argv, env)
}

// become replaces this process. It returns only when that can't be.
func become(path string, argv, env []string) int {
	return complain(fmt.Errorf("%s: %w", path, syscall.Exec(path, argv, env)))
}

// complain says what is wrong where the command would have.
func complain(err error) int {
	fmt.Fprintln(os.Stderr, helperName+": "+err.Error())
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return statusNotFound
	}
	return statusNotExecutable
}

// run runs a command of the Bash tool to its end and spills its output if it failed.
func (c Config) run(o output, asked string, argv, env []string) int {
	// The child ends with the thread that started it, see withHelper.
	runtime.LockOSThread()
	outlive()
	child, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
		Env: env, Files: []uintptr{uintptr(syscall.Stdin), uintptr(syscall.Stdout), uintptr(syscall.Stderr)}, Sys: withHelper(),
	})
	if err != nil {
		return complain(fmt.Errorf("%s: %w", argv[0], err))
	}
	var ended syscall.WaitStatus
	for {
		if _, err = syscall.Wait4(child, &ended, 0, nil); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return complain(fmt.Errorf("wait for %s: %w", argv[0], err))
	}
	status := ended.ExitStatus()
	if ended.Signaled() {
		status = statusSignal + int(ended.Signal())
	}
	if status != 0 {
		c.spill(o, asked, status)
	}
	if ended.Signaled() {
		dieOf(ended.Signal(), env)
	}
	return status
}

// outlive keeps the signals that end a command from ending us: they reach the whole
// group, and the command decides what they mean. A limit on the size of files
// becomes an error of the write that meets it. A signal that is ignored stays so, and
// the child gets the rest as they were.
func outlive() {
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGXFSZ} {
		if !signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s)
		}
	}
}

// dieOf ends this process by a signal, if it can: the runtime has taken hold of the
// signals of a Go program, so it becomes a shell that does it.
func dieOf(s syscall.Signal, env []string) {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) // the command has left its own core, if any
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -" + strconv.Itoa(int(s)) + " $$"}, env)
}
