package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/files"
	"hearth/backend/workbench"
)

const (
	// uploadPattern is the one operation whose body is not JSON: the guard leaves
	// it unread.
	uploadPattern = "POST /api/channels/{id}/files"
	// uploadWithin is how long a file may take to arrive: on loopback a second,
	// with a disk that is slow some more.
	uploadWithin = 2 * time.Minute
	// maxRest is how much of a file that is refused is still taken in, so that a
	// program that reads no answer before it has sent all gets to it: four times
	// what a file may have, which covers what people drop by mistake.
	maxRest = 4 * files.MaxSize
	// restWithin is how long that may take: on loopback less than a second, in a
	// browser that is busy some more.
	restWithin = 10 * time.Second
	// imagePolicy is what an image may do when somebody opens it as a page: show
	// itself. An SVG is a document that could do more.
	imagePolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
)

// StoredFile is a file that was stored in a workspace.
type StoredFile struct {
	Path      string `json:"path" doc:"Absolute."`
	Relative  string `json:"relative" doc:"To the channel's workspace."`
	Name      string `json:"name" doc:"As it is called now: safe to write anywhere, and unique."`
	Size      int64  `json:"size" doc:"Bytes."`
	MediaType string `json:"media_type" doc:"What its content says it is."`
}

// registerFiles describes the operations on files by hand: their bodies are
// bytes that stream, which huma would hold in memory.
func (s *server) registerFiles(operations huma.API, mux *http.ServeMux) {
	tags := []string{"files"}
	id := &huma.Param{Name: "id", In: "path", Required: true, Description: "The channel's id.", Schema: &huma.Schema{Type: huma.TypeString}}
	problem := problemResponse(operations)
	raw := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	operations.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "store-file", Method: http.MethodPost, Path: "/api/channels/{id}/files", Summary: "Store a file in a channel's workspace", Tags: tags,
		Description: "The body is the file's bytes, 25 MB at most. It goes to .flower/artifacts/ of the workspace, under a safe and unique form of its name.",
		Parameters: []*huma.Param{id, {
			Name: "name", In: "query", Required: true, Description: "What the file is called. Of a path the last part counts.", Schema: &huma.Schema{Type: huma.TypeString},
		}},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{octets: raw}},
		Responses: map[string]*huma.Response{
			"201": {Description: "Created", Content: map[string]*huma.MediaType{
				"application/json": {Schema: operations.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[StoredFile](), true, "StoredFile")},
			}},
			"default": problem,
		},
	})
	operations.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "show-file", Method: http.MethodGet, Path: "/api/channels/{id}/file", Summary: "Show an image of a channel's workspace", Tags: tags,
		Description: "A regular file inside the workspace, 25 MB at most, whose content is an image: PNG, JPEG, GIF, WebP, AVIF, BMP, ICO or SVG, whatever its name says. No link leads out, and a file with a second name (a hard link) is not shown.",
		Parameters: []*huma.Param{id, {
			Name: "path", In: "query", Required: true, Description: "Relative to the workspace, or absolute in it.", Schema: &huma.Schema{Type: huma.TypeString},
		}},
		Responses: map[string]*huma.Response{
			"200":     {Description: "OK", Content: map[string]*huma.MediaType{"image/*": raw}},
			"default": problem,
		},
	})
	mux.HandleFunc(uploadPattern, s.answering("store-file", s.storeFile))
	mux.HandleFunc("GET /api/channels/{id}/file", s.answering("show-file", s.showFile))
}

// problemResponse is what every operation answers when something went wrong.
func problemResponse(operations huma.API) *huma.Response {
	return &huma.Response{Description: "Problem", Content: map[string]*huma.MediaType{
		problemType: {Schema: operations.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")},
	}}
}

const octets = "application/octet-stream"

// answering makes problems of what a handler returns.
func (s *server) answering(operation string, handle func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			writeProblem(w, s.problem(r.Context(), operation, err))
		}
	}
}

func (s *server) storeFile(w http.ResponseWriter, r *http.Request) error {
	stored, err := s.takeFile(w, r)
	if err != nil {
		s.refuseFile(w, r, err)
		return nil
	}
	text, err := json.Marshal(StoredFile{Path: stored.Path, Relative: stored.Relative, Name: stored.Name, Size: stored.Size, MediaType: stored.MediaType})
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write(text) // a caller that went away has no use for the error
	return nil
}

