// Package run is the turn's state machine: what happens between a row that
// addresses an agent and the agent's answer.
//
//   - A run is one piece of work for one binding: a row that addressed it (or, for
//     an unasked run, a turn the agent took by itself) and everything that came of it.
//   - Runs of one (channel, binding) are done one after the other, in the order
//     they were queued; different bindings work side by side.
//   - A turn is what a run does with a lease: it renders what the native session
//     has not heard, sends it, listens, and ends in one transaction that stores the
//     reply, the run's end, its usage and the watermark together.
//   - A staged watermark is one that was rendered and sent but is not proven yet.
//     Success proves it; so does finding the run's own message in the transcript of
//     a session that lives on. On neither proof it is discarded.
//   - What a turn used is put down in the ledger with the run's end, and never
//     changed. A turn of a channel that has reached its spending limit of the day is
//     asked about before it borrows a process; its run stays queued meanwhile.
//
// The package owns every move of a run's state (state.go) and is the only caller
// of Store's moves. It knows processes, clients and disks only by the interfaces
// it declares in ports.go.
package run
