package pty

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Variable is the value of a variable in an environment, "" when it is not there: the
// last one counts, as it does for a child process.
func Variable(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// InPath lists where on an environment's PATH a program could be. Relative folders are
// passed by: what they are depends on where one stands, and may be an agent's.
func InPath(name string, environ []string) []string {
	var places []string
	for _, dir := range filepath.SplitList(Variable(environ, "PATH")) {
		if filepath.IsAbs(dir) {
			places = append(places, filepath.Join(dir, name))
		}
	}
	return places
}

// LookPath finds a program by its absolute path, or by its name on an environment's
// PATH. A relative path is not looked up. The error is an *exec.Error, as
// exec.LookPath's.
func LookPath(name string, environ []string) (string, error) {
	if filepath.IsAbs(name) {
		return exec.LookPath(name)
	}
	if !strings.ContainsRune(name, filepath.Separator) {
		for _, candidate := range InPath(name, environ) {
			if path, err := exec.LookPath(candidate); err == nil {
				return path, nil
			}
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
