// Package workbench is the folder .flower of a workspace: what agents keep there
// for each other, and what they are told of it.
//
// Words:
//
//   - workbench: the folder .flower, in a channel's workspace, or in a folder
//     outside of it when agents work in worktrees of their own.
//   - scripts/, notes/, artifacts/: what is run again, one decision a file, and
//     long output. spill/: long tool output that was taken out of a conversation.
//   - entry: one file of these folders. inventory: all of them at one moment.
//   - description: a script's line "# desc: …", a note's heading.
//   - index: the inventory as agents read it, and INDEX.md. At most MaxListed
//     entries stand in it; of the rest it says how many and how to list them.
//   - mark: what one native session has been told of the index. It is this
//     package's watermark.
//   - delta: what is new, changed or gone since a mark.
//   - trash: where deleted files wait to be restored. It is no part of what agents
//     are told or find.
//
// What it promises:
//
//   - Everything in the folder is foreign: names, descriptions, links, and what
//     lies about there. Nothing outside of the workbench is read or written,
//     links that lead outside are listed as such, FIFOs and devices are never
//     opened, files with a second name (hard links) are never read, because that
//     name may be anywhere. A .flower that is itself a link or a file is refused.
//   - A name or a description is one line of the index, visible and bounded,
//     whatever is in it. What was cut is named.
//   - The same inventory gives the same index, byte for byte.
//   - Whoever applies each delta to what was told before it knows what the whole
//     index says, and is told nothing twice, except when the whole is told anew,
//     which is said.
//   - A file is written whole or not at all, and links that stand in its place
//     are replaced, never followed. Only INDEX.md and files in spill/ are ever
//     replaced; a .gitignore is the person's as soon as it is there.
//   - What is deleted can be restored for an hour at least, and mostly for days; what is
//     restored replaces nothing.
//
// Index, Delta and Rules are pure. A Bench may be used from several goroutines.
package workbench
