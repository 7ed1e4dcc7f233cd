package api

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/logs"
)

// LogLine is a line of Hearth's log.
type LogLine struct {
	ID         string         `json:"id" doc:"The place where it begins: what to give as before."`
	At         time.Time      `json:"at,omitzero" doc:"Left out: it is no record of Hearth's own, and message is all of it."`
	Level      string         `json:"level" enum:"debug,info,warn,error"`
	Message    string         `json:"message"`
	Attributes []LogAttribute `json:"attributes" doc:"In the order they were written."`
}

// LogAttribute is what a line says besides.
type LogAttribute struct {
	Key   string `json:"key"`
	Value string `json:"value" doc:"Control and bidi characters are shown by visible ones; what is longer than 16,000 characters is cut and says so."`
}

type readLogsInput struct {
	After  string `query:"after" doc:"Only lines after this place, oldest first: next of the last answer."`
	Before string `query:"before" doc:"Only lines before this place, the newest of them: the id of the oldest line you have."`
	Level  string `query:"level" enum:"debug,info,warn,error" default:"debug" doc:"Only lines of this level and above."`
	Text   string `query:"text" maxLength:"200" doc:"Only lines that hold this, in any case."`
	Limit  int    `query:"limit" default:"500" minimum:"1" maximum:"2000"`
}

type readLogsOutput struct {
	Body struct {
		Lines []LogLine `json:"lines" doc:"Oldest first."`
		Next  string    `json:"next" doc:"The place after what was looked at: what to give as after. Empty: nothing was written yet."`
		More  bool      `json:"more" doc:"There may be older ones. Meant only without after."`
		Reset bool      `json:"reset" doc:"The place that was asked for is gone, because its file is: these are the newest lines."`
	}
}

func (s *server) registerLogs(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "read-logs", Method: http.MethodGet, Path: "/api/logs", Summary: "Read Hearth's log", Tags: []string{"logs"},
		Description: "Without a place: the newest lines. To follow it, ask again with after. Of the log 10 MB and two older files of that size are kept.",
	}, s.readLogs)
}

func (s *server) readLogs(ctx context.Context, in *readLogsInput) (*readLogsOutput, error) {
	if in.After != "" && in.Before != "" {
		return nil, newProblem(http.StatusUnprocessableEntity, "A page lies after a place or before one, not both. Give after or before.")
	}
	q := logs.Query{After: in.After, Before: in.Before, Text: in.Text, Limit: in.Limit}
	if err := q.Level.UnmarshalText([]byte(in.Level)); err != nil {
		return nil, err
	}
	page, err := s.Logs.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &readLogsOutput{}
	out.Body.Lines = make([]LogLine, len(page.Lines))
	for i, l := range page.Lines {
		out.Body.Lines[i] = ToLogLine(l)
	}
	out.Body.Next, out.Body.More, out.Body.Reset = page.Next, page.More, page.Reset
	return out, nil
}

// ToLogLine maps a line to the wire; the command line prints it too.
func ToLogLine(l logs.Line) LogLine {
	out := LogLine{ID: l.ID, At: utc(l.At), Level: levelName(l.Level), Message: l.Message, Attributes: make([]LogAttribute, len(l.Attributes))}
	for i, a := range l.Attributes {
		out.Attributes[i] = LogAttribute(a)
	}
	return out
}

// levelName is the level that a line is shown at: slog has some in between.
func levelName(l slog.Level) string {
	known := slog.LevelDebug
	for _, next := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		if l >= next {
			known = next
		}
	}
	return strings.ToLower(known.String())
}
