// Package pty starts a child whose output goes to a raw pseudo-terminal and whose input comes from a pipe, and ends it
// with everything it started. It also asks programs short questions in the same spirit: see Probe.
//
// # Words
//
//   - The child is the process that Start started. It leads a session of its own and the pseudo-terminal is that
//     session's controlling terminal.
//   - The mark is the value of HEARTH_MARK in the child's environment. Whatever the child starts inherits it, which is
//     how a process that called setsid, or whose parent has died, is still known to be ours. A mark reads
//     "instance/anything"; the instance is the installation (one data directory) that started it.
//   - The tree is the child and every process that came from it: by descent, by the session, or by the mark.
//   - A record is what has to be kept on disk to know a process again after a crash: its pid, its start time, its mark.
//
// # Promises
//
//   - No orphans. When this process dies, even by SIGKILL, the kernel closes the terminal's other end, hangs the session
//     up, and the child ends. What survives a hangup is found by its mark at the next start: EndLeftovers.
//   - Nothing else is ever signalled. A pid alone names nobody: every signal is sent to a pid whose start time was
//     compared first (on Linux through a pidfd, so that the pid cannot be reused in between). This process and its
//     ancestors are never signalled.
//   - End is bounded: it closes the child's input, waits, sends TERM to the tree, waits, sends KILL until nothing is left.
//   - The terminal is raw before the child starts: no echo, no line limit (a cooked terminal cuts a line at 4,096 bytes),
//     no translation of newlines.
//   - A child inherits its three standard descriptors and nothing else: before every start all our other descriptors are
//     marked close-on-exec. A GUI library leaves pipes without that mark, and a child that holds such a pipe keeps the
//     page's HTTP responses open until it exits.
//
// # What it can't do
//
// A process that cleared its environment, called setsid and lost its parent before End looked is not found: nothing
// connects it to the child any more. On macOS the kernel hides the environment of Apple's own protected programs;
// those are found by descent and session only.
package pty
