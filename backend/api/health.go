package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

type healthOutput struct {
	Body struct {
		Service string `json:"service" enum:"hearth"`
		Version string `json:"version"`
	}
}

func (s *server) registerHealth(operations huma.API) {
	register(s, operations, huma.Operation{
		OperationID: "get-health", Method: http.MethodGet, Path: healthPath, Summary: "See that Hearth is there", Tags: []string{"health"},
		Description: "Needs no token.", Security: []map[string][]string{},
	}, func(context.Context, *struct{}) (*healthOutput, error) {
		out := &healthOutput{}
		out.Body.Service, out.Body.Version = "hearth", s.Version
		return out, nil
	})
}
