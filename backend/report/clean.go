package report

import (
	"cmp"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Private is what must not get into a bundle.
type Private struct {
	Home       string   // the person's own folder
	DataDir    string   // Hearth's
	Workspaces []string // folders of channels: what they are called is the person's business
	Secrets    []string // tokens and the like
	Texts      []string // what was written in channels
	// Blind says that Secrets, Workspaces and Texts could not be gathered: of errors in
	// the log only the length is told then.
	Blind bool
}

const (
	// leastSecret and leastText are how many bytes make something worth looking for: what is
	// shorter stands everywhere.
	leastSecret = 4
	leastText   = 12

	secretMark = "[secret]"
	textMark   = "[text]"
	pathMark   = "[path]"
	dataMark   = "[data folder]"
)

// looks are what secrets look like, whoever's they are. The order matters: what is
// named goes before what only looks odd.
var looks = []struct {
	what *regexp.Regexp
	mark string
}{
	// scheme://user:password@host
	{regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s"'<>]*@`), "${1}" + secretMark + "@"},
	{regexp.MustCompile(`(?i)\b(set-cookie2?|cookie|(?:proxy-)?authorization|x-api-key|x-auth-token)(["']?\s*[:=]\s*)[^\r\n]+`), "${1}${2}" + secretMark},
	{regexp.MustCompile(`(?i)\b(bearer|basic|hearth_session=)[\s:]*[^\s"',;]+`), "${1} " + secretMark},
	// NAME_TOKEN=…, "api_key": "…", ?token=…
	{regexp.MustCompile(`(?i)([A-Z0-9_.-]*(?:token|key|secret|passw(?:or)?d|passphrase|cookie|credential|session)[A-Z0-9_.-]*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s"',;&]+)`), "${1}" + secretMark},
	{regexp.MustCompile(`\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}`), secretMark},
	{regexp.MustCompile(`\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|hf_|AKIA|ASIA|AIza)[A-Za-z0-9_-]{10,}`), secretMark},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?`), secretMark},
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*`), secretMark},
	{regexp.MustCompile(`[\p{L}\p{N}._%+'-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`), "[e-mail address]"},
	// The tokens of a start, and whatever else is long and random. Ids are shorter.
	{regexp.MustCompile(`[A-Za-z0-9_-]{40,}`), secretMark},
}

// cleaner takes out what is private.
type cleaner struct {
	known *strings.Replacer
	roots []root
	blind bool
}

// root is a folder whose name is replaced.
type root struct {
	path, mark string
	below      bool // what stands below it may be told
}

func newCleaner(p Private) *cleaner {
	c := &cleaner{blind: p.Blind}
	var pairs []string
	add := func(value, mark string, least int) {
		value = strings.TrimSpace(value)
		for _, spelled := range []string{value, url.QueryEscape(value), url.PathEscape(value), strings.Trim(strconv.Quote(value), `"`)} {
			if len(spelled) >= least {
				pairs = append(pairs, spelled, mark)
			}
		}
	}
	// A folder's secret name may stand in a message too, so the longest goes first: each
	// is then taken out whole.
	for _, s := range p.Secrets {
		add(s, secretMark, leastSecret)
	}
	for _, t := range p.Texts {
		for line := range strings.Lines(t) {
			add(line, textMark, leastText)
		}
	}
	c.known = strings.NewReplacer(longestFirst(pairs)...)
	names := 0
	for _, path := range slices.Compact(slices.Sorted(slices.Values(p.Workspaces))) {
		if isFolder(path) {
			names++
			c.roots = append(c.roots, root{filepath.Clean(path), "[workspace " + strconv.Itoa(names) + "]", false})
		}
	}
	for _, r := range []root{{p.DataDir, dataMark, true}, {p.Home, "~", false}} {
		if isFolder(r.path) {
			c.roots = append(c.roots, root{filepath.Clean(r.path), r.mark, r.below})
		}
	}
	slices.SortStableFunc(c.roots, func(a, b root) int { return cmp.Compare(len(b.path), len(a.path)) })
	return c
}

