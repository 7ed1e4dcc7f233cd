// Package sim says what an agent in a channel costs in tokens, told about the
// channel in one way or another, without asking a model.
//
// It plays a channel, generated or real, turn by turn. Each turn is made by the
// code that makes real turns (package delivery chooses the rows, package prompt
// writes the turn); here its tokens are counted and nothing is sent. Words:
//
//   - strategy: a way of telling. window shows the newest rows in every turn.
//     watermark shows those the session has not been shown, as the published
//     design does. unstable is watermark with a line in front of everything that
//     changes in each turn. hearth is what Hearth sends.
//   - prefix: what stands before the first turn, the same bytes in every
//     request: tool definitions, system prompt, framing.
//   - request: the prefix, every earlier turn of the native session with its
//     reply, and the turn at hand.
//   - cacheable: the longest beginning that a request has in common with the
//     same session's request before it, in tokens. All of that is taken to be in
//     the cache, which is the best case for any strategy.
//   - warm turn: any turn but the first of a native session.
//   - never shown: a row posted before the last mention of its place that no
//     turn carried in any way and the agent did not write itself.
//
// What it promises:
//
//   - Equal channels and options give equal reports, on every machine.
//   - Time and memory grow with the channel, not with its square, although the
//     requests together do: a text is tokenised once, and two requests of a
//     session are known to share what they share (see conversation).
//   - All tokens are cl100k_base. They compare strategies; they are no bill.
//
// What it leaves out: an agent's tool calls and their results, thinking, time (a
// cache never expires here), and the index of the workbench. Turns are taken in
// the order of their mentions, each before the next row is posted.
package sim
