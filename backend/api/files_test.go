package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"hearth/backend/chat"
	"hearth/backend/files"
)

const (
	picture  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	scripted = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
)

// upload sends bytes as a file.
func (h *house) upload(query, body string) answer {
	return h.call("POST", "/api/channels/c1/files"+query, body, "Content-Type", octets)
}

func (h *house) image(path string, headers ...string) answer {
	return h.call("GET", "/api/channels/c1/file?path="+url.QueryEscape(path), "", headers...)
}

// An upload that makes the workbench tells git what the channel says.
func TestUploadMindsWhatGitIgnores(t *testing.T) {
	for choice, want := range map[chat.Ignore]string{chat.IgnoreAll: "*\n", chat.IgnoreOutput: "!/scripts/\n", chat.IgnoreNothing: ""} {
		h := newHouse(t)
		h.furnish(t)
		h.alter(func(c *chat.Channel) { c.Ignore = choice })
		if a := h.upload("?name=x.txt", "x"); a.status != 201 {
			t.Fatalf("%d %s", a.status, a.body)
		}
		text, err := os.ReadFile(filepath.Join(h.workspace, ".flower/.gitignore"))
		if want == "" && !os.IsNotExist(err) || want != "" && (err != nil || !strings.Contains(string(text), want)) {
			t.Errorf("%s: %q %v", choice, text, err)
		}
	}
}

