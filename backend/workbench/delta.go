package workbench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTold is how many entries a mark holds. A session that was told more, over
// many deltas, is told the whole anew, so that a mark stays small. Fixed: it is
// part of the stored form.
const maxTold = 200

// maxKey is how long a path may be to stand in a mark as it is.
const maxKey = 200

// A Mark is what one native session has been told of the index. The zero mark is
// a session that was told nothing: a new one, or one that was compacted. It
// encodes to JSON and back; one that was changed by other hands costs at most a
// line told twice.
type Mark struct {
	// Name is the workbench that it is about. Of any other it says nothing.
	Name string
	// Told are the entries that the session knows of, by path.
	Told []Told
	// More is how many of each kind it knows to be there without knowing which.
	More map[Kind]int
}

// Told is one entry that a session has been told of.
type Told struct {
	Path string // as it stood in the line
	// Key tells the entry from others when its path could not be shown as it is.
	Key string `json:",omitempty"`
	Sum string // of the line
}

func (t Told) key() string { return cmp.Or(t.Key, t.Path) }

// zero says that nothing has been told.
func (m Mark) zero() bool { return m.Name == "" }

// Delta is what a session has to be told of the inventory, and the mark of one
// that was told it. The caller keeps that with the run and makes it the session's
// own when the turn is known to have arrived. The whole index when nothing has
// been told (and nothing when there is nothing to tell); afterwards what was added
// to the index, what changed and what is gone; "" when that is nothing. When it is
// more than MaxListed, or the mark would grow beyond bounds, the whole is told
// anew, and said to replace what was told.
//
// How many texts are spilled is no news by itself.
func Delta(before Mark, now Inventory) (text string, after Mark) {
	l := arrange(now)
	if before.zero() || before.Name != now.Name {
		if len(now.Entries) == 0 {
			return "", Mark{}
		}
		return l.whole("(" + label + "):"), l.mark()
	}
	told := make(map[string]Told, len(before.Told))
	for _, t := range before.Told {
		told[t.key()] = t
	}
	d := delta{list: l, told: told, after: Mark{Name: now.Name, More: map[Kind]int{}}}
	for _, kind := range listedKinds {
		d.kind(kind, before.More[kind])
	}
	d.gone(before, now)
	switch {
	case d.changes > MaxListed:
		header := fmt.Sprintf("changed in more than %d places; this replaces what you were told of it (%s):", MaxListed, label)
		return l.whole(header), l.mark()
	case len(d.after.Told) > maxTold:
		return l.whole("anew, in place of all that you were told of it (" + label + "):"), l.mark()
	case len(d.lines) == 0:
		return "", before
	}
	d.after.sort()
	return fmt.Sprintf("Workbench %s since you were last told (+ added, ~ changed, - gone; %s):\n", shownName(now.Name), label) + strings.Join(d.lines, "\n"), d.after
}

// mark is the mark of a session that was told the whole index and nothing else.
func (l list) mark() Mark {
	m := Mark{Name: l.name, More: map[Kind]int{}}
	for _, kind := range listedKinds {
		for _, it := range l.listed[kind] {
			m.Told = append(m.Told, it.told(it.line()))
		}
		if more := len(l.items[kind]) - len(l.listed[kind]); more > 0 {
			m.More[kind] = more
		}
	}
	m.sort()
	return m
}

func (m *Mark) sort() {
	slices.SortFunc(m.Told, func(x, y Told) int {
		return cmp.Or(cmp.Compare(x.Path, y.Path), cmp.Compare(x.Key, y.Key))
	})
}

// told is what a mark says of an item whose line was told.
func (it item) told(line string) Told {
	t := Told{Path: shownPath(it.entry.Path), Sum: sum(line)}
	if key := key(it.entry.Path); key != t.Path {
		t.Key = key
	}
	return t
}

// key tells a path from every other, in characters that JSON keeps.
func key(path string) string {
	if len(path) <= maxKey && utf8.ValidString(path) {
		return path
	}
	hash := sha256.Sum256([]byte(path))
	return "sha256:" + hex.EncodeToString(hash[:16])
}

type delta struct {
	list    list
	told    map[string]Told // what is left of it is gone
	after   Mark
	lines   []string
	changes int
}

// kind tells what is new and changed of one kind. more is how many were known
// without their names.
func (d *delta) kind(kind Kind, more int) {
	listed := make(map[string]bool, MaxListed)
	for _, it := range d.list.listed[kind] {
		listed[it.entry.Path] = true
	}
	knows := 0
	for _, it := range d.list.items[kind] {
		key := key(it.entry.Path)
		old, known := d.told[key]
		if !known && !listed[it.entry.Path] {
			continue
		}
		delete(d.told, key)
		knows++
		line := it.line()
		t := it.told(line)
		d.after.Told = append(d.after.Told, t)
		switch {
		case !known:
			d.say("+ " + line)
		case old.Sum != t.Sum:
			d.say("~ " + line)
		}
	}
	left := len(d.list.items[kind]) - knows
	if left > 0 {
		d.after.More[kind] = left
	}
	if left == more {
		return
	}
	if left == 0 {
		d.lines = append(d.lines, fmt.Sprintf("… none more in %s/: all are listed", kind))
		return
	}
	d.lines = append(d.lines, d.list.moreLine(kind, left))
}

func (d *delta) say(line string) {
	d.changes++
	d.lines = append(d.lines, line)
}

// gone tells what was told of and is not there any more. Where nobody looked,
// nothing is gone.
func (d *delta) gone(before Mark, now Inventory) {
	var closed []string
	for _, e := range now.Entries {
		if e.What == Closed {
			closed = append(closed, e.Path+"/")
		}
	}
	for _, t := range before.Told {
		key := t.key()
		if _, left := d.told[key]; !left {
			continue
		}
		if now.Cut || slices.ContainsFunc(closed, func(folder string) bool { return strings.HasPrefix(key, folder) }) {
			d.after.Told = append(d.after.Told, t)
			continue
		}
		d.say("- " + t.Path)
	}
}
