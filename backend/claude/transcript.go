package claude

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
)

// ConfigDir is where a client with that environment keeps its sessions: CLAUDE_CONFIG_DIR, else ~/.claude.
func ConfigDir(env []string) string {
	var config, home string
	for _, entry := range env { // the last of equal names counts
		switch name, value, _ := strings.Cut(entry, "="); name {
		case "CLAUDE_CONFIG_DIR":
			config = value
		case "HOME":
			home = value
		}
	}
	if config != "" {
		return config
	}
	return filepath.Join(home, ".claude")
}

// TranscriptPath is where a client that runs in dir writes the transcript of a native session. The client names the folder
// after the directory, links resolved, with every character that is no ASCII letter or digit turned into "-"; so different
// directories can share one, and a very long one is cut. FindTranscript goes by the id alone.
func TranscriptPath(configDir, dir, native string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	var encoded strings.Builder
	for _, r := range dir {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			encoded.WriteRune(r)
		case r > 0xFFFF:
			encoded.WriteString("--") // JavaScript counts it as two
		default:
			encoded.WriteByte('-')
		}
	}
	return filepath.Join(configDir, "projects", encoded.String(), native+".jsonl")
}

// FindTranscript finds the transcript of a native session in whatever project's folder it lies: the newest, should there be
// several. The error is fs.ErrNotExist when there is none.
func FindTranscript(configDir, native string) (string, error) {
	if err := uuid.Validate(native); err != nil {
		return "", fmt.Errorf("find a transcript: the native id %q: %w", native, err)
	}
	projects := filepath.Join(configDir, "projects")
	folders, err := os.ReadDir(projects)
	if err != nil {
		return "", fmt.Errorf("find a transcript: %w", err)
	}
	var newest string
	var when time.Time
	for _, f := range folders {
		path := filepath.Join(projects, f.Name(), native+".jsonl")
		info, err := os.Stat(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && f.IsDir() {
			return "", fmt.Errorf("find a transcript: %w", err)
		}
		if err == nil && (newest == "" || info.ModTime().After(when)) {
			newest, when = path, info.ModTime()
		}
	}
	if newest == "" {
		return "", fmt.Errorf("find the transcript of %s in %s: %w", native, projects, fs.ErrNotExist)
	}
	return newest, nil
}
