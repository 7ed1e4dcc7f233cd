// Package report makes the bundle that a person can hand to whoever mends Hearth:
// what was found, how it is set up, how much there is, and the last of the log.
//
//   - A bundle is some text files with a name and a sentence each. Every byte of it
//     is shown before it is written anywhere.
//   - It holds no words of people or agents: no message, no name, no topic, no
//     prompt. Counts and settings are all that is told of what was written.
//   - It holds no secret. What is known to be one (tokens of bindings, variables
//     that are called like secrets) is taken out wherever it stands; so is what
//     looks like one (keys, bearer tokens, cookies, credentials in an address,
//     e-mail addresses, long random words).
//   - Of the log, only attributes that are ours are told. In an error, what stands
//     in quotes, what follows a line break, and paths that are not the system's or
//     Hearth's own are taken out.
//   - What was taken out leaves a mark in its place, such as [secret]. It is better
//     to take out too much: the reader can ask.
//
// Everything here is pure; package engine gathers the facts.
package report
