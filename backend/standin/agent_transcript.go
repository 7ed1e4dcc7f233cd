package standin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"
)

// transcript is the session on disk, in the client's shape and place: one JSON
// entry a line, users' and assistants' chained by parentUuid. What the stand-in
// remembers after --resume is what stands there, and nothing else.
type transcript struct {
	session string
	cwd     string
	file    *os.File
	leaf    string // uuid of the newest entry of the chain; "" is none
	loaded  []transcriptEntry
}

type transcriptEntry struct {
	Type    string          `json:"type"`
	UUID    string          `json:"uuid"`
	Parent  string          `json:"parentUuid"`
	Message json.RawMessage `json:"message"`
	Failed  bool            `json:"isApiErrorMessage"`
}

var errNoSession = errors.New("No conversation found") //nolint:staticcheck // the client's own sentence

// projectDir is where transcripts of a working directory are.
func projectDir(cwd string) (string, error) {
	config := os.Getenv("CLAUDE_CONFIG_DIR")
	if config == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the home directory: %w", err)
		}
		config = filepath.Join(home, ".claude")
	}
	return filepath.Join(config, "projects", projectName(cwd)), nil
}

// projectName is a directory's name as the client writes it: every UTF-16 unit
// that is no ASCII letter or digit becomes a dash. Long ones are cut and told
// apart by a hash (the client's own hash is another).
func projectName(cwd string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(cwd)) {
		if r := rune(unit); r < 0x80 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	name := b.String()
	if len(name) <= 200 {
		return name
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(cwd)) // never fails
	return fmt.Sprintf("%s-%x", name[:200], sum.Sum64())
}

// openTranscript opens the transcript of a session, loading the history of the
// session that is resumed ("" is none).
func openTranscript(session, resume string) (*transcript, error) {
	cwd, err := os.Getwd()
	if err == nil {
		cwd, err = filepath.EvalSymlinks(cwd)
	}
	if err != nil {
		return nil, fmt.Errorf("find the working directory: %w", err)
	}
	dir, err := projectDir(cwd)
	if err != nil {
		return nil, err
	}
	t := &transcript{session: session, cwd: cwd}
	path := filepath.Join(dir, session+".jsonl")
	if resume != "" {
		if _, err := uuid.Parse(resume); err != nil {
			return nil, fmt.Errorf("%w with session ID: %s", errNoSession, resume)
		}
		if t.loaded, err = loadTranscript(filepath.Join(dir, resume+".jsonl")); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%w with session ID: %s", errNoSession, resume)
		} else if err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(path); err == nil && session != resume {
		return nil, fmt.Errorf("Error: Session ID %s is already in use.", session) //nolint:staticcheck // the client's own sentence
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of transcripts: %w", err)
	}
	if t.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	if n := len(t.loaded); n > 0 {
		t.leaf = t.loaded[n-1].UUID
	}
	return t, nil
}

// loadTranscript reads the chain that ends with the newest message, oldest first.
func loadTranscript(path string) ([]transcriptEntry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the transcript: %w", err)
	}
	defer func() { _ = file.Close() }()
	entries := map[string]transcriptEntry{}
	leaf := ""
	in := bufio.NewReader(file)
	for {
		raw, err := in.ReadBytes('\n')
		var e transcriptEntry
		if json.Unmarshal(raw, &e) == nil && e.UUID != "" {
			entries[e.UUID] = e
			if e.Type == "user" || e.Type == "assistant" {
				leaf = e.UUID
			}
		}
		if err != nil {
			break // its end; a torn last line is passed over
		}
	}
	var chain []transcriptEntry
	for at := leaf; at != ""; {
		e, ok := entries[at]
		if !ok {
			break
		}
		delete(entries, at) // a ring would never end
		chain = append(chain, e)
		at = e.Parent
	}
	for i, j := 0, len(chain)-1; i < j; i, j = i+1, j-1 {
		chain[i], chain[j] = chain[j], chain[i]
	}
	return chain, nil
}

// add writes an entry of the chain.
func (t *transcript) add(kind, id string, message any, more map[string]any) error {
	e := map[string]any{
		"type": kind, "uuid": id, "parentUuid": nil, "message": message, "isSidechain": false,
		"userType": "external", "entrypoint": "sdk-cli", "cwd": t.cwd, "version": agentVersion, "gitBranch": "",
	}
	if t.leaf != "" {
		e["parentUuid"] = t.leaf
	}
	for k, v := range more {
		e[k] = v
	}
	t.leaf = id
	return t.write(e)
}

// write writes any entry, in one piece.
func (t *transcript) write(e map[string]any) error {
	e["sessionId"] = t.session
	e["timestamp"] = timestamp(time.Now())
	if _, err := t.file.Write(append(encode(e), '\n')); err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	return nil
}

func timestamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// memory is what the agent knows of its session.
type memory struct {
	turns      int      // messages it was sent
	bytes      int      // of all text, its own too
	remembered []string // by /remember
	unanswered int      // newest messages that got no answer: they come again with the next one
}

// hear takes a message in.
func (m *memory) hear(t told, bytes int) {
	m.turns++
	m.unanswered++
	m.bytes += bytes
	for _, c := range t.commands {
		if c.name == "remember" && c.rest != "" {
			m.remembered = append(m.remembered, c.rest)
		}
	}
}

// recall makes the memory of a loaded history.
func recall(entries []transcriptEntry) memory {
	var m memory
	for _, e := range entries {
		m.bytes += len(e.Message)
		if e.Type == "assistant" && !e.Failed {
			m.unanswered = 0
			continue
		}
		if text := messageText(e.Message); e.Type == "user" && text != "" && text != interruption {
			m.hear(understand(text), 0)
		}
	}
	return m
}

// interruption is what the client says of a turn that was interrupted.
const interruption = "[Request interrupted by user]"
