package api

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// page serves the UI: its files by their names, and the page itself for every
// other path, since the app has routes of its own. Under /assets/ a name that is
// not there is not found: a script must never be answered with a page.
func page(ui fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			writeProblem(w, newProblem(http.StatusMethodNotAllowed, "Pages are only read, with GET. The API is under /api/."))
			return
		}
		if ui == nil {
			writeProblem(w, newProblem(http.StatusNotFound, "This Hearth serves no page. Use the API under /api/ or the command line."))
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		switch {
		case name != "index.html" && isFile(ui, name):
			if strings.HasPrefix(name, "assets/") {
				// The build puts a hash of their contents into these names.
				w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			}
		case strings.HasPrefix(name, "assets/"):
			writeProblem(w, newProblem(http.StatusNotFound, "There is no such file. Reload the page: it may be of an older Hearth."))
			return
		default:
			name = "index.html"
			w.Header().Set("Cache-Control", "no-cache")
		}
		http.ServeFileFS(w, fileRequest(r, name), ui, name)
	})
}

func isFile(files fs.FS, name string) bool {
	if name == "" || !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// fileRequest is the request with the file's own path. ServeFileFS sends anyone
// who asks for /index.html on to the folder, which would be a loop for us.
func fileRequest(r *http.Request, name string) *http.Request {
	if name == "index.html" {
		name = ""
	}
	asked := r.Clone(r.Context())
	asked.URL.Path, asked.URL.RawPath = "/"+name, ""
	return asked
}