// isFolder says whether a path can be looked for: the root of the disk stands in
// every path.
func isFolder(path string) bool { return filepath.IsAbs(path) && filepath.Clean(path) != "/" }

// longestFirst sorts pairs of what is replaced and by what: of several that begin at
// the same place, a Replacer takes the first.
func longestFirst(pairs []string) []string {
	type pair struct{ from, to string }
	all := make([]pair, 0, len(pairs)/2)
	for p := range slices.Chunk(pairs, 2) {
		all = append(all, pair{p[0], p[1]})
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(len(b.from), len(a.from)) })
	out := make([]string, 0, len(pairs))
	for _, p := range all {
		out = append(out, p.from, p.to)
	}
	return out
}

// text cleans a sentence of Hearth's own.
func (c *cleaner) text(s string) string {
	s = c.known.Replace(s)
	for _, look := range looks {
		s = look.what.ReplaceAllString(s, look.mark)
	}
	s = c.paths(s)
	for _, r := range c.roots { // one that stands in the middle of a word
		s = strings.ReplaceAll(s, r.path, r.mark)
	}
	return s
}

// beginsPath finds what may begin an absolute path. What comes before it tells it
// from the middle of an address.
var beginsPath = regexp.MustCompile(`(^|[\s"'“‘(=\[,;:])(/)`)

// system are folders whose content is no secret: programs and libraries.
var system = []string{"/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/proc/", "/dev/", "/Applications/", "/System/", "/Library/", "/api/", "/snap/", "/nix/"}

// paths shortens the paths in a text: home is ~, Hearth's own folder and those of
// channels are named by what they are, the system's stay. Of any other only that
// there was one is told.
func (c *cleaner) paths(s string) string {
	var out strings.Builder
	for {
		m := beginsPath.FindStringSubmatchIndex(s)
		if m == nil {
			out.WriteString(s)
			return out.String()
		}
		at := m[4]
		if strings.HasPrefix(s[at:], "//") { // scheme://host
			out.WriteString(s[:at+2])
			s = s[at+2:]
			continue
		}
		out.WriteString(s[:at])
		shown, size := c.path(s[at:])
		out.WriteString(shown)
		s = s[at+size:]
	}
}

// path shortens the path that a text begins with, and says how many bytes it takes.
func (c *cleaner) path(s string) (shown string, size int) {
	for _, r := range c.roots {
		rest, ok := strings.CutPrefix(s, r.path)
		if !ok || rest != "" && !strings.ContainsRune("/\"'”’:;,) \t", firstOf(rest)) {
			continue
		}
		n := len(s) - len(rest)
		if !strings.HasPrefix(rest, "/") {
			return r.mark, n
		}
		// Below the home folder, what begins with a dot is a program's own.
		if r.below || r.mark == "~" && strings.HasPrefix(rest, "/.") {
			word := wordOf(rest)
			return r.mark + word, n + len(word)
		}
		return r.mark + "/" + pathMark, n + lengthOf(rest)
	}
	for _, known := range system {
		if strings.HasPrefix(s, known) {
			word := wordOf(s)
			return word, len(word)
		}
	}
	if len(wordOf(s)) == 1 { // a slash between words
		return "/", 1
	}
	return pathMark, lengthOf(s)
}

func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// wordOf is a path up to the first white space, quote or mark that ends one.
func wordOf(s string) string {
	if at := strings.IndexAny(s, " \t\"'”’;,)"); at >= 0 {
		s = s[:at]
	}
	if at := strings.Index(s, ": "); at >= 0 {
		s = s[:at]
	}
	return strings.TrimSuffix(s, ":")
}

// lengthOf is how long a path may be at most: names may have spaces in them, so it
// goes on to what ends one for certain.
func lengthOf(s string) int {
	end := len(s)
	for _, mark := range []string{": ", "\"", "”", "\n", "; ", ") ", "␊"} {
		if at := strings.Index(s, mark); at >= 0 {
			end = min(end, at)
		}
	}
	return end
}
