// Package claude drives one resident Claude Code process: turn after turn over its stream of JSON lines, with the control
// protocol that runs on the same two streams. It knows nothing of channels.
//
// # Words
//
//   - A session is one process of the client and the native session it serves. The native id is the client's own session
//     id, chosen by us for a new session and kept by a resume.
//   - A turn is one request of ours with all that the client does until its result.
//   - An unasked turn is one that the client takes by itself, because a background task ended or a timer of its own fired.
//   - A cycle is what lies between two results on the stream. A turn is a cycle that turned out to be ours.
//   - A question is a request from the client that waits for an answer: a permission, a hook, a call to an MCP server of
//     ours.
//   - A call is one request of the client to the Messages API, known by its message id.
//   - A background task is a command or a subagent that goes on after the turn that started it.
//   - The main thread is the client's own conversation, as opposed to what its subagents do.
//
// # Promises
//
//   - A result is taken for ours only when the client says so: it repeats our message's uuid, names it in the result, or
//     (for what needs no model, and then only if nothing else can have caused the cycle) says that there were no model
//     turns. So an unasked turn under way is never mistaken for the answer. When the client merges both, the one result is
//     ours, with everything that happened in that cycle.
//   - Nothing is sent while a cycle runs: the client would merge the message into it.
//   - A resume that opens another session than the one asked for is an error and ends the process; it never becomes a new
//     session silently.
//   - Every question is answered exactly once, or not at all after the client cancelled it: also when a callback fails,
//     panics, never returns, or is not known. An error in a hook answers "no opinion"; an unanswered permission is a no.
//   - The reader never waits for anybody: not for the sink, not for a callback, not for a client that does not read its
//     input. Under load text deltas are joined and, over a megabyte waiting, dropped; nothing else ever is. Blocks of text
//     come whole after their deltas, so nothing is lost with them.
//   - Everything is bounded. A turn whose context ends is interrupted; a client that does not react within
//     InterruptGrace is ended with everything it started. Close and a crash end the whole process tree too.
//   - What is not understood is skipped, kept for the log and handed on as Unknown: garbage between the lines, unknown
//     types, unknown fields. A line may be up to MaxLine bytes; a longer one is dropped and the next is read.
//   - Tokens and money are the client's own figures, and so is the time to the first token; when a call began and ended is
//     when its lines reached us. Each message id counts once. The client's totals grow over the life
//     of the process and, in newer versions, go on where a resumed session stopped; a Result carries only its own turn's.
//
// What is written here about the client was measured on 2.1.197 and 2.1.332. Its protocol is nobody's promise: the golden
// streams in testdata are recordings of both versions, and the tests with the real client (build tag e2e) hold any version
// to what this package needs.
//
// # Files to read in order
//
// session.go (life and death), turn.go, cycle.go (whose result is it), read.go (lines to events), question.go, mcp.go.
package claude
