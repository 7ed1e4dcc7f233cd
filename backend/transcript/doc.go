// Package transcript reads what a native session holds, from the file the
// client keeps of it.
//
//   - A transcript is one file of a native session, an entry a line, each entry
//     a JSON object. The client appends to it; nobody here writes to it.
//   - An entry is one thing that happened: a message of a user or an assistant,
//     an attachment, bookkeeping of the client's. Only an entry of type "user" is
//     a message the session has taken; a queue-operation that quotes the same
//     text says that the message came, not that it was heard.
//   - The main thread is what the session itself did; a sidechain is what a
//     subagent of it did.
//
// What the package promises:
//
//   - Memory is bounded whatever a file holds: lines of hundreds of megabytes,
//     garbage, a last line that is half written.
//   - Nothing that stands inside a string, or inside another entry, passes for
//     an entry.
//   - What cannot be read as an entry proves nothing, and is no error: the next
//     line may be one.
//
// The file format is nobody's public promise. What is relied on here was seen in
// Claude Code 2.1.197 and 2.1.332; testdata has a session of each.
package transcript
