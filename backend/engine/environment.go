package engine

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// loginShellWithin bounds how long a person's shell start-up files may take.
const loginShellWithin = 10 * time.Second

// personsEnvironment returns the environment agents start with: the person's
// own, as in their terminal. A Hearth started from a shell has it already (every
// shell sets SHLVL); one started from a desktop menu asks the login shell once.
func personsEnvironment(own []string) func(context.Context) []string {
	var once sync.Once
	var environment []string
	return func(ctx context.Context) []string {
		once.Do(func() {
			environment = own
			if !has(own, "SHLVL") {
				// Whoever asks first may go; the others would be left without an answer.
				if asked, err := askLoginShell(context.WithoutCancel(ctx), own); err == nil {
					environment = asked
				}
			}
		})
		return environment
	}
}

// askLoginShell runs the login shell and reads its environment. What start-up
// files print comes before the marker and is passed over.
func askLoginShell(ctx context.Context, own []string) ([]string, error) {
	const marker = "\x00hearth-environment\x00"
	shell := value(own, "SHELL")
	if shell == "" {
		shell = "/bin/sh"
	}
	ctx, cancel := context.WithTimeout(ctx, loginShellWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, shell, "-l", "-c", `printf '\0hearth-environment\0'; exec env -0`)
	cmd.Env = own
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	_, after, found := bytes.Cut(out, []byte(marker))
	if !found {
		return nil, os.ErrInvalid
	}
	var environment []string
	for entry := range strings.SplitSeq(string(after), "\x00") {
		if strings.Contains(entry, "=") {
			environment = append(environment, entry)
		}
	}
	return environment, nil
}

func value(environment []string, name string) string {
	found := ""
	for _, entry := range environment {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			found = v // the last one counts, as it does for a child process
		}
	}
	return found
}

func has(environment []string, name string) bool {
	for _, entry := range environment {
		if strings.HasPrefix(entry, name+"=") {
			return true
		}
	}
	return false
}
