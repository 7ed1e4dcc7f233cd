package shell

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var script = []byte("#!/bin/sh\necho ran\n")

func installed(t *testing.T, folder string) string {
	t.Helper()
	helper, err := install(folder, "", script)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(helper).CombinedOutput(); err != nil || string(out) != "ran\n" {
		t.Errorf("%q, %v", out, err)
	}
	if info, err := os.Lstat(helper); err != nil || info.Mode() != 0o700 || !Called([]string{helper}) {
		t.Errorf("%v, %v", info, err)
	}
	return helper
}

func TestInstall(t *testing.T) {
	folder := t.TempDir()
	helper := installed(t, folder)
	before, err := os.Stat(helper)
	if err != nil {
		t.Fatal(err)
	}
	if again := installed(t, folder); again != helper {
		t.Errorf("%s, then %s", helper, again)
	}
	if after, err := os.Stat(helper); err != nil || !os.SameFile(before, after) {
		t.Error("written anew for no reason")
	}
	for name, spoil := range map[string]func() error{
		"changed":  func() error { return os.WriteFile(helper, []byte("#!/bin/sh\necho bad\n"), 0o700) },
		"writable": func() error { return os.Chmod(helper, 0o722) },
		"a link":   func() error { return errors.Join(os.Remove(helper), os.Symlink("/bin/false", helper)) },
		"gone":     func() error { return os.Remove(helper) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(name, err)
		}
		installed(t, folder)
	}
	if entries, err := os.ReadDir(filepath.Join(folder, "bin")); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestInstallWithoutAHelperOfItsOwn(t *testing.T) {
	folder := t.TempDir()
	for _, self := range []string{"/bin/true", "/bin/false"} { // as after an update
		helper, err := install(folder, self, nil)
		if err != nil {
			t.Fatal(err)
		}
		if to, err := os.Readlink(helper); err != nil || to != self || !Called([]string{helper}) {
			t.Errorf("%s, %v", to, err)
		}
	}
	if _, err := install(folder, "hearth", nil); err == nil {
		t.Error("a relative path of this program")
	}
	if _, err := install(folder, "/nonexistent/hearth", nil); err == nil || errors.Is(err, ErrNotExecutable) {
		t.Errorf("this program is gone: %v", err)
	}
	if _, err := install(folder, "/etc/passwd", nil); !errors.Is(err, ErrNotExecutable) {
		t.Errorf("what is no program: %v", err)
	}
}

func TestInstallRefuses(t *testing.T) {
	mkdir := func(t *testing.T, mode os.FileMode, path ...string) string {
		t.Helper()
		folder := filepath.Join(path...)
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chmod(folder, mode)); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	for name, test := range map[string]struct {
		folder func(t *testing.T) string
		why    string
	}{
		"a path with arguments": {func(t *testing.T) string { return mkdir(t, 0o755, t.TempDir(), "my -data") }, "hyphen"},
		"a folder of everybody": {func(t *testing.T) string { return mkdir(t, 0o777, t.TempDir(), "data") }, "everybody can write"},
		"one in such a folder": {func(t *testing.T) string {
			return mkdir(t, 0o755, mkdir(t, 0o777, t.TempDir(), "all"), "data")
		}, "everybody can write"},
		"a bin that others write to": {func(t *testing.T) string { return filepath.Dir(mkdir(t, 0o775, t.TempDir(), "bin")) }, "others can write"},
		"a bin that is a link": {func(t *testing.T) string {
			folder := t.TempDir()
			if err := os.Symlink(t.TempDir(), filepath.Join(folder, "bin")); err != nil {
				t.Fatal(err)
			}
			return folder
		}, "no folder"},
		"none": {func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := test.folder(t)
			if helper, err := install(folder, "", script); err == nil || !strings.Contains(err.Error(), test.why) {
				t.Errorf("%s, %v", helper, err)
			}
		})
	}
	// The way to the folder may lead over links; where they end counts.
	folder, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	if helper := installed(t, link); !strings.HasPrefix(helper, folder) {
		t.Errorf("%s", helper)
	}
}

// With a helper in the build and without one, what is installed runs commands. The
// tests' own program stands in for Hearth.
func TestInstallOfThisBuild(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	helper, err := Install(t.TempDir(), self)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(helper); err != nil || info.Mode().IsRegular() != (embedded() != nil) {
		t.Errorf("%v, %v; in the build are %d bytes", info, err, len(embedded()))
	}
	if out, err := exec.Command(helper, "echo $((1 + 2))").CombinedOutput(); err != nil || string(out) != "3\n" {
		t.Errorf("%q, %v", out, err)
	}
}

func TestTheHelperBuilds(t *testing.T) {
	helper := filepath.Join(t.TempDir(), "helper")
	if out, err := exec.Command("go", "build", "-o", helper, "./helper").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(helper, "echo $((1 + 2))").CombinedOutput(); err != nil || string(out) != "3\n" {
		t.Errorf("%q, %v", out, err)
	}
}
