// Package plain makes foreign text safe to put between lines of our own.
//
// Everything an agent is told about a channel is plain text in which our lines
// (headers, row marks, payload, brief) and other people's words stand side by
// side. A body that could start a line of its own, hide characters or turn the
// reading direction round could pass itself off as one of ours. This package
// is the one place that prevents it.
//
// What it promises:
//
//   - Length, Cut and Repair count Unicode scalars, never bytes; a byte that
//     is not valid UTF-8 counts as one scalar, U+FFFD.
//   - Cut never ends inside a grapheme cluster (a letter with its marks, an
//     emoji family, a Hindi conjunct), unless the first one alone is too long.
//   - Body lets no line of a text but the first begin with anything else than
//     Continued, whatever the text counts as a line break.
//   - Body, Inline, Name and Handle leave no control, bidi control or tag character
//     in their result: each is shown by a visible stand-in.
//   - EscapeJSON does the same inside JSON, losing nothing: what is escaped
//     parses back to what it was.
//
// Joiners (U+200C, U+200D) and variation selectors stay as they are: Persian,
// Hindi and emoji need them, and they can forge nothing. Nor can other characters
// without width, which some scripts break words with; in a name, where they make two
// look like one, Name shows them, and joiners that join nothing.
//
// All functions are pure and safe for concurrent use.
package plain
