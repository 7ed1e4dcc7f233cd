// Package desktop hands files of the person's to programs of the person's: an editor, a
// file manager, whatever the desktop opens a kind of file with.
//
// What it promises:
//
//   - No file is run. Files come from agents, and what a desktop does to "open" a script
//     or a launcher may be to run it. So a text is given to an editor, by name, and what
//     may be a program is refused.
//   - A path is one argument of a program, and absolute: it is never read by a shell, and
//     never taken for a flag.
//   - Programs live on when Hearth ends, have no terminal of ours, and inherit none of its
//     descriptors.
//   - Where there is no display, nothing is started and the error says so.
package desktop
