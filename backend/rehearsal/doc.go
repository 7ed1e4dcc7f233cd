// Package rehearsal plays the simulation's channel through the real Claude Code,
// with a stand-in for the model, and measures what was sent. The simulation says
// what a channel should cost; this says whether it does once a client has put its
// own words around ours.
//
// # Words
//
//   - A rehearsal is one run of it: every strategy of package sim through one
//     resident process each, then a series of cold starts.
//   - The prefix of a request is what stands before its first message: tools, then
//     system. A part is one tool, one block of the system prompt, or one block of a
//     message.
//   - A cold start is a pair of processes: one that writes the cache and one, in
//     whose surroundings one thing is different, that could read it. It is measured
//     by the second one's first request.
//   - Dynamic sections are the parts of the client's system prompt that tell of the
//     folder, the repository and the day. The client can move them out of it
//     (--exclude-dynamic-system-prompt-sections); Hearth has it do so.
//   - The gate is the server that the clients talk to: the stand-in stands behind
//     it. It puts the changing line of the strategy unstable in front of the system
//     prompt (no client does that), and notes whoever wants to reach anything else.
//
// # Promises
//
//   - No account and no network: the client gets a made-up key, a home of its own
//     with nothing in it, and a proxy that lets nothing through, which is the gate.
//     What it tried to reach is in the report.
//   - Nothing is left: every process has ended and the scratch folder is gone when
//     Run returns, also when its context ends.
//   - Figures are what the stand-in counted by the documented rules of the Messages
//     API's cache, in tokens of cl100k_base. Its clock moves a second a request, so
//     that a slow machine lets nothing expire.
//   - A turn whose text did not arrive in the request to the byte is an error, not a
//     figure.
//
// # What it can't know
//
// It has no model, so nothing is said of answers; and the stand-in keeps to what is
// documented of the cache. See Unknown.
package rehearsal
