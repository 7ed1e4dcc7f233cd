// Package cli is the command line: `hearth serve` and everything that talks to a
// Hearth.
//
//   - One client speaks the HTTP API, whatever is behind it. While a Hearth runs
//     with the data folder, that is the one: its address and token are in
//     server.json there. While none runs, the data folder's lock is taken, the
//     engine is opened without working its queues, and its handler is called in
//     this process. So a command does the same in both cases, except those that
//     need agents, which say so.
//   - With --json a command prints what the API answered, to the byte but for
//     indenting: its keys are the API's, and as stable.
//   - Without, it prints plain text for people. What others wrote is made visible,
//     so that no text of theirs can steer the terminal, and columns stand by the
//     width that a terminal gives to a script.
//   - What went wrong goes to standard error: what happened, why, what to do.
//   - Exit statuses: 0 it was done, 1 it was not, 2 the command line made no sense,
//     130 interrupted.
//
// Tokens are taken from files and variables, never from the command line, where
// every process of the machine could read them.
package cli
