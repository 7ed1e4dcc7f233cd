// Package event carries what happens in the program to whoever watches it: the
// windows and browsers that follow a channel, the command line, the tests.
//
// # Words
//
//   - An event is one thing that happened, with a sequence number (seq) that
//     counts up by one from 1 in each run of the program.
//   - A delta is an event that only adds to something still under way, such as
//     a piece of an answer's text. Whatever a delta said is said again, whole,
//     by the end that follows it.
//   - An end is every event that is not a delta: a message was stored, a run
//     changed its state, a permission is asked for.
//   - The epoch is a random word of one run of the program. An id is an epoch
//     and a seq; it is what a client gives back when it comes again.
//
// # Promises
//
//   - Publish never waits for anyone, however slow or dead a subscriber is.
//   - Every subscriber sees events in the order of their seq, none twice.
//   - Ends never get lost silently. A subscriber gets every end after the place
//     where it began, or Next says ErrTooSlow (for one that comes back, Subscribe
//     says missed), and it has to fetch the present state anew.
//   - Deltas may be dropped under load: those that a slow subscriber has not
//     read when newer ones take their room. It sees this, because seq has no
//     other reason to jump: a jump means that deltas, and nothing else, were
//     dropped. The newest deltas are the ones that stay, so the jump shows as
//     soon as the subscriber reads on, not only at the next end.
//   - Memory is bounded by the two numbers in Options, however many subscribers
//     there are and however far behind: they have no queues of their own, only a
//     place in the one record of the newest events. So a subscription that is
//     forgotten costs nothing either.
//
// # Coming back
//
// A client that lost its connection gives the last id that it saw, and gets what
// came after it. Ends are kept for this (Options.Keep of them). Deltas are not
// kept for its sake: what is still there is replayed, since it continues exactly
// where the client stopped, and what is gone shows as a jump in seq. The partial
// text of a running answer is state that the API can be asked for, so a client
// that sees a jump fetches that one text; keeping minutes of deltas to rebuild it
// would crowd out the ends, which cannot be had otherwise.
//
// When too much has happened in the meantime, or the id is of another run of the
// program, the subscription begins at the present and says so with missed. Fetch
// after subscribing, not before: then whatever happens between the two is in the
// fetched state, in the subscription, or in both, and seq tells which is newer.
//
// Data is shared by all subscribers: nobody changes it once it is published. It
// stays in memory while its event is kept, so it should be small: the row, not
// the log file that the row is about.
package event
