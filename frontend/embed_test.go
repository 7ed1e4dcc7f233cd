package frontend

import (
	"bytes"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestBuilt(t *testing.T) {
	page := &fstest.MapFile{Data: []byte("<!doctype html>")}
	tests := []struct {
		name  string
		files fstest.MapFS
		want  bool
	}{
		{"nothing", fstest.MapFS{}, false},
		{"the marker alone", fstest.MapFS{"embed.txt": page}, false},
		{"a page", fstest.MapFS{"embed.txt": page, "index.html": page}, true},
		{"a folder of that name", fstest.MapFS{"index.html/x": page}, false},
		{"a page further down", fstest.MapFS{"assets/index.html": page}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := built(tt.files); got != tt.want {
				t.Errorf("built = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAssetsAlwaysHaveAPage(t *testing.T) {
	page, err := fs.ReadFile(Assets(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(bytes.ToLower(page), []byte("<!doctype html>")) {
		t.Errorf("index.html is no HTML page:\n%s", page)
	}
}

// A build of the UI empties dist: without its twin in public the marker would be gone, and with it the folder from git.
func TestMarkerSurvivesABuild(t *testing.T) {
	kept, err := os.ReadFile("public/embed.txt")
	if err != nil {
		t.Fatal(err)
	}
	marker, err := fs.ReadFile(sub(dist, "dist"), "embed.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, marker) {
		t.Errorf("dist/embed.txt and public/embed.txt differ:\n%s\n%s", marker, kept)
	}
}

var (
	inlineScript = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|\son[a-z]+\s*=|javascript:`)
	inlineStyle  = regexp.MustCompile(`(?i)<style|\sstyle\s*=`)
	reference    = regexp.MustCompile(`(?i)<(?:link|img|script)[^>]*?\s(?:href|src)="([^"]*)"`)
)

// The rules are tried on pages that break them: a pattern that matches nothing would pass every page.
func TestPagePatterns(t *testing.T) {
	for _, bad := range []string{
		`<script>alert(1)</script>`, `<script type="module">x()</script>`, `<a onclick="x()">`, `<a href="javascript:x()">`,
	} {
		if !inlineScript.MatchString(bad) {
			t.Errorf("not seen as an inline script: %s", bad)
		}
	}
	for _, bad := range []string{`<style>a{}</style>`, `<p style="color:red">`} {
		if !inlineStyle.MatchString(bad) {
			t.Errorf("not seen as an inline style: %s", bad)
		}
	}
	if m := reference.FindStringSubmatch(`<link rel="stylesheet" href="/a.css">`); m == nil || m[1] != "/a.css" {
		t.Errorf("reference not found: %q", m)
	}
}

func TestFallbackPage(t *testing.T) {
	files := sub(fallback, "fallback")
	data, err := fs.ReadFile(files, "index.html")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if s := inlineScript.FindString(page); s != "" {
		t.Errorf("inline script: %q", s)
	}
	if s := inlineStyle.FindString(page); s != "" {
		t.Errorf("inline style: %q", s)
	}
	refs := reference.FindAllStringSubmatch(page, -1)
	if len(refs) == 0 {
		t.Fatal("the page refers to no file: the pattern no longer finds its style sheet")
	}
	for _, ref := range refs {
		if _, err := fs.Stat(files, strings.TrimPrefix(ref[1], "/")); err != nil {
			t.Errorf("the page asks for %s: %v", ref[1], err)
		}
	}
	for _, want := range []string{"hearth channels", "hearth post", "/api/openapi.json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not mention %s", want)
		}
	}
}
