package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"hearth/backend/event"
)

// Deps is what the API is made of.
type Deps struct {
	Store       Store
	Runs        Runs
	Presence    Presence
	Setup       Setup
	Workbenches Workbenches
	Comparisons Comparisons
	Logs        Logs
	Reports     Reports
	Bus         *event.Bus

	Version string
	// DefaultWorkspace is the folder of a channel that is created without one:
	// absolute, and there.
	DefaultWorkspace string
	// UI is the page and its files, index.html at the top. Nil serves none.
	UI    fs.FS
	Log   *slog.Logger     // nil discards
	Clock func() time.Time // nil is time.Now
}

// server answers the requests.
type server struct {
	Deps
	// arranging is held while a channel, a binding or the settings of workbenches are
	// read, changed and written back, so that two changes can't undo one another.
	arranging sync.Mutex
	reported  reported
	pages     pages
}

// New makes the handler: the API under /api/, the page for every other path. It
// trusts its caller; see Access.
func New(d Deps) http.Handler {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	s := &server{Deps: d}
	operations, mux := s.routes()
	document := sync.OnceValues(operations.OpenAPI().MarshalJSON)
	mux.HandleFunc("GET "+documentPath, func(w http.ResponseWriter, _ *http.Request) {
		text, err := document()
		if err != nil {
			s.Log.Error("write the OpenAPI document", "error", err)
			writeProblem(w, newProblem(http.StatusInternalServerError, "The description of the API could not be written: "+err.Error()+". Please report this."))
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(text) // a caller that went away has no use for the error
	})
	return s.recovering(s.guarding(mux, page(d.UI)))
}

const documentPath = "/api/openapi.json"

// isAPI says whether a path belongs to the API. Access and New ask the same
// question of the same field, so no spelling of a path gets past one of them.
func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// routes registers every operation.
func (s *server) routes() (huma.API, *http.ServeMux) {
	mux := http.NewServeMux()
	operations := humago.New(mux, configuration(s.Version))
	s.registerChannels(operations)
	s.registerRows(operations)
	s.registerSearch(operations)
	s.registerRoster(operations)
	s.registerBindings(operations)
	s.registerDetail(operations)
	s.registerCommands(operations)
	s.registerAgents(operations)
	s.registerRuns(operations)
	s.registerChanges(operations)
	s.registerPermissions(operations)
	s.registerFiles(operations, mux)
	s.registerWorkbench(operations, mux)
	s.registerCache(operations)
	s.registerStrategies(operations)
	s.registerSetup(operations)
	s.registerLogs(operations)
	s.registerReports(operations, mux)
	s.registerPages(operations)
	s.registerHealth(operations)
	s.registerEvents(operations)
	for _, schema := range operations.OpenAPI().Components.Schemas.Map() {
		arraysAreNeverNull(schema)
	}
	return operations, mux
}

const description = `Hearth keeps coding agents resident in channels. This is the API that its own window and command line use.

Who may call: the API listens on loopback only. A program sends ` + "`Authorization: Bearer TOKEN`" + ` with the token from
server.json in the data folder; a browser is opened on a one-time URL and holds a cookie from then on.
` + "`POST /api/session`" + ` answers {"url": …} with a new one-time URL.

Absent keys of a PATCH leave things unchanged. Problems follow RFC 9457 and carry a code.`

func configuration(version string) huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	registry.RegisterTypeAlias(reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[Problem]())
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Hearth", Version: version, Description: description},
			Components: &huma.Components{
				Schemas: registry,
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token":   {Type: "http", Scheme: "bearer", Description: "The token in server.json of the data folder."},
					"session": {Type: "apiKey", In: "cookie", Name: sessionCookie, Description: "Set by opening a one-time URL."},
				},
			},
			Security: []map[string][]string{{"token": {}}, {"session": {}}},
		},
		Formats:                      formats(),
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{problems},
	}
}

// arraysAreNeverNull takes the null out of what the document says about lists:
// they are [] when there is nothing in them.
func arraysAreNeverNull(schema *huma.Schema) {
	for _, property := range schema.Properties {
		if property.Type == huma.TypeArray {
			property.Nullable = false
		}
	}
}

// register adds an operation whose errors become problems.
func register[I, O any](s *server, operations huma.API, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.MaxBodyBytes = maxBody + 1 // the guard has bounded the body before
	// Problem: huma sets a read deadline for the body and leaves it on the
	// connection. Why: once the body is read, net/http goes on reading in the
	// background to notice a caller that hangs up, and takes the deadline for
	// one: an operation that lasts longer is cancelled half-way. Solution: none
	// here; the guard has its own, and takes it back.
	op.BodyReadTimeout = -1
	huma.Register(operations, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, s.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}
