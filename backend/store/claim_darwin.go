package store

// From <sys/fcntl.h> of macOS; package unix does not have them.
const (
	ofdGetLock = 92 // F_OFD_GETLK
	ofdSetLock = 90 // F_OFD_SETLK
)
