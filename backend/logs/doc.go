// Package logs is Hearth's own log: a file in the data folder, and reading it back.
//
//   - A line is one record of slog, as its text handler writes it: time, level,
//     message, then attributes. What others wrote stands quoted in it.
//   - The file is at most 10 MB; two older ones are kept beside it. Nothing else
//     bounds the log: older lines are gone.
//   - A cursor names a place between two lines, across files that were put aside
//     meanwhile. When its file is gone, reading says so (Page.Reset) and begins at
//     the newest lines.
//   - What is read is safe to show: control and bidi characters are visible, and a
//     value that is too long is cut and says by how much. A line that is no record
//     of ours is a line without a time, whose message is all of it.
//
// Reading needs no Hearth that runs, and does not disturb one that does.
package logs
