package folders

import (
	"crypto/rand"
	"errors"
	"os"
)

// Exchange gives two files of a folder each other's name, in one step where the file
// system can; nobody who looks finds either name without a file then. Where it can't,
// it takes three, and whoever is killed right there leaves one of the files under a
// name that begins with PartPrefix. Links are exchanged themselves, and nothing is
// opened.
func Exchange(in *os.Root, one, other string) error {
	return exchange(in, one, other, renameSwap)
}

func exchange(in *os.Root, one, other string, swap naming) error {
	err := opened(in, in, func(f, i int) error { return unable(swap(f, i, one, other)) })
	if !errors.Is(err, errUnable) {
		if err != nil {
			return &os.LinkError{Op: "exchange", Old: one, New: other, Err: err}
		}
		return nil
	}
	aside := PartPrefix + rand.Text()
	if err := Move(in, other, in, aside); err != nil {
		return err
	}
	if err := Move(in, one, in, other); err != nil {
		return errors.Join(err, Move(in, aside, in, other))
	}
	if err := Move(in, aside, in, one); err != nil {
		return errors.Join(err, Move(in, other, in, one), Move(in, aside, in, other))
	}
	return nil
}

func renameSwap(from, into int, name, as string) error {
	return renameExchange(from, name, into, as)
}
