// Package resident keeps agents' processes alive between turns and lends them
// out, one turn at a time.
//
// # Words
//
//   - A resident is a living process and the place it takes. Its key is the
//     channel and the binding it answers for.
//   - A lease is the right to speak to the resident of a key for one turn. There
//     is at most one at a time for a key.
//   - The temperature of a lease says what the process remembers, and so what it
//     has to be told: warm, restored or cold.
//   - The fingerprint stands for the settings a process was started with. A
//     process with another fingerprint than the one asked for is outdated.
//   - A resident is busy while it is leased and while its process says so: it
//     takes a turn nobody asked for, has background tasks, or waits for a person.
//     Otherwise it is idle.
//   - To evict is to end a process that nobody reported as broken.
//
// # Promises
//
//   - One process for a key, Options.Capacity at once. Starting and ending
//     ones count: a place is free when the process in it has ended, not when it
//     was told to.
//   - When all places are taken, the resident that has been idle longest goes. A
//     busy one never does. Who asks for a lease then waits, first come first
//     served, and is seen to wait (Request.Waiting, State.Waiters).
//   - An idle resident ends after Options.Idle. A busy one does not; its time
//     starts anew.
//   - A lease is warm only when a turn has reached the process before (Release
//     with used). Until then it has whatever temperature it was opened with, also
//     when it was opened long before by Warm: what the first turn has to tell has
//     not been told yet.
//   - A process that has ended by itself is never lent, and its place is free at
//     once.
//   - Nothing outlives Close: not a process, not a goroutine.
//
// # Choices
//
// A lease for a key whose process is busy but not leased is given at once: the
// lease says who may speak, not that the process is silent. Whoever sends the
// turn waits for the end of one that the agent took by itself.
//
// An outdated process is replaced when it is idle. While it is busy, a lease with
// the new fingerprint waits: running the turn with the old settings could mean
// permissions that were just taken away, and ending the process would lose its
// background work without anybody having decided that. The wait is visible, and
// Evict is the way out.
//
// A start goes on when the lease that caused it is cancelled. Others may share
// it, and a person who stops a turn while the agent is starting mostly writes
// another one; what was started stays as if pre-warmed. So a start has a context
// of its own, which ends with the start, on Evict and on Close.
//
// The pool asks for no restart of anything. What broke stays broken until
// somebody leases it again, so a process that dies at every start cannot spin.
package resident
