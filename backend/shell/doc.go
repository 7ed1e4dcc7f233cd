// Package shell stands before every command of an agent, so that the long output
// of one that fails is spilled: the client's hooks never see it, and failing test
// runs are the longest output of all.
//
// Words:
//
//   - prefix: CLAUDE_CODE_SHELL_PREFIX. The client puts the program that it names
//     before each command of its Bash tool, each stdio MCP server and each command
//     hook, with the whole command line as the one argument.
//   - helper: that program. It is a small static one where the build has embedded
//     it, else Hearth itself, called by the helper's name.
//   - shape: by what a command of the Bash tool is told from the rest, see command.
//   - output: the regular file that the client gives a command of the Bash tool as
//     both stdout and stderr, to append to, and reads when the command has ended.
//   - spill, pointer: as in package guard.
//   - record: what the helper tells Hearth of a spill, a line of JSON in a file.
//
// What it promises:
//
//   - Nothing stands between a command and its output: it has the client's own
//     descriptors. What goes on running in the background keeps them.
//   - Only the output of a Bash command that ended with another status than 0 is
//     touched, and only when all of it is in the spill folder. When that can't be
//     (the disk is full, a folder is a link, the output still grows, it is no
//     regular file), it stays as it is, and the record says why.
//   - A job that was left running and writes in the very moment when the output is
//     replaced, between two system calls, loses what it wrote then. Nothing else
//     is ever lost.
//   - The exit status is the command's own, or the helper dies of the signal that
//     its shell died of. Signals that reach the whole group, as the client sends
//     them, are the command's affair: the helper waits for its end.
//   - Everything that is no command of the Bash tool, and all of them when nothing
//     is to be spilled, is what the helper becomes (exec): no process in between.
//   - Output is read in pieces, whatever its size, and is never held in memory.
//   - Hearth's variables are the helper's alone: no command, server or hook sees
//     them, or the prefix. A prefix of the person's own is put in its place.
//   - The helper is run only from a folder of this user's that nobody else can
//     write to, and its content is checked at each Install.
//
// Measured with the client's versions 2.1.197 and 2.1.332: the output is opened
// with O_APPEND and read from its beginning after the command's end, so that what
// stands in its place then is what the model gets, below "Exit code N", also of
// commands in the background. A command that runs into its timeout goes on in the
// background in 2.1.332. 2.1.197 ends it (TERM to the group) and does not wait for
// the end before it reads: then the model gets the pointer or the output as the
// client cuts it, and the whole is spilled in both cases.
package shell
