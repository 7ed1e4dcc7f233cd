package store

import "golang.org/x/sys/unix"

const (
	ofdGetLock = unix.F_OFD_GETLK
	ofdSetLock = unix.F_OFD_SETLK
)