func TestFiles(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	a := h.upload("?name="+url.QueryEscape("../화면 캡처.png"), picture)
	var stored StoredFile
	if err := json.Unmarshal([]byte(a.body), &stored); err != nil || a.status != 201 || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v %s", a.status, err, a.body)
	}
	if want := (StoredFile{
		Path: filepath.Join(h.workspace, ".flower/artifacts/화면-캡처.png"), Relative: ".flower/artifacts/화면-캡처.png", Name: "화면-캡처.png",
		Size: int64(len(picture)), MediaType: "image/png",
	}); stored != want {
		t.Errorf("%+v, want %+v", stored, want)
	}
	for _, path := range []string{stored.Path, stored.Relative} {
		a := h.image(path)
		if a.status != 200 || a.body != picture {
			t.Errorf("%s: %d %q", path, a.status, a.body)
		}
		for name, want := range map[string]string{
			"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
			"Cache-Control": "private, no-cache", "Cross-Origin-Resource-Policy": "same-origin", "Content-Disposition": "inline; filename*=utf-8''%ED%99%94%EB%A9%B4-%EC%BA%A1%EC%B2%98.png",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if again := h.image(path, "If-None-Match", a.header.Get("ETag")); again.status != 304 || again.body != "" {
			t.Errorf("asked again: %d", again.status)
		}
	}
	// More than a request's JSON may have, and bytes that are no text.
	large := strings.Repeat("\xff\x00", maxBody)
	if a := h.upload("?name=large", large); a.status != 201 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// What is served is an image by its content, under a policy in which it can do nothing.
func TestFilesThatLie(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(h.workspace, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("page.png", "<!doctype html><script>alert(1)</script>")
	write("page.svg", "<html><svg xmlns=\"http://www.w3.org/2000/svg\"/></html>")
	write("drawing.txt", scripted)
	write("notes.md", "# notes")
	for _, name := range []string{"page.png", "page.svg", "notes.md"} {
		a := h.image(name)
		if p := a.problem(t); a.status != 415 || !strings.Contains(p.Detail, "no image that can be shown") {
			t.Errorf("%s: %d %s", name, a.status, p.Detail)
		}
	}
	a := h.image("drawing.txt")
	if a.status != 200 || a.header.Get("Content-Type") != "image/svg+xml" || a.header.Get("Content-Security-Policy") != imagePolicy || a.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %v", a.status, a.header)
	}
}

func TestFilesRefused(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	put := func(query string, headers ...string) answer {
		return h.call("POST", "/api/channels/c1/files"+query, "x", headers...)
	}
	for name, c := range map[string]struct {
		answer answer
		want   int
		says   string
	}{
		"no name":              {h.upload("", "x"), 422, "name is missing"},
		"an empty name":        {h.upload("?name=", "x"), 422, "name is missing"},
		"another parameter":    {h.upload("?name=x&path=y", "x"), 422, `no parameter "path"`},
		"JSON":                 {put("?name=x", "Content-Type", "application/json"), 415, octets},
		"a form":               {put("?name=x", "Content-Type", "multipart/form-data; boundary=x"), 415, octets},
		"no type":              {put("?name=x", "X-Nothing", ""), 415, octets},
		"no such channel":      {h.call("POST", "/api/channels/none/files?name=x", "x", "Content-Type", octets), 404, "none"},
		"PUT":                  {h.call("PUT", "/api/channels/c1/files?name=x", "", "Content-Type", octets), 405, "Use one of: POST"},
		"no path":              {h.image(""), 422, "path is missing"},
		"no such file":         {h.image("none.png"), 404, "There is no file"},
		"out of it":            {h.image("../x.png"), 403, "outside of the channel's workspace"},
		"a file of the system": {h.image("/etc/passwd"), 403, "outside of the channel's workspace"},
		"a folder":             {h.image("."), 422, "is a folder"},
		"another channel's":    {h.call("GET", "/api/channels/none/file?path=x", ""), 404, "none"},
	} {
		if p := c.answer.problem(t); c.answer.status != c.want || !strings.Contains(p.Detail, c.says) {
			t.Errorf("%s: %d %q, want %d %q", name, c.answer.status, p.Detail, c.want, c.says)
		}
	}
	if _, err := os.Stat(filepath.Join(h.workspace, ".flower")); err == nil {
		t.Error("a request that was refused made a folder")
	}

	h.alter(func(c *chat.Channel) { c.Workspace = filepath.Join(h.workspace, "gone") })
	for name, a := range map[string]answer{"store": h.upload("?name=x", "x"), "show": h.image("x")} {
		if p := a.problem(t); a.status != 409 || !strings.Contains(p.Detail, "is not there any more. Bring the folder back") {
			t.Errorf("%s in a workspace that is gone: %d %s", name, a.status, p.Detail)
		}
	}
	h.alter(func(c *chat.Channel) { c.Workspace, c.ArchivedAt = h.workspace, epoch })
	if a := h.upload("?name=x", "x"); a.status != 409 || !strings.Contains(a.problem(t).Detail, "archived") {
		t.Errorf("into an archived channel: %d %s", a.status, a.body)
	}
}

// Too large by what it says is refused before it is read; what says nothing, or
// lies, when it has become too large; and what breaks off leaves nothing.
func TestFilesLimits(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	send := func(length int64, body io.Reader) answer {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/channels/c1/files?name=x", body)
		r.Header.Set("Content-Type", octets)
		r.ContentLength = length
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		return answer{w.Code, w.Result().Header, w.Body.String()}
	}
	unread := iotest.ErrReader(errors.New("it was read"))
	for name, a := range map[string]answer{
		"says so":      send(files.MaxSize+1, unread),
		"says nothing": send(-1, io.LimitReader(endless{}, files.MaxSize+1)),
		"lies":         send(10, endless{}),
	} {
		if p := a.problem(t); a.status != 413 || p.Code != string(chat.CodeTooLarge) || a.header.Get("Connection") != "close" {
			t.Errorf("%s: %d %v", name, a.status, p)
		}
	}
	a := send(-1, io.MultiReader(strings.NewReader("half of it"), unread))
	if p := a.problem(t); a.status != 422 || !strings.Contains(p.Detail, "did not arrive whole (it was read)") {
		t.Errorf("%d %v", a.status, p)
	}
	left, err := os.ReadDir(filepath.Join(h.workspace, ".flower/artifacts"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// What becomes of the channel while a file arrives is what counts.
func TestFilesOfAChannelThatChanges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *house)
		status int
		says   string
	}{
		"deleted":  {func(h *house) { delete(h.channels, "c1") }, 404, "no channel"},
		"archived": {func(h *house) { h.alter(func(c *chat.Channel) { c.ArchivedAt = epoch }) }, 409, "archived"},
		"moved":    {func(h *house) { h.alter(func(c *chat.Channel) { c.Workspace = "/elsewhere" }) }, 409, "another workspace"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.furnish(t)
			body := io.MultiReader(strings.NewReader("half of it, "), reader(func([]byte) (int, error) {
				c.change(h)
				return 0, io.EOF
			}))
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/channels/c1/files?name=x", body)
			r.Header.Set("Content-Type", octets)
			w := httptest.NewRecorder()
			h.handler.ServeHTTP(w, r)
			a := answer{w.Code, w.Result().Header, w.Body.String()}
			if p := a.problem(t); a.status != c.status || !strings.Contains(p.Detail, c.says) {
				t.Errorf("%d %s, want %d %s", a.status, p.Detail, c.status, c.says)
			}
			left, err := os.ReadDir(filepath.Join(h.workspace, ".flower/artifacts"))
			if err != nil || len(left) != 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// alter changes the channel.
func (h *house) alter(to func(*chat.Channel)) {
	c := h.channels["c1"]
	to(&c)
	h.channels["c1"] = c
}

type reader func([]byte) (int, error)

func (r reader) Read(b []byte) (int, error) { return r(b) }

// Many programs read no answer before all is sent: what is refused is taken in, up
// to a bound, so that they get to it. Whoever reads sooner has it at once.
func TestFilesRefusedWhileTheyArrive(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	server := httptest.NewServer(h.handler)
	defer server.Close()
	address := server.Listener.Addr().String()
	for name, c := range map[string]struct {
		path, header string
		body         func(io.Writer) io.Writer
		send         int64
		want         string
	}{
		"too large":       {"/c1/files?name=x", fmt.Sprint("Content-Length: ", maxRest), unchanged, maxRest, "413"},
		"it turns out":    {"/c1/files?name=x", "Transfer-Encoding: chunked", chunked, 2 * files.MaxSize, "413"},
		"no such channel": {"/none/files?name=x", fmt.Sprint("Content-Length: ", files.MaxSize), unchanged, files.MaxSize, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := fmt.Fprintf(conn, "POST /api/channels%s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\n%s\r\n\r\n", c.path, address, octets, c.header); err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(c.body(conn), endless{}, c.send); err != nil {
				t.Fatalf("sent without reading: %v", err)
			}
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || !strings.HasPrefix(answer.Status, c.want) || !answer.Close {
				t.Fatalf("%v %v", answer, err)
			}
			if text, err := io.ReadAll(answer.Body); err != nil || len(text) == 0 {
				t.Errorf("%q %v", text, err)
			}
		})
	}
	// The answer does not wait for what is never sent.
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "POST /api/channels/c1/files?name=x HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n", address, octets, files.MaxSize+1); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Fatalf("%v %v", answer, err)
	}
	if text, err := io.ReadAll(answer.Body); err != nil || !strings.Contains(string(text), "more than 25 MB") {
		t.Errorf("%s %v", text, err)
	}
	// All of it was there before the rest was: that is still taken in.
	if _, err := io.CopyN(conn, endless{}, files.MaxSize+1); err != nil {
		t.Errorf("the rest: %v", err)
	}
}

func unchanged(w io.Writer) io.Writer { return w }

func chunked(w io.Writer) io.Writer { return httputil.NewChunkedWriter(w) }

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
