package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/files"
	"hearth/backend/plain"
	"hearth/backend/workbench"
)

const (
	// maxCounted is how large a file may be, in bytes, for its characters and lines to
	// be counted with each piece: milliseconds of reading.
	maxCounted = 4 << 20
	// sniffedForText is how much of a file is looked at for a zero byte.
	sniffedForText = 8 << 10
	// findWithin is how long a search may take. What was found by then is the answer.
	findWithin = 10 * time.Second
)

type workbenchInput struct {
	ID     string `path:"id" doc:"The channel's id."`
	Bench  string `query:"bench" doc:"Only the workbench with this path."`
	Kind   string `query:"kind" enum:"scripts,notes,artifacts,spill" doc:"Only entries of this kind."`
	Offset int    `query:"offset" minimum:"0" doc:"How many of the newest entries of each kind are left out: those that you have."`
	Limit  int    `query:"limit" default:"200" minimum:"1" maximum:"1000" doc:"How many entries of each kind."`
}

type workbenchOutput struct {
	Body struct {
		Workbenches []Workbench `json:"workbenches" doc:"The workspace's first. There is another one when agents' workers have git worktrees of their own."`
	}
}

type workbenchFileInput struct {
	ID        string `path:"id" doc:"The channel's id."`
	Bench     string `query:"bench" doc:"The workbench's path; left out: the first that has such a file."`
	Path      string `query:"path" doc:"Relative to the workbench, or absolute in it; INDEX.md too."`
	PathBytes string `query:"path_bytes" doc:"In place of path, for one whose bytes are no UTF-8: in base64url."`
	Offset    int64  `query:"offset" minimum:"0" doc:"Where the piece begins, in bytes."`
	Limit     int    `query:"limit" default:"65536" minimum:"4" maximum:"1048576" doc:"How many bytes at most."`
}

type workbenchFileOutput struct{ Body WorkbenchPiece }

type workbenchFindInput struct {
	ID    string `path:"id" doc:"The channel's id."`
	Query string `query:"q" doc:"What to look for, at most 1,000 characters. Upper and lower case are one."`
	Limit int    `query:"limit" default:"100" minimum:"1" maximum:"1000" doc:"How many places."`
}

type workbenchFindOutput struct {
	Body struct {
		Matches []WorkbenchMatch `json:"matches" doc:"Of each workbench names first, then contents: scripts, notes, artifacts, spill, the newest file of each first; at most 20 places in one file."`
		More    bool             `json:"more" doc:"There may be others: a limit was reached, or the ten seconds or the 512 MiB that one search may take were over."`
	}
}

func (s *server) registerWorkbench(operations huma.API, mux *http.ServeMux) {
	tags := []string{"workbench"}
	register(s, operations, huma.Operation{
		OperationID: "get-workbench", Method: http.MethodGet, Path: "/api/channels/{id}/workbench", Summary: "See what is in a channel's workbenches", Tags: tags,
		Description: "Entries are told newest first and a page at a time, because there can be very many, most of all in spill. Figures are of all of them.",
	}, s.getWorkbench)
	register(s, operations, huma.Operation{
		OperationID: "read-workbench-file", Method: http.MethodGet, Path: "/api/channels/{id}/workbench/file", Summary: "Read a piece of a file of a workbench, as text", Tags: tags,
		Description: "A regular file with one name inside the workbench, of any size. No link leads out.",
	}, s.readWorkbenchFile)
	register(s, operations, huma.Operation{
		OperationID: "find-in-workbench", Method: http.MethodGet, Path: "/api/channels/{id}/workbench/find", Summary: "Search in a channel's workbenches", Tags: tags,
	}, s.findInWorkbench)
	s.registerWorkbenchBytes(operations, mux)
	s.registerWorkbenchTrash(operations)
	s.registerWorkbenchDesk(operations)
}

// registerWorkbenchBytes describes by hand what streams.
func (s *server) registerWorkbenchBytes(operations huma.API, mux *http.ServeMux) {
	text := &huma.Schema{Type: huma.TypeString}
	raw := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	operations.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "get-workbench-bytes", Method: http.MethodGet, Path: "/api/channels/{id}/workbench/bytes", Summary: "Get a file of a workbench, byte by byte", Tags: []string{"workbench"},
		Description: "An image (PNG, JPEG, GIF, WebP, AVIF, BMP, ICO or SVG, by its content) can be shown, and nothing in it can run; anything else comes as an attachment. A Range is answered.",
		Parameters: []*huma.Param{
			{Name: "id", In: "path", Required: true, Description: "The channel's id.", Schema: text},
			{Name: "bench", In: "query", Description: "The workbench's path; left out: the first that has such a file.", Schema: text},
			{Name: "path", In: "query", Description: "Relative to the workbench, or absolute in it; INDEX.md too.", Schema: text},
			{Name: "path_bytes", In: "query", Description: "In place of path, for one whose bytes are no UTF-8: in base64url.", Schema: text},
		},
		Responses: map[string]*huma.Response{
			"200":     {Description: "OK", Content: map[string]*huma.MediaType{"image/*": raw, octets: raw}},
			"default": problemResponse(operations),
		},
	})
	mux.HandleFunc("GET /api/channels/{id}/workbench/bytes", s.answering("get-workbench-bytes", s.workbenchBytes))
}

func (s *server) getWorkbench(ctx context.Context, in *workbenchInput) (*workbenchOutput, error) {
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, err := s.Workbenches.Workbenches(ctx, c)
	if err != nil {
		return nil, err
	}
	out := &workbenchOutput{}
	out.Body.Workbenches = []Workbench{}
	for _, b := range all {
		if in.Bench == "" || in.Bench == b.Path {
			out.Body.Workbenches = append(out.Body.Workbenches, toWorkbench(c, b, asked{workbench.Kind(in.Kind), in.Offset, in.Limit}))
		}
	}
	if len(out.Body.Workbenches) == 0 {
		return nil, chat.Errorf(chat.CodeNotFound, "#%s has no workbench %q. Leave bench out to see those it has.", c.Name, bounded(in.Bench))
	}
	return out, nil
}