// refuseFile answers while the file may still be on its way.
//
// Problem: to close a connection on which something arrives takes the answer away
// from the other side, if it has not read it by then. Many programs read only when
// they have sent all, and report a broken pipe.
// Solution: answer at once, for those that look, and then take in the rest, up to
// a bound.
func (s *server) refuseFile(w http.ResponseWriter, r *http.Request, err error) {
	control := http.NewResponseController(w)
	duplex := control.EnableFullDuplex() // in process there is no connection, and nothing on its way
	// What may be left of the body would be taken for the next request.
	w.Header().Set("Connection", "close")
	p := s.problem(r.Context(), "store-file", err)
	if text, err := json.Marshal(p); err == nil {
		// Or the answer's end would be told only after the rest has come.
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	}
	writeProblem(w, p)
	if duplex != nil || control.Flush() != nil || control.SetReadDeadline(time.Now().Add(restWithin)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxRest) // whatever happens to it, it was answered
}

// takeFile checks an upload before it reads any of it.
func (s *server) takeFile(w http.ResponseWriter, r *http.Request) (files.Stored, error) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != octets {
		return files.Stored{}, newProblem(http.StatusUnsupportedMediaType, "The body must be the file's bytes: send them with Content-Type: "+octets+".")
	}
	name, err := given(r, "name")
	if err != nil {
		return files.Stored{}, err
	}
	c, err := s.fileChannel(r.Context(), r)
	if err != nil {
		return files.Stored{}, err
	}
	if err := takesFiles(c); err != nil {
		return files.Stored{}, err
	}
	if r.ContentLength > files.MaxSize {
		return files.Stored{}, files.TooLarge()
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(uploadWithin)) // in process there is nothing to wait for, and no deadline
	defer func() { _ = control.SetReadDeadline(time.Time{}) }()
	// While it arrives, the channel may be deleted, archived or sent elsewhere.
	return files.Store(r.Context(), c.Workspace, name, workbench.GitIgnore(c.Ignore), r.Body, func(ctx context.Context) error {
		now, err := s.fileChannel(ctx, r)
		if err != nil {
			return err
		}
		if now.Workspace != c.Workspace {
			return chat.Errorf(chat.CodeConflict, "#%s has another workspace by now, %q. Send the file again.", now.Name, now.Workspace)
		}
		return takesFiles(now)
	})
}

func takesFiles(c chat.Channel) error {
	if c.Archived() {
		return chat.Errorf(chat.CodeConflict, "#%s is archived. Bring it back first.", c.Name)
	}
	return nil
}

func (s *server) showFile(w http.ResponseWriter, r *http.Request) error {
	path, err := given(r, "path")
	if err != nil {
		return err
	}
	c, err := s.fileChannel(r.Context(), r)
	if err != nil {
		return err
	}
	f, err := files.Open(c.Workspace, path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if f.Image == "" {
		return newProblem(http.StatusUnsupportedMediaType, fmt.Sprintf("%q is no image that can be shown. Open it in a program of its own.", bounded(f.Name)))
	}
	serveFile(w, r, served{f.Name, f.Image, f.Size, f.Modified, f})
	return nil
}

// served is a file of a workspace that is sent as it is.
type served struct {
	name     string
	image    string // its media type; "" is no image
	size     int64
	modified time.Time
	content  io.ReadSeeker
}

// serveFile sends a file. An image may be shown, where nothing in it can run;
// whatever else it is, it is bytes to be saved, and never a page.
func serveFile(w http.ResponseWriter, r *http.Request, f served) {
	kind, shown := f.image, "inline"
	if kind == "" {
		kind, shown = octets, "attachment"
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", imagePolicy)
	h.Set("Content-Disposition", mime.FormatMediaType(shown, map[string]string{"filename": f.name}))
	// A list that scrolls asks for the same image again and again: it is asked
	// about, and sent anew only when it was written anew.
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+strconv.FormatInt(f.modified.UnixNano(), 36)+"-"+strconv.FormatInt(f.size, 36)+`"`)
	http.ServeContent(w, r, "", f.modified, f.content)
}

// given returns the one query parameter that an operation on files takes.
func given(r *http.Request, name string) (string, error) {
	query := r.URL.Query()
	if err := takesOnly(query, name); err != nil {
		return "", err
	}
	if query.Get(name) == "" {
		return "", newProblem(http.StatusUnprocessableEntity, "The parameter "+name+" is missing. Give it in the address.")
	}
	return query.Get(name), nil
}

// takesOnly refuses query parameters that an operation does not have.
func takesOnly(query url.Values, names ...string) error {
	for other := range query {
		if !slices.Contains(names, other) {
			return newProblem(http.StatusUnprocessableEntity, fmt.Sprintf("There is no parameter %q here. Give %s only.", bounded(other), strings.Join(names, ", ")))
		}
	}
	return nil
}

func (s *server) fileChannel(ctx context.Context, r *http.Request) (chat.Channel, error) {
	return s.Store.Channel(ctx, r.PathValue("id"))
}
