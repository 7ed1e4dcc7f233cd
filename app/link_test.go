package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestOpenable(t *testing.T) {
	for link, want := range map[string]string{
		"https://en.wikipedia.org/wiki/Hearth_(disambiguation)": "https://en.wikipedia.org/wiki/Hearth_(disambiguation)",
		"HTTP://example.com:8080/~me/*?a=b;c#d":                 "http://example.com:8080/~me/*?a=b;c#d",
		"http://[::1]:3000/":                                    "http://[::1]:3000/",
		"https://example.com/백엔드":                               "https://example.com/%EB%B0%B1%EC%97%94%EB%93%9C",
		"mailto:someone@example.com?subject=a%20b":              "mailto:someone@example.com?subject=a%20b",
	} {
		if got, err := openable(link); err != nil || got != want {
			t.Errorf("openable(%q) = %q, %v; want %q", link, got, err, want)
		}
	}
	for _, link := range []string{
		"", "example.com", "/etc/passwd", "//example.com", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
		"vbscript:x", "ftp://example.com", "ssh://example.com", "wails://wails/", "about:blank", "blob:https://example.com/x",
		"http:", "https:///x", "mailto:", "-version", "--help", "https://exa mple.com", "https://example.com/\n-x", "\thttps://example.com",
		"https://example.com/\x00", "https://example.com/\xff", "https://example.com/%zz", "https://example.com/" + strings.Repeat("a", longestLink),
	} {
		if got, err := openable(link); !errors.Is(err, errNotOpened) {
			t.Errorf("openable(%.40q) = %q, %v", link, got, err)
		}
	}
}

// The browser is a program of this name, first on the PATH; it is given the link and nothing else.
func TestBrowse(t *testing.T) {
	name := "xdg-open"
	if runtime.GOOS == "darwin" {
		name = "open"
	}
	dir := t.TempDir()
	pipe := filepath.Join(dir, "opened")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho \"$# $1 $OWN\" > '" + pipe + "'\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	environ := []string{"OWN=environment", "DISPLAY=:0", "PATH=" + dir + ":/bin:/usr/bin"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the window may be gone before the browser is there
	if err := browse(ctx, environ, "https://example.com/$(id)"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(pipe)
	if want := "1 https://example.com/$(id) environment\n"; err != nil || string(got) != want {
		t.Errorf("opened with %q (%v), want %q", got, err, want)
	}
	if err := browse(t.Context(), nil, "file:///etc/passwd"); !errors.Is(err, errNotOpened) {
		t.Errorf("a file: %v", err)
	}
	if err := browse(t.Context(), []string{"DISPLAY=:0", "PATH=" + t.TempDir()}, "https://example.com"); err == nil {
		t.Error("opened without a browser")
	}
}

// What openable lets through begins with one of the three schemes and holds nothing that ends a line.
func FuzzOpenable(f *testing.F) {
	for _, link := range []string{"https://example.com/a b", "javascript:alert(1)", "mailto:a@b.c", "HTTPS://[::1]/%00", "http://a\u2028b"} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		got, err := openable(link)
		if err != nil {
			return
		}
		if !strings.HasPrefix(got, "http://") && !strings.HasPrefix(got, "https://") && !strings.HasPrefix(got, "mailto:") {
			t.Errorf("openable(%q) = %q", link, got)
		}
		if strings.ContainsAny(got, " \t\r\n\x00") {
			t.Errorf("openable(%q) = %q, which is no single word", link, got)
		}
	})
}
