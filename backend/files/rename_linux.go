package files

import "golang.org/x/sys/unix"

// renameExclusive renames within a folder, and replaces nothing.
func renameExclusive(folder int, from, to string) error {
	return unix.Renameat2(folder, from, folder, to, unix.RENAME_NOREPLACE)
}
