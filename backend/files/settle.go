package files

import (
	"errors"
	"io/fs"
	"os"

	"hearth/backend/chat"
	"hearth/backend/folders"
)

// maxSame is how many files may have one name before it is refused.
const maxSame = 10_000

// settle gives a written file its name, or the next one that is free. The file is
// whole before it has the name, and nothing that is there is replaced.
func settle(folder *os.Root, part, name string) (string, error) {
	for n := 1; n <= maxSame; n++ {
		try := numbered(name, n)
		err := folders.Move(folder, part, folder, try)
		if err == nil {
			return try, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", chat.Errorf(chat.CodeConflict, "There are %d files named %q already. Give this one another name.", maxSame, name)
}
