// Package changes knows what a turn made of files: what each was before, what the
// turn left, how the two differ, and how to put one in the place of the other.
//
//   - A [Version] is what a file was at one moment: its hash, and its content as far
//     as that is kept (MaxKept). A hash tells whether anybody has changed the file
//     since; the content is what a difference is shown from and what undo restores.
//   - Files are anybody's: the agent's, the person's, another agent's. [Replace] puts
//     content in the place of a version that the caller names, and of no other. It
//     looks once more at the very file that it has taken out of its place, and gives
//     it back when that is another version: what somebody wrote in the same moment
//     stays.
//   - A file is there whole under its name before and after, also for whoever looks
//     in between, where the file system can exchange two names (nearly all can).
//   - Paths have their links resolved when a file is first looked at. From then on no
//     link is followed: one that stands in the place of a file or a folder by then is
//     a [Fault], as are hard links, FIFOs and devices. None is opened.
//   - Only what the client's own tools changed is known. What a command did is not.
package changes
