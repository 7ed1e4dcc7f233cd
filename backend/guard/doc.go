// Package guard decides what is kept out of an agent's context: which tool calls
// of a coordinator's main thread are denied, which commands only look, and which
// output is too long to be read whole. It is pure: it is given what a hook was
// given and says what to answer; others run hooks and write files.
//
// A command is ephemeral when all it does is look: it writes nothing, starts
// nothing else, and its output is worth little once the work has moved on. One
// function, Explain, decides that for both questions that depend on it: whether a
// coordinator may glance without a worker, and whether the result may expire
// later. Were there two, one could let something through that the other forgets.
// What is not known to only look is not ephemeral; so is what can't be parsed.
package guard
