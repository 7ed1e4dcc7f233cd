package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// aCommand is one that a page shows: at the beginning of a line, behind a
	// pipe, or between backticks.
	aCommand = regexp.MustCompile("(?m)(?:^|\\| |`)(?:bin/)?hearth ([^`|<\n]*)")
	aWord    = regexp.MustCompile(`"[^"]*"|\S+`)
)

// Every command that the pages for people show is one that the program takes.
func TestCommandsInThePages(t *testing.T) {
	root := filepath.Join(packageDir, "..", "..")
	pages := []string{filepath.Join(root, "README.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range aCommand.FindAllStringSubmatch(string(text), -1) {
			line, _, _ := strings.Cut(found[1], "  #")
			line = strings.TrimSuffix(line, " --help") // which every command takes
			if strings.HasPrefix(line, "COMMAND") {
				continue
			}
			seen++
			if err := takesLine(newApp(nil, nil, nil), aWord.FindAllString(line, -1)); err != nil {
				t.Errorf("%s: hearth %s: %v", filepath.Base(page), line, err)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d commands were found: the test looks wrongly", seen)
	}
	for _, wrong := range []string{"nonsense", "run general --nonsense", "run a b c", "post general"} {
		if takesLine(newApp(nil, nil, nil), strings.Fields(wrong)) == nil {
			t.Errorf("hearth %s passed", wrong)
		}
	}
}

// takesLine says what is wrong with a command line. A command that is only named
// needs no arguments.
func takesLine(a *app, words []string) error {
	cmd, rest, err := a.root().Find(words)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	args := cmd.Flags().Args()
	if len(args) == 0 && cmd.HasParent() {
		return nil
	}
	return cmd.ValidateArgs(args)
}
