// Package delivery decides what an agent is told about its channel, and keeps
// account of what it has been told.
//
// An agent lives on between its turns. What it was shown stays in its context,
// so showing it again costs money and reads as if people repeated themselves;
// what it was never shown it does not know. Between the two stands a
// watermark, and this package is its algebra: rows in, a context block and the
// next watermark out. It is pure: no clock, no store, no process.
//
// Words:
//
//   - row: one message. Its place is the channel (rows at the top level) or one
//     thread of it (the root and what answers it).
//   - native session: the conversation of one process of an agent, under the
//     id its client gave it. What was shown belongs to it and to no other.
//   - watermark: what one native session has been told of one place.
//   - context block: the lines that stand in the newest user turn, after the brief.
//   - addressed: the row the turn is about. The payload carries it.
//   - held: a row that a still-queued run of the same binding will carry.
//   - correction: what stands in a place since its owner edited or deleted a row
//     of it that agents had been told. It has an id and a time of its own, so a
//     watermark covers it as it covers a row.
//
// What it promises, for every native session and row of the place:
//
//   - The row is shown, or carried by a payload or the replay, or written by
//     the session itself, or counted in the line that names what is left out.
//     Nothing is missed in silence, also when runs fail, are cancelled or come
//     late.
//   - It is shown once. It comes again only when the turn that showed it failed
//     and nothing proves it arrived, or when more than MaxIDs rows passed while
//     a held row kept the watermark back. Between the two faults, hiding and
//     repeating, the algebra always chooses to repeat.
//   - A session that was told a row hears once of its newest correction; one that
//     was not is told the row as it is now, or nothing if it was deleted.
//   - No body can write a line of the block: not a row, not a header, not the
//     line of what is left out.
//
// A watermark that Render returns is only a proposal. The caller keeps it with
// the run and makes it the session's own when the run has succeeded or the
// session's transcript is found to hold the turn; otherwise it is thrown away.
package delivery
