package api

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/report"
)

const reportFilePattern = "/api/reports/{id}"

// Report is a report that was made, and is kept until the next one is.
type Report struct {
	ID    string       `json:"id" doc:"What to fetch it by."`
	Name  string       `json:"name" doc:"What to call its file."`
	At    time.Time    `json:"at"`
	Size  int          `json:"size" doc:"Bytes of the zip file."`
	Files []ReportFile `json:"files"`
}

// ReportFile is one file of a report, whole: what is shown is what is written.
type ReportFile struct {
	Name  string `json:"name"`
	About string `json:"about" doc:"What it holds."`
	Size  int    `json:"size" doc:"Bytes, as it is."`
	Text  string `json:"text"`
}

type reportOutput struct{ Body Report }

// reported is the last report that was made. What a person was shown is what they
// get, whatever was written to the log meanwhile.
type reported struct {
	mutex   sync.Mutex
	id      string
	name    string
	at      time.Time
	content []byte
}

// registerReports describes the zip file by hand: its body is bytes.
func (s *server) registerReports(operations huma.API, mux *http.ServeMux) {
	tags := []string{"reports"}
	register(s, operations, huma.Operation{
		OperationID: "make-report", Method: http.MethodPost, Path: "/api/reports", Summary: "Make a report for whoever mends Hearth, and see what is in it", Tags: tags,
		Description: "Versions, findings, counts, settings and the last of the log, without secrets and without what people and agents wrote. " +
			"The answer holds every file of it as it is. It takes some seconds: programs are asked for their versions. The last one that was made is kept in memory.",
		DefaultStatus: http.StatusCreated,
	}, s.makeReport)
	operations.OpenAPI().AddOperation(&huma.Operation{
		OperationID: "get-report", Method: http.MethodGet, Path: reportFilePattern, Summary: "Fetch the report that was made last", Tags: tags,
		Parameters: []*huma.Param{{Name: "id", In: "path", Required: true, Description: "The report's id.", Schema: &huma.Schema{Type: huma.TypeString}}},
		Responses: map[string]*huma.Response{
			"200":     {Description: "OK", Content: map[string]*huma.MediaType{"application/zip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}},
			"default": problemResponse(operations),
		},
	})
	mux.HandleFunc("GET "+reportFilePattern, s.answering("get-report", s.getReport))
}

func (s *server) makeReport(ctx context.Context, _ *struct{}) (*reportOutput, error) {
	b, err := s.Reports.Report(ctx)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	if err := b.Write(&content); err != nil {
		return nil, err
	}
	id := chat.NewID(s.now())
	s.reported.mutex.Lock()
	s.reported.id, s.reported.name, s.reported.at, s.reported.content = id, b.Name, b.At, content.Bytes()
	s.reported.mutex.Unlock()
	return &reportOutput{ToReport(id, b, content.Len())}, nil
}

// ToReport maps a report to the wire; the command line makes some itself.
func ToReport(id string, b report.Bundle, size int) Report {
	out := Report{ID: id, Name: b.Name, At: utc(b.At), Size: size, Files: make([]ReportFile, len(b.Files))}
	for i, f := range b.Files {
		out.Files[i] = ReportFile{Name: f.Name, About: f.About, Size: len(f.Text), Text: f.Text}
	}
	return out
}

func (s *server) getReport(w http.ResponseWriter, r *http.Request) error {
	if err := takesOnly(r.URL.Query()); err != nil {
		return err
	}
	s.reported.mutex.Lock()
	id, name, at, content := s.reported.id, s.reported.name, s.reported.at, s.reported.content
	s.reported.mutex.Unlock()
	if id == "" || r.PathValue("id") != id {
		return chat.Errorf(chat.CodeNotFound, "There is no report %q; the last one that was made is kept, until Hearth ends. Make another.", bounded(r.PathValue("id")))
	}
	h := w.Header()
	h.Set("Content-Type", "application/zip")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Cache-Control", "no-store")
	http.ServeContent(w, r, "", at, bytes.NewReader(content))
	return nil
}
