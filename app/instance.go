package app

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// socketName is the socket's name in the data folder.
	socketName = "window.sock"
	// longestSocket is how long a socket's path may be in bytes: macOS allows 103, Linux 107.
	longestSocket = 103
	// raiseWithin bounds a second start's call, on both sides.
	raiseWithin = 2 * time.Second
	// longestToken bounds what a desktop hands over to allow a window to come to the front; they are some 50 bytes long.
	longestToken = 512

	raiseWord   = "raise"
	mentionWord = "mention"
	raisedWord  = "raised"
)

// Raise brings the window of the Hearth that runs with this data folder to the front, out of the background too; mention opens
// the dialog in it in which to write to an agent. It reports whether there is a window. Call it before taking the data folder's
// lock. It works in a build without a window.
func Raise(dataDir string, mention bool) bool {
	word := raiseWord
	if mention {
		word = mentionWord
	}
	path := socketPath(dataDir)
	if !ours(path) {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), raiseWithin)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return false // the folder's last window ended in a hurry, or there never was one
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(raiseWithin)); err != nil {
		return false
	}
	if _, err := fmt.Fprintf(conn, "%s %s\n", word, activationToken()); err != nil {
		return false
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	return err == nil && strings.TrimSuffix(answer, "\n") == raisedWord
}

// activationToken is what the desktop gave this start, so that a window may come to the front by it.
func activationToken() string {
	for _, name := range []string{"XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"} {
		if token := os.Getenv(name); token != "" && isToken(token) {
			return token
		}
	}
	return ""
}

func isToken(s string) bool {
	return len(s) <= longestToken && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// socketPath is where the window of a data folder listens: in the folder, or, when that makes a path too long for a
// socket, in the folder for such things, under a name made of the data folder's.
func socketPath(dataDir string) string {
	if absolute, err := filepath.Abs(dataDir); err == nil {
		dataDir = absolute
	}
	if path := filepath.Join(dataDir, socketName); len(path) <= longestSocket {
		return path
	}
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(dir) {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "hearth-"+shortName(dataDir)+".sock")
}

// shortName tells data folders apart where their paths can't stand.
func shortName(dataDir string) string {
	sum := sha256.Sum256([]byte(dataDir))
	return hex.EncodeToString(sum[:8])
}

// ours says whether a path is a socket of this user's: in a shared folder, somebody else could have put one there.
func ours(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeSocket {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// instance is the first start's end of the socket.
type instance struct {
	listener net.Listener
	does     map[string]func(token string) // by what a start asks for
	served   sync.WaitGroup
}

// listen makes the socket. A socket that is there is a dead one: the caller holds the data folder's lock.
func listen(dataDir string, raise, mention func(token string)) (*instance, error) {
	path := socketPath(dataDir)
	if ours(path) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("take the window's socket over: %w", err)
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen for a second start: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("keep the window's socket to this user: %w", err), listener.Close())
	}
	i := &instance{listener: listener, does: map[string]func(string){raiseWord: raise, mentionWord: mention}}
	i.served.Add(1)
	go i.serve()
	return i, nil
}

// close ends the socket; a start from now on finds no window. It may be called more than once.
func (i *instance) close() error {
	err := i.listener.Close()
	i.served.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// serve answers one call after the other: each is bounded, and there is never a crowd.
func (i *instance) serve() {
	defer i.served.Done()
	for {
		conn, err := i.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of descriptors, most likely; it passes
			time.Sleep(50 * time.Millisecond)
			continue
		}
		i.answer(conn)
	}
}

func (i *instance) answer(conn net.Conn) {
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(raiseWithin)); err != nil {
		return
	}
	line, err := bufio.NewReaderSize(conn, longestToken+len(mentionWord)+2).ReadSlice('\n')
	if err != nil {
		return
	}
	word, token, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
	do, ok := i.does[word]
	if !ok {
		return
	}
	if !isToken(token) {
		token = ""
	}
	do(token)
	fmt.Fprintln(conn, raisedWord)
}
