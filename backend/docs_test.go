package backend_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hearth/backend/delivery"
)

var markdownLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// deadLinks returns the links in Markdown files that lead to no file, each with the file it stands in. Links to other
// sites and to places within a page are not looked at.
func deadLinks(files fs.FS) ([]string, error) {
	var dead []string
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".md" {
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(text), -1) {
			link, err := url.Parse(m[1])
			if err != nil {
				dead = append(dead, fmt.Sprintf("%s: %s: %v", name, m[1], err))
				continue
			}
			if link.Scheme != "" || link.Path == "" {
				continue
			}
			if _, err := fs.Stat(files, path.Join(path.Dir(name), link.Path)); err != nil {
				dead = append(dead, fmt.Sprintf("%s: %s leads nowhere", name, m[1]))
			}
		}
		return nil
	})
	return dead, err
}

func TestDocsLinksLeadSomewhere(t *testing.T) {
	dead, err := deadLinks(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dead {
		t.Error(d)
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	files := fstest.MapFS{
		"README.md":      {Data: []byte("[a](docs/a.md) [b](docs/b.md#part) [c](https://example.org/x.md) [d](#here) [e](docs)")},
		"docs/a.md":      {Data: []byte("[up](../README.md) [gone](gone.md)")},
		"testdata/x.md":  {Data: []byte("[gone](gone.md)")},
		"docs/notes.txt": {Data: []byte("[gone](gone.md)")},
	}
	dead, err := deadLinks(files)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"README.md: docs/b.md#part leads nowhere", "docs/a.md: gone.md leads nowhere"}
	if !slices.Equal(dead, want) {
		t.Errorf("dead links %q, want %q", dead, want)
	}
}

// A decision that the index does not name is one that nobody finds.
func TestEveryDecisionIsInTheIndex(t *testing.T) {
	index, err := os.ReadFile("../docs/decisions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := fs.Glob(os.DirFS("../docs/decisions"), "0*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) == 0 {
		t.Fatal("no decision found: the test looks in the wrong place")
	}
	for _, page := range pages {
		if !strings.Contains(string(index), "("+page+")") {
			t.Errorf("docs/decisions/README.md does not list %s", page)
		}
	}
}

// The guide shows a case to render. It has to be one, and to say what the text around it says.
func TestRenderExampleInTheGuide(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/what-is-sent.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```json\n")
	example, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the page has no example in JSON")
	}
	render := func(example string) string {
		t.Helper()
		var out strings.Builder
		if err := delivery.RunCase(strings.NewReader(example), &out); err != nil {
			t.Fatalf("the example does not render: %v", err)
		}
		return out.String()
	}
	known := render(example)
	if strings.Contains(known, "we moved the tests") || !strings.Contains(known, "only the slow ones") {
		t.Errorf("the session is to be shown what it has not seen, and only that; got %s", known)
	}
	other := render(strings.Replace(example, `"native": "session-a",`, `"native": "session-b",`, 1))
	if !strings.Contains(other, "we moved the tests") {
		t.Errorf("another session is to be shown all of it; got %s", other)
	}
}
