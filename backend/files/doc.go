// Package files keeps what people drop into a channel in the channel's workspace,
// and reads files of a workspace for the page to show.
//
//   - The workspace is a folder of the person's own, in which agents write, and
//     names come from anywhere: both are treated as hostile. Nothing outside of
//     the workspace is ever written or read, whatever a name says and whatever
//     links lie about in it.
//   - Stored files go to .flower/artifacts/. A .flower that Hearth makes gets a
//     .gitignore that keeps all of it out of the person's repository; one that is
//     there already is theirs and stays as it is.
//     In the place of either folder a link is refused, wherever it leads.
//   - A file is there whole under its name, or not at all, also for whoever looks
//     while it is stored and after Hearth was killed in the middle. (On a file
//     system with neither an exclusive rename nor hard links the name is there a
//     moment before the content is.) Nothing is ever overwritten: a name that is
//     taken gets a number.
//   - Nothing waits for what stands in a file's or folder's place: no FIFO, no
//     device.
//   - A stored name holds nothing that means something to a shell, to Markdown, in
//     a URL, as a mention or to Windows (see SafeName), so that it can be written
//     anywhere without quotes.
//   - Only regular files with one name are read: no folder, FIFO, socket or
//     device, and no file with a second name (a hard link), because that name may
//     be anywhere.
//   - What a file is, its content says, never its name. Images are told apart; SVG
//     counts as one, and is a document that can hold scripts: serve it under a
//     policy that lets it do nothing. HTML is never an image.
package files

// MaxSize is the most bytes that a file may have, to be stored and to be read:
// 25 MiB. Fixed.
const MaxSize = 25 << 20
