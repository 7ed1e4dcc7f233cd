// Package search says what a person looks for, and finds it in a text.
//
//   - A query is what they typed: words, and filters (in:#backend, from:aiko,
//     before:2026-11-01). Everything that is no filter is a word; nothing they type is
//     an error of syntax. A filter that makes no sense is a fault, said in a sentence,
//     and then nothing is found: a filter is never passed over in silence.
//   - A word is found anywhere, inside other words too; words in quotation marks are
//     one. A text is found when it has all of them.
//   - The fold of a text is the form in which it is compared (Fold).
//   - Terms are what an index of three characters in a row is asked, to find the few
//     texts that are worth looking at.
//   - A snippet is the part of a text around the first word, with the places of all
//     words in it, counted in characters.
//
// All of it is pure: package store has the index, package api the wire.
package search
