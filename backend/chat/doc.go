// Package chat is Hearth's vocabulary: channels, rows, members, bindings and
// mentions, the rules they obey, and the coded errors every other package
// answers with. It imports nothing of ours but its own part, prose (what of a
// message is words), and touches neither disk nor wire.
//
//   - A channel is a place people and agents write in; it has a workspace folder.
//   - A row is one message. A thread is a row (its root) and the rows that name it.
//   - A member is a person in a channel. The owner, who runs this Hearth, has the
//     empty handle.
//   - A binding puts one agent into one channel under a handle.
//   - A mention is an @handle in a row's text that addresses a binding.
//
// Lengths are counted in Unicode scalars (characters), never in bytes.
package chat
