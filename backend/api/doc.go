// Package api is Hearth's one way in: JSON over HTTP, described by an OpenAPI
// document at /api/openapi.json, and a stream of events at /api/events. The
// window, the browser, the command line and the tests all use it.
//
//   - The handler that New returns trusts its caller. The window and the command
//     line call it in process. Whatever comes over a socket goes through
//     Access.Middleware first, which decides who may call.
//   - Wire structs (wire_*.go, one file a noun) are separate from the domain's and
//     are mapped in one place. Their keys are stable: they are what scripts read.
//     Texts, numbers and lists are always there ("" and [] when there is nothing);
//     times and objects are left out when there are none.
//   - Times are RFC 3339 in UTC, to the microsecond. Ids sort by time.
//   - Absent means unchanged in a PATCH.
//   - What goes wrong is a problem (RFC 9457) with one of the codes of package chat
//     and a sentence that says what happened and what to do. One table maps the
//     codes to statuses.
//   - What is taken in is bounded: bodies are JSON in UTF-8 of at most 2 MiB, with
//     no key that is not documented.
//   - The event stream says first where it begins (ready) or that the caller has
//     to fetch anew what it shows (reset); see events.go.
package api
