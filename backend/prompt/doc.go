// Package prompt makes what an agent is sent, and decides which of it a turn
// needs.
//
// A model pays for every token it reads, less for those it has read before in
// the same order. So what never changes stands first and is said once, and what
// changes stands last. The words:
//
//   - framing: what an agent must know in every turn: who it is and the brief.
//     It goes in once, at the front of its process, and is the same bytes in
//     every process of a binding. Nothing that can change is in it: no roster,
//     presence, branch, time, row or channel name.
//   - brief: how a turn is read and answered. Part of the framing; a setting
//     puts it into every turn instead. reminder: the one line that stands in its
//     place in a turn.
//   - newest user turn: a first line, the payload (the message and its ids as
//     JSON), a rule, the brief or its reminder, the context block, the news of
//     the workbench's index.
//   - replay: what the agent was asked and answered before, for a process that
//     remembers nothing.
//   - temperature: what the process that takes the turn remembers. Warm: it has
//     lived since the last turn. Restored: it loaded a saved session. Cold:
//     nothing. ForLease is the only place where a temperature decides anything.
//
// What it promises: a warm process gets the newest user turn and nothing else,
// so it never reads its own answers as news; a turn that says nothing is an
// error and is never sent; text of others stands only inside the JSON line, or
// where package plain has made it safe.
//
// All functions are pure and safe for concurrent use.
package prompt
