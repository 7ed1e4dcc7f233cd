package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// statuses is the one table from codes to HTTP statuses.
var statuses = map[chat.Code]int{
	chat.CodeInvalid:      http.StatusUnprocessableEntity,
	chat.CodeNotFound:     http.StatusNotFound,
	chat.CodeConflict:     http.StatusConflict,
	chat.CodeUnauthorized: http.StatusUnauthorized,
	chat.CodeForbidden:    http.StatusForbidden,
	chat.CodeTooLarge:     http.StatusRequestEntityTooLarge,
	chat.CodeUnavailable:  http.StatusServiceUnavailable,
	chat.CodeInternal:     http.StatusInternalServerError,
}

// codeOf is the way back, for what goes wrong before a handler is reached. All
// other statuses of the 4xx kind are about a request that is not right.
func codeOf(status int) chat.Code {
	for code, known := range statuses {
		if known == status {
			return code
		}
	}
	if status >= 500 {
		return chat.CodeInternal
	}
	return chat.CodeInvalid
}

// Problem is what a request is answered with when something went wrong (RFC 9457).
type Problem struct {
	Title  string  `json:"title" doc:"The status in words."`
	Status int     `json:"status" doc:"The HTTP status."`
	Code   string  `json:"code" enum:"invalid,not_found,conflict,unauthorized,forbidden,too_large,unavailable,internal" doc:"What kind of thing went wrong."`
	Detail string  `json:"detail" doc:"What happened and what to do, for people."`
	Errors []Fault `json:"errors,omitempty" doc:"What in the request is not right, where that is known."`
}

// Fault is one thing in a request that is not right.
type Fault struct {
	Location string `json:"location" doc:"Where, such as body.name or query.limit."`
	Message  string `json:"message"`
}

var _ huma.StatusError = (*Problem)(nil)

func newProblem(status int, detail string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Code: string(codeOf(status)), Detail: detail}
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus is what huma asks for the status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is what huma asks for the content type.
func (p *Problem) ContentType(string) string { return problemType }

const problemType = "application/problem+json"

// problem makes a problem of what a handler returned.
func (s *server) problem(ctx context.Context, operation string, err error) *Problem {
	var ready *Problem
	if errors.As(err, &ready) {
		return ready
	}
	code := chat.CodeOf(err)
	if code == chat.CodeInternal && (ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
		s.Log.Info("request given up", "operation", operation, "error", err)
		return newProblem(http.StatusServiceUnavailable, "The request was given up before it was done. Look at what is there now, then try again.")
	}
	status, known := statuses[code]
	var coded *chat.Error
	if code == chat.CodeInternal || !known || !errors.As(err, &coded) {
		s.Log.Error("request failed", "operation", operation, "error", err)
		return newProblem(http.StatusInternalServerError, "Something went wrong inside Hearth: "+sentence(err.Error())+" Try again; the log says more.")
	}
	if coded.Err != nil {
		s.Log.Info("request refused", "operation", operation, "error", err)
	}
	p := newProblem(status, coded.Error())
	p.Code = string(code)
	return p
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// maxFault bounds what is said about one fault, in characters: the names of
// unknown keys in it are the caller's.
const maxFault = 200

// problems makes a problem of what huma itself found wrong. The values it quotes
// are left out: a token may be among them.
func problems(_ huma.Context, _ string, v any) (any, error) {
	found, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := newProblem(found.Status, "")
	said := make([]string, 0, len(found.Errors))
	for _, e := range found.Errors {
		if len(p.Errors) == 10 {
			break
		}
		fault := Fault{Location: bounded(e.Location), Message: bounded(e.Message)}
		p.Errors = append(p.Errors, fault)
		said = append(said, fault.Location+": "+fault.Message)
	}
	what := sentence(bounded(found.Detail))
	if len(said) > 0 {
		what = sentence(strings.Join(said, "; "))
	}
	p.Detail = "The request is not right: " + what + " Mend that and send it again; " + documentPath + " describes every request."
	return p, nil
}

func bounded(s string) string {
	return plain.Inline(plain.Short(s, maxFault))
}

// writeProblem answers a request outside of huma.
func writeProblem(w http.ResponseWriter, p *Problem) {
	text, err := json.Marshal(p)
	if err != nil { // a struct of texts and numbers always marshals
		text = []byte("{}")
	}
	w.Header().Set("Content-Type", problemType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(text) // a caller that went away has no use for the error
}
