// Package frontend carries Hearth's page inside the binary.
//
// It owns two folders of files and one decision. dist is what a build of the UI leaves; fallback is a plain page that says
// that Hearth runs, that this binary has no UI in it, and how to use Hearth without one. [Assets] is dist when the UI has
// been built and fallback when it has not, so a Go build needs no Node, and the server that hands the files out need not
// know which of the two it has.
//
// Promises: there is always an index.html; no file needs an inline script or an inline style, so they can be served under
// a content security policy that allows neither.
package frontend

import (
	"embed"
	"io/fs"
)

// A marker file keeps dist in the repository; "all:" embeds the files that a bundler may name with a leading underscore.
//
//go:embed all:dist
var dist embed.FS

//go:embed fallback
var fallback embed.FS

// Assets returns the files to serve, index.html at the top: the built UI, or the fallback page where there is none.
func Assets() fs.FS {
	if Built() {
		return sub(dist, "dist")
	}
	return sub(fallback, "fallback")
}

// Built reports whether the UI was built into this binary.
func Built() bool { return built(sub(dist, "dist")) }

// built looks for the page itself: the marker alone is no UI.
func built(files fs.FS) bool {
	info, err := fs.Stat(files, "index.html")
	return err == nil && info.Mode().IsRegular()
}

// sub returns the folder dir of an embedded file system. Its only error is a malformed name, and the names are written above.
func sub(files embed.FS, dir string) fs.FS {
	s, err := fs.Sub(files, dir)
	if err != nil {
		panic(err)
	}
	return s
}
