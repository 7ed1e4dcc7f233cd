// Package engine puts Hearth together: the store, the queues, the pool of
// residents, the agents' tools and the HTTP API, wired by hand in one place and
// used alike by the server, the command line and the tests.
//
// The order at a start matters and is Serve's: what a Hearth that died left
// running is ended first, only then are its half-ended runs settled by their
// transcripts (nobody writes them any more), and only then do the queues move.
package engine
