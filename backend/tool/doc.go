// Package tool is what agents can call: an MCP server in the same process, one
// per binding, with five tools.
//
//   - channel_history reads the channel or a thread backwards, and one long
//     message in parts.
//   - channel_roster says who is there.
//   - project_activity says what goes on in the workspace: git and runs.
//   - channel_post says a word while the turn still goes, and wakes other agents.
//   - channel_decline refuses, with a reason.
//
// A scope is the channel and the binding a server speaks for. An agent never
// names either: what it can reach was decided when its server was made.
//
// What the package promises:
//
//   - The tools stand at the front of every request an agent makes, before the
//     framing. So their list is the same bytes in every process, says nothing
//     that changes, and is short; and each is marked to be sent always, never
//     kept back behind a tool search.
//   - Whatever people or agents wrote (bodies, names, topics, file names, commit
//     subjects) is labelled as untrusted and made visible by package plain: no
//     text of theirs can look like a line of ours.
//   - An answer has a bound, and one that was cut says what was left out and
//     how to get it.
//   - A call that goes wrong is answered by a result with isError and a sentence
//     that says what to do. Arguments can't cause a protocol error or a panic.
//   - A call ends: after [Timeout] its context does.
//   - Looking at a repository runs nothing that the repository names: no hook,
//     no file system monitor, no filter, no signature program, no transport.
package tool
