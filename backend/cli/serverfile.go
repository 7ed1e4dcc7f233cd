package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
)

// serverName is the file in the data folder that tells programs how to reach the
// Hearth that runs with it. Only its owner can read it.
const serverName = "server.json"

// serverFile is what stands in it.
type serverFile struct {
	Addr  string `json:"addr"`  // host:port, on loopback
	Token string `json:"token"` // for Authorization: Bearer
	PID   int    `json:"pid"`
	// Window says that it has a window, or is about to open one.
	Window bool `json:"window,omitempty"`
}

// readServer reads it; ok is false when there is none.
func readServer(dir string) (s serverFile, ok bool, err error) {
	path := filepath.Join(dir, serverName)
	if err := isFile(path); err != nil {
		return s, false, err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fmt.Errorf("read how to reach Hearth: %w", err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		// Written by another version, or cut off with the machine's power. If a
		// Hearth runs, the lock tells.
		return serverFile{}, false, nil //nolint:nilerr // see above
	}
	if !isLoopback(s.Addr) {
		return s, false, fmt.Errorf("%s names %q, which is not on this machine: remove the file, then try again", path, s.Addr)
	}
	return s, true, nil
}

// isFile refuses what is there and no file: a pipe would be waited for.
func isFile(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file: move it away, then try again", path)
	}
	return nil
}

// write puts it into the data folder, whole or not at all.
func (s serverFile) write(dir string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(dir, "."+serverName+".*") // 0600
	if err != nil {
		return fmt.Errorf("write how to reach Hearth: %w", err)
	}
	_, err = part.Write(append(text, '\n'))
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), filepath.Join(dir, serverName))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write how to reach Hearth: %w", err), os.Remove(part.Name()))
	}
	return nil
}

// remove takes it away again.
func (s serverFile) remove(dir string) error {
	err := os.Remove(filepath.Join(dir, serverName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove how to reach Hearth: %w", err)
	}
	return nil
}

// isLoopback says whether host:port is on this machine, by number: names can be
// made to mean anything.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
