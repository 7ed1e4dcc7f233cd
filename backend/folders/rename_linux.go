package folders

import "golang.org/x/sys/unix"

// renameExclusive renames from one open folder into another, and replaces nothing.
func renameExclusive(from int, name string, into int, as string) error {
	return unix.Renameat2(from, name, into, as, unix.RENAME_NOREPLACE)
}

// renameExchange gives a file of one open folder and one of another each other's name.
func renameExchange(from int, name string, into int, as string) error {
	return unix.Renameat2(from, name, into, as, unix.RENAME_EXCHANGE)
}
