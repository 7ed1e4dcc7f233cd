package report

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"hearth/backend/logs"
)

// MaxLines is how many lines of the log a bundle holds: the newest.
const MaxLines = 2000

// Finding is what the doctor says about one thing.
type Finding struct {
	Name     string `json:"name"`
	OK       bool   `json:"ok"`
	Required bool   `json:"required"`
	Detail   string `json:"detail"`        // what was found, or what is wrong
	Fix      string `json:"fix,omitempty"` // how to get it
}

// Versions is what runs.
type Versions struct {
	Hearth   string `json:"hearth"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Schema   int64  `json:"schema"` // of the database; 0: it could not be read
}

// Agent is how an agent is set up. It has no name: that is the person's.
type Agent struct {
	Channel        int    `json:"channel"` // counted from 1
	Runtime        string `json:"runtime"`
	Model          string `json:"model"`
	PermissionMode string `json:"permission_mode"`
	Supervised     bool   `json:"supervised"`
	Resident       bool   `json:"resident"`
	OwnAPI         bool   `json:"own_api"` // it has a base URL
	BriefEveryTurn bool   `json:"brief_every_turn"`
	Role           string `json:"role"`
	Glance         bool   `json:"glance"`
	Hands          int    `json:"hands"`
	Workers        int    `json:"workers"`
	SpillOver      int    `json:"spill_over"`
}

// Channel is how a channel is set up.
type Channel struct {
	Direct        bool    `json:"direct"`
	Archived      bool    `json:"archived"`
	GitIgnore     string  `json:"git_ignore"`
	SpendLimitUSD float64 `json:"spend_limit_usd"`
}

// Facts is what a bundle is made of.
type Facts struct {
	At       time.Time
	Versions Versions
	Findings []Finding
	Counts   map[string]int64 // of what there is, by the name of its kind
	Channels []Channel
	Agents   []Agent
	Lines    []logs.Line // oldest first
	// Missing says what could not be gathered, and why: sentences.
	Missing []string
}

// File is one file of a bundle.
type File struct {
	Name  string
	About string // what it holds, a sentence
	Text  string
}

// Bundle is a report, whole: what it shows is what it writes.
type Bundle struct {
	Name  string // of the zip file
	At    time.Time
	Files []File
}

// removed is what the bundle says of itself.
const removed = `This is a report of Hearth's, made to find out why something does not work.

It holds: %s.

Taken out: messages and all other words of people and agents, names of channels and
agents, folders of channels, tokens, keys, cookies, passwords, e-mail addresses, and
of the log whatever was quoted in it. [secret], [text], [path] and the like stand
where something was. The home folder is ~.

Look through it before you hand it on: these are plain text files.
`

// knownModel is what the client calls its models; any other name is the person's.
var knownModel = regexp.MustCompile(`^(?:(?:claude-)?(?:opus|sonnet|haiku|default|inherit)[a-z0-9.-]{0,30})?(?:\[1m\])?$`)

// Make makes a bundle of the facts, without what is private.
func Make(f Facts, p Private) (Bundle, error) {
	c := newCleaner(p)
	b := Bundle{Name: "hearth-report-" + f.At.UTC().Format("20060102-150405") + ".zip", At: f.At}
	findings := make([]Finding, len(f.Findings))
	for i, found := range f.Findings {
		found.Detail, found.Fix = c.fault(found.Detail), c.text(found.Fix)
		findings[i] = found
	}
	agents := make([]Agent, len(f.Agents))
	for i, a := range f.Agents {
		if !knownModel.MatchString(a.Model) {
			a.Model = "[another]"
		}
		agents[i] = a
	}
	f.Versions.Hearth = c.text(f.Versions.Hearth)
	for _, part := range []struct {
		name, about string
		value       any
	}{
		{"versions.json", "which Hearth runs on what, and the version of the database’s schema", f.Versions},
		{"findings.json", "what “hearth doctor” found", findings},
		{"counts.json", "how much there is of what", f.Counts},
		{"settings.json", "how channels and agents are set up, without names, tokens and addresses", map[string]any{"channels": f.Channels, "agents": agents}},
	} {
		text, err := encode(part.value)
		if err != nil {
			return Bundle{}, fmt.Errorf("write %s of the report: %w", part.name, err)
		}
		b.Files = append(b.Files, File{part.name, part.about, text})
	}
	var log strings.Builder
	for _, l := range f.Lines {
		log.WriteString(c.line(l) + "\n")
	}
	b.Files = append(b.Files, File{"log.txt", fmt.Sprintf("the last %d lines of the log, without what was quoted in them", len(f.Lines)), log.String()})
	if len(f.Missing) > 0 {
		var missing strings.Builder
		for _, m := range f.Missing {
			missing.WriteString(c.fault(m) + "\n")
		}
		b.Files = append(b.Files, File{"missing.txt", "what could not be gathered, and why", missing.String()})
	}
	holds := make([]string, len(b.Files))
	for i, file := range b.Files {
		holds[i] = file.Name + " (" + file.About + ")"
	}
	about := File{"README.txt", "what this is and what was taken out", fmt.Sprintf(removed, strings.Join(holds, ",\n  "))}
	b.Files = append([]File{about}, b.Files...)
	return b, nil
}

func encode(v any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(v)
	return out.String(), err
}

// Write writes the bundle as a zip file.
func (b Bundle) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	for _, file := range b.Files {
		part, err := z.CreateHeader(&zip.FileHeader{Name: file.Name, Method: zip.Deflate, Modified: b.At.UTC()})
		if err == nil {
			_, err = io.WriteString(part, file.Text)
		}
		if err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