func (s *server) readWorkbenchFile(ctx context.Context, in *workbenchFileInput) (*workbenchFileOutput, error) {
	f, err := s.openEntry(ctx, in.ID, in.Bench, in.Path, in.PathBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	piece, err := toPiece(f, in.Offset, in.Limit)
	return &workbenchFileOutput{piece}, err
}

// pathOf is the path that a request names, as it is or by its bytes.
func pathOf(path, encoded string) (string, error) {
	switch {
	case path == "" && encoded == "":
		return "", chat.Errorf(chat.CodeInvalid, "Say which file: give its path.")
	case path != "" && encoded != "":
		return "", chat.Errorf(chat.CodeInvalid, "Give path or path_bytes, not both.")
	case encoded != "":
		bytes, err := base64.RawURLEncoding.DecodeString(encoded)
		if err != nil {
			return "", chat.Errorf(chat.CodeInvalid, "path_bytes is no base64url. Give it as an entry has it.")
		}
		path = string(bytes)
	}
	return path, nil
}

// openEntry opens an entry of a channel's workbench.
func (s *server) openEntry(ctx context.Context, channelID, bench, path, encoded string) (OpenedEntry, error) {
	path, err := pathOf(path, encoded)
	if err != nil {
		return OpenedEntry{}, err
	}
	c, err := s.Store.Channel(ctx, channelID)
	if err != nil {
		return OpenedEntry{}, err
	}
	return s.Workbenches.OpenEntry(ctx, c, bench, path)
}

// toPiece reads a piece of a file that begins and ends between two characters.
func toPiece(f OpenedEntry, offset int64, limit int) (WorkbenchPiece, error) {
	p := WorkbenchPiece{
		Bench: f.Bench, Kind: string(f.Kind), Path: plain.Repair(f.Path), PathBytes: pathBytes(f.Path), Shown: plain.Name(f.Path), Size: f.Size, Modified: utc(f.Modified),
	}
	if offset > f.Size {
		return p, chat.Errorf(chat.CodeInvalid, "%q has %d bytes by now, so nothing begins at %d. Begin again at 0.", bounded(p.Path), f.Size, offset)
	}
	head, err := readAt(f, 0, sniffedForText)
	if err != nil {
		return p, halfRead(p.Path, err)
	}
	p.Binary = bytes.IndexByte(head, 0) >= 0
	if p.Image, err = files.ImageType(f); err != nil {
		return p, halfRead(p.Path, err)
	}
	if f.Size <= maxCounted {
		var counter plain.Counter
		if _, err := io.Copy(&counter, io.NewSectionReader(f, 0, f.Size)); err != nil {
			return p, halfRead(p.Path, err)
		}
		counter.End()
		p.Counted, p.Characters, p.Lines = true, counter.Chars, counter.Lines
	}
	before := min(offset, utf8.UTFMax-1)
	piece, err := readAt(f, offset-before, limit+int(before)+utf8.UTFMax)
	if err != nil {
		return p, halfRead(p.Path, err)
	}
	begin, end := betweenCharacters(piece, int(before), limit)
	p.Offset = offset - before + int64(begin)
	p.Next = offset - before + int64(end)
	p.Text = plain.Repair(string(piece[begin:end]))
	if end == len(piece) {
		p.Next = f.Size // also when the file was cut while it was read
	}
	return p, nil
}

// betweenCharacters moves the ends of a piece to where no character is cut in two,
// both backwards by less than a character. With a limit of a character's length or
// more something is left.
func betweenCharacters(piece []byte, before, limit int) (begin, end int) {
	begin = characterAt(piece, min(before, len(piece)))
	end = min(begin+limit, len(piece))
	if end < len(piece) {
		end = characterAt(piece, end)
	}
	return begin, end
}

// characterAt is where the character begins that has a byte at i.
func characterAt(text []byte, i int) int {
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if _, size := utf8.DecodeRune(text[i-back:]); size > back { // what is none has the size 1
			return i - back
		}
		if utf8.RuneStart(text[i-back]) {
			break
		}
	}
	return i
}

// readAt reads up to n bytes of a file.
func readAt(f OpenedEntry, offset int64, n int) ([]byte, error) {
	buffer := make([]byte, min(int64(n), f.Size-offset))
	n, err := f.ReadAt(buffer, offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return buffer[:n], nil
}

func halfRead(path string, err error) error {
	return chat.Wrap(chat.CodeUnavailable, err, fmt.Sprintf("%q can't be read to its end; try again", bounded(path)))
}

func (s *server) workbenchBytes(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	if err := takesOnly(query, "path", "path_bytes", "bench"); err != nil {
		return err
	}
	f, err := s.openEntry(r.Context(), r.PathValue("id"), query.Get("bench"), query.Get("path"), query.Get("path_bytes"))
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	image, err := files.ImageType(f)
	if err != nil {
		return halfRead(f.Path, err)
	}
	serveFile(w, r, served{path.Base(f.Path), image, f.Size, f.Modified, f})
	return nil
}

func (s *server) findInWorkbench(ctx context.Context, in *workbenchFindInput) (*workbenchFindOutput, error) {
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, findWithin)
	defer cancel()
	found, more, err := s.Workbenches.FindEntries(bounded, c, in.Query, in.Limit)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		more, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	out := &workbenchFindOutput{}
	out.Body.Matches, out.Body.More = each(found, toWorkbenchMatch), more
	return out, nil
}
