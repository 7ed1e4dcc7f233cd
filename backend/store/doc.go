// Package store keeps what Hearth must not lose: channels, rows, bindings, runs,
// watermarks, native sessions, permission questions, and which processes were
// started. All of it is in one SQLite file. The package implements the stores
// that packages run and api declare, and is the only one that knows SQL.
//
// # Words
//
//   - A change is one write transaction. It happens as a whole or not at all.
//   - A change is synced when it is on the disk before the call returns, and
//     relaxed when it is not yet: it survives the end of the process (kill -9
//     too) but not a power cut, unless a synced change came after it.
//   - A view is one read transaction: everything in it is of one moment.
//   - A channel's clock gives the times that order things in that channel: now,
//     or a microsecond after the last time it gave, whichever is later. So they
//     strictly increase, also when the machine's clock stands still or goes back.
//   - A staged watermark is one that a running run was sent with. The run's end
//     commits it or throws it away.
//   - A hold is the right to a data folder, which one process has at a time. The
//     instance is a random id that belongs to the file which is locked for that,
//     so that a copy of the folder has another one.
//   - A claim is the right to a database file, by whatever name, which one store has
//     at a time.
//   - A fault is why a folder or a file can't be used as it is, with what to do.
//
// # Promises
//
//   - Changes come one after the other, through one connection (BEGIN IMMEDIATE);
//     views do not wait for them nor they for views (write-ahead log).
//   - A change that has begun is finished whatever becomes of the caller's context:
//     there is no half-known outcome. An error means that nothing was changed.
//   - Post, Edit, Delete, Finish, Unasked, Cancel, Retry, Fresh, Ask, Answer, and
//     everything that people arrange (channels, bindings) is synced. Begin, Wait,
//     StartSession, EndSession, MarkRead and the process records are relaxed, so
//     that a turn costs two syncs, that of its post and that of its end. SQLite
//     moves the log into the file every 1,000 pages (about 4 MB) and syncs for
//     that; this may fall to any change.
//   - On macOS synced means F_FULLFSYNC: past the disk's own cache.
//   - Errors are coded (chat.Code). A name that is taken, a run that has ended and
//     the like are CodeConflict; an id that nobody knows is CodeNotFound.
//   - The file is readable by its owner alone: it holds the tokens of bindings in
//     clear. They are never logged, nor do they appear in an error.
//   - A file that belongs to another program, that a newer Hearth has written, or
//     that is known to be damaged is not opened, and not changed. Damage is looked
//     for after every end that was not in order, and by Check.
//
// # Layout
//
// migrations holds the schema, queries the SQL, and db what sqlc makes of them
// (`make generate`). What asks the index of all texts stands in search.go: sqlc does
// not know such tables. Times are stored as whole microseconds since 1970.
package store
