package tool

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// What git prints is foreign: branch names, paths, authors and subjects are
// whatever a repository holds, in any encoding. The parsers here keep a bounded
// part of it whatever its size, and make of it only what they understand.

const (
	maxChanges = 50       // changed files that are kept; the rest is counted
	maxCommits = 5        // commits that are asked for
	maxField   = 8 * 1024 // bytes of one field; the longest path Linux takes is 4,096
)

// fields is a writer that cuts what it is given at NUL bytes and hands each
// field on. Of a field longer than maxField the rest is dropped. A last field
// without its NUL was cut off by whatever ended git, and is not handed on.
type fields struct {
	each func(field string)
	held []byte
}

// Write never fails.
func (f *fields) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, 0)
		piece := rest
		if end >= 0 {
			piece = rest[:end]
		}
		f.held = append(f.held, piece[:min(len(piece), maxField-len(f.held))]...)
		if end < 0 {
			break
		}
		f.each(string(f.held))
		f.held = f.held[:0]
		rest = rest[end+1:]
	}
	return len(p), nil
}

// status is what git status says.
type status struct {
	branch  branch
	changes []change // the first maxChanges
	count   int      // all
}

type branch struct {
	name          string // "" when detached
	detached      bool
	commit        string // full hash; "" before the first commit
	upstream      string
	ahead, behind int
}

type change struct {
	code string // two letters: index and working tree; "??" is untracked
	path string
	from string // of a rename or copy: the path before
}

// statusParser makes a status of the fields of
// git status --porcelain=v2 --branch -z.
type statusParser struct {
	status status
	// renamed says that the next field is the former path of the change before.
	renamed bool
}

func (p *statusParser) field(s string) {
	if p.renamed {
		p.renamed = false
		if p.status.count <= maxChanges {
			p.status.changes[p.status.count-1].from = s
		}
		return
	}
	kind, rest, _ := strings.Cut(s, " ")
	switch kind {
	case "#":
		p.status.branch.header(rest)
	case "1": // XY sub mH mI mW hH hI path
		p.changed(rest, 7)
	case "2": // XY sub mH mI mW hH hI score path, then the former path
		p.renamed = p.changed(rest, 8)
	case "u": // XY sub m1 m2 m3 mW h1 h2 h3 path
		p.changed(rest, 9)
	case "?":
		if rest != "" {
			p.add(change{code: "??", path: rest})
		}
	}
}

// changed takes an entry whose path stands behind that many fields.
func (p *statusParser) changed(entry string, before int) bool {
	parts := strings.SplitN(entry, " ", before+1)
	if len(parts) != before+1 || parts[before] == "" || !isCode(parts[0]) {
		return false
	}
	p.add(change{code: parts[0], path: parts[before]})
	return true
}

func (p *statusParser) add(c change) {
	p.status.count++
	if p.status.count <= maxChanges {
		p.status.changes = append(p.status.changes, c)
	}
}

// isCode says whether s is a pair of git's state letters.
func isCode(s string) bool {
	return len(s) == 2 && strings.Trim(s, ".MTADRCU") == ""
}

func (b *branch) header(s string) {
	key, value, _ := strings.Cut(s, " ")
	switch key {
	case "branch.oid":
		if isHash(value) {
			b.commit = value
		}
	case "branch.head":
		b.detached = value == "(detached)"
		b.name = value
		if b.detached {
			b.name = ""
		}
	case "branch.upstream":
		b.upstream = value
	case "branch.ab":
		ahead, behind, _ := strings.Cut(value, " ")
		a, errA := strconv.Atoi(strings.TrimPrefix(ahead, "+"))
		c, errB := strconv.Atoi(strings.TrimPrefix(behind, "-"))
		if errA == nil && errB == nil && a >= 0 && c >= 0 {
			b.ahead, b.behind = a, c
		}
	}
}

func isHash(s string) bool {
	return len(s) >= 4 && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// commit is one entry of git log.
type commit struct {
	hash    string
	at      time.Time
	author  string
	subject string
}

// logFormat is what logParser reads: four fields a commit, each ended by NUL.
const logFormat = "--format=tformat:%h%x00%ct%x00%an%x00%s"

// logParser makes commits of the fields of git log -z with logFormat.
type logParser struct {
	commits []commit
	fields  []string
}

func (p *logParser) field(s string) {
	p.fields = append(p.fields, s)
	if len(p.fields) < 4 {
		return
	}
	f := p.fields
	p.fields = nil
	seconds, err := strconv.ParseInt(f[1], 10, 64)
	// A commit can claim any time; beyond year 9999 it has no four-digit year.
	if err != nil || seconds < 0 || seconds > 253402300799 || !isHash(f[0]) || len(p.commits) >= maxCommits {
		return
	}
	p.commits = append(p.commits, commit{hash: f[0], at: time.Unix(seconds, 0), author: f[2], subject: f[3]})
}

// driversParser collects, in order and each once, the names of the filter
// drivers that a repository's own configuration defines, out of the fields of
// git config -z --show-scope --get-regexp: a scope, then a key and its value
// with a line break between.
type driversParser struct {
	names []string
	scope string
	key   bool // the next field is a key
}

func (p *driversParser) field(s string) {
	if !p.key {
		p.scope, p.key = s, true
		return
	}
	p.key = false
	switch p.scope {
	case "system", "global", "command":
		return // the person's own
	}
	// The last dot: only the name between section and variable can hold dots. A
	// name can hold no line break, so the first one ends the key.
	key, _, _ := strings.Cut(s, "\n")
	end := strings.LastIndexByte(key, '.')
	if len(key) < len("filter.") || !strings.EqualFold(key[:len("filter.")], "filter.") || end < len("filter.") {
		return
	}
	name := key[len("filter."):end]
	for _, known := range p.names {
		if known == name {
			return
		}
	}
	p.names = append(p.names, name)
}
