package folders

import "golang.org/x/sys/unix"

// renameExclusive renames from one open folder into another, and replaces nothing.
func renameExclusive(from int, name string, into int, as string) error {
	return unix.Renameat2(from, name, into, as, unix.RENAME_NOREPLACE)
}
