package workbench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearth/backend/golden"
)

func TestDelta(t *testing.T) {
	inv := languages()
	whole, mark := Delta(Mark{}, inv)
	if whole != Index(inv) {
		t.Errorf("the first is not the whole:\n%s", whole)
	}
	if text, same := Delta(roundTrip(t, mark), inv); text != "" || !reflect.DeepEqual(same, mark) {
		t.Errorf("nothing changed, but:\n%s\n%+v", text, same)
	}

	after := languages()
	after.Entries = slices.DeleteFunc(after.Entries, func(e Entry) bool {
		return e.Path == "scripts/check.sh" || strings.HasPrefix(e.Path, "scripts/a\n")
	})
	for i := range after.Entries {
		switch e := &after.Entries[i]; e.Path {
		case "notes/2026-03-01-auth.md":
			e.Description = "Sessions are tokens"
		case "artifacts/build.log":
			e.Size += 400 // not to be seen at this size
		case "artifacts/coverage/b.html":
			e.Size += 800_000
		}
	}
	after.Entries = append(after.Entries,
		Entry{Kind: Script, Path: "scripts/새로.sh", Size: 12, Modified: at(50), Description: "새로 만든 것"},
		Entry{Kind: Script, Path: "scripts/\xff\xff.sh", Size: 12, Modified: at(50)}, // shown like another one
		Entry{Kind: Spill, Path: "spill/2123456789abcdef.txt", Size: 12, Modified: at(50)},
	)
	text, next := Delta(roundTrip(t, mark), after)
	golden.Equal(t, "delta.golden", text+"\n")
	if again, _ := Delta(next, after); again != "" {
		t.Errorf("told twice:\n%s", again)
	}
}

func roundTrip(t *testing.T, m Mark) Mark {
	t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var back Mark
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, m) {
		t.Fatalf("%s came back as %+v, %v", text, back, err)
	}
	return back
}

func TestDeltaOfNothing(t *testing.T) {
	empty := Inventory{Name: Folder}
	if text, mark := Delta(Mark{}, empty); text != "" || !reflect.DeepEqual(mark, Mark{}) {
		t.Errorf("%q %+v", text, mark)
	}
	_, mark := Delta(Mark{}, many(2, 0, 0))
	text, mark := Delta(mark, empty)
	if !strings.HasSuffix(text, ":\n- scripts/000000\n- scripts/000001") {
		t.Errorf("%q", text)
	}
	if text, _ = Delta(mark, empty); text != "" {
		t.Errorf("%q", text)
	}
	if text, _ = Delta(mark, many(1, 0, 0)); !strings.HasSuffix(text, ":\n+ scripts/000000 — number 0 (0 B)") {
		t.Errorf("%q", text)
	}
	// A mark of another workbench says nothing of this one.
	mark.Name = "/elsewhere/.flower"
	if text, _ = Delta(mark, many(1, 0, 0)); text != Index(many(1, 0, 0)) {
		t.Errorf("%q", text)
	}
}

// When an old one goes, the next is listed; what is not listed is counted.
func TestDeltaBeyondTheLimit(t *testing.T) {
	inv := many(61, 0, 0)
	_, mark := Delta(Mark{}, inv)
	inv.Entries = slices.Delete(inv.Entries, 60, 61)
	text, mark := Delta(mark, inv)
	if want := ":\n+ scripts/000020 — number 20 (20 B)\n… 20 more: ls -t .flower/scripts\n- scripts/000060"; !strings.HasSuffix(text, want) {
		t.Errorf("%s", text)
	}
	inv.Entries = slices.Delete(inv.Entries, 0, 5)
	text, mark = Delta(mark, inv)
	if want := ":\n… 15 more: ls -t .flower/scripts"; !strings.HasSuffix(text, want) {
		t.Errorf("%s", text)
	}
	inv.Entries = slices.Delete(inv.Entries, 0, 15)
	text, mark = Delta(mark, inv)
	if want := ":\n… none more in scripts/: all are listed"; !strings.HasSuffix(text, want) {
		t.Errorf("%s", text)
	}
	more := many(200, 0, 0)
	more.Entries = slices.Delete(more.Entries, 30, 35) // 40 new ones would fit, with these they do not
	text, _ = Delta(mark, more)
	golden.Equal(t, "delta_replaced.golden", text+"\n")
}

// A mark does not grow without end: when it would, the whole is told anew.
func TestMarkIsBounded(t *testing.T) {
	var mark Mark
	whole := 0
	for n := 10; n <= 1000; n += 10 {
		text, next := Delta(mark, many(n, 0, 0))
		if strings.HasPrefix(text, "Workbench .flower anew, in place of all that you were told of it (") {
			whole++
			if len(next.Told) != MaxListed || next.More[Script] != n-MaxListed {
				t.Errorf("%d: %d told, %v more", n, len(next.Told), next.More)
			}
		} else if n > 10 && strings.Count(text, "\n+ ") != 10 {
			t.Errorf("%d: %s", n, text)
		}
		if len(next.Told) > maxTold {
			t.Errorf("%d: a mark of %d", n, len(next.Told))
		}
		mark = next
	}
	if whole != 5 { // at 210, and every 170 after it
		t.Errorf("the whole was told anew %d times", whole)
	}
}

// Where nobody looked, nothing is gone.
func TestDeltaOfWhatWasNotLookedAt(t *testing.T) {
	inv := Inventory{Name: Folder, Entries: []Entry{{Kind: Note, Path: "notes/a/x.md"}, {Kind: Note, Path: "notes/b.md"}}}
	_, mark := Delta(Mark{}, inv)
	closed := Inventory{Name: Folder, Entries: []Entry{{Kind: Note, Path: "notes/a", What: Closed, Description: "permission denied"}}}
	text, next := Delta(mark, closed)
	if !strings.Contains(text, "+ notes/a — permission denied (a folder not looked into)") || strings.Contains(text, "- notes/a/x.md") || !strings.Contains(text, "- notes/b.md") {
		t.Errorf("%s", text)
	}
	if text, _ = Delta(next, inv); strings.Contains(text, "x.md") || !strings.Contains(text, "+ notes/b.md") || !strings.Contains(text, "\n- notes/a") {
		t.Errorf("%s", text)
	}
	if text, _ = Delta(mark, Inventory{Name: Folder, Cut: true}); text != "" {
		t.Errorf("%s", text)
	}
}

// A session knows what it was told, and nothing else: it reads the texts.
type session struct {
	told map[string]string // path as shown -> line
	more map[Kind]int
}

var kindOf = map[string]Kind{"scripts": Script, "notes": Note, "artifacts": Artifact}

// hear takes a text in, and says what is wrong with it.
func (s *session) hear(text string) error {
	header, rest, _ := strings.Cut(text, "\n")
	delta := strings.Contains(header, "since you were last told")
	if !delta {
		s.told, s.more = map[string]string{}, map[Kind]int{}
	}
	n := 0
	for line := range strings.SplitSeq(rest, "\n") {
		sign, body, _ := strings.Cut(line, " ")
		if sign == "…" {
			count, way, _ := strings.Cut(body, " ")
			last := strings.TrimSuffix(way[strings.LastIndex(way, "/")+1:], " -type f")
			if count == "none" {
				last = strings.TrimSuffix(strings.Fields(way)[2], "/:")
			}
			k, known := kindOf[last]
			if !known {
				return fmt.Errorf("no kind in %q", line)
			}
			s.more[k], _ = strconv.Atoi(count)
			continue
		}
		n++
		path := body
		if at := strings.LastIndex(path, " — "); at >= 0 {
			path = path[:at]
		} else if at := strings.LastIndex(path, " ("); at >= 0 {
			path = path[:at]
		}
		old, known := s.told[path]
		switch {
		case sign == "-" && !delta:
			s.told[path] = body
		case sign == "-" && known, sign == "~" && known && old != body, sign == "+" && !known:
			s.told[path] = body
			if sign == "-" {
				delete(s.told, path)
			}
		default:
			return fmt.Errorf("%q, but it was told %q", line, old)
		}
	}
	if n > MaxListed {
		return fmt.Errorf("%d entries", n)
	}
	return nil
}

// knows compares what a session was told with what is there.
func (s *session) knows(inv Inventory) error {
	var whole session
	if err := whole.hear(Index(inv)); err != nil {
		return err
	}
	for path, line := range whole.told {
		if s.told[path] != line {
			return fmt.Errorf("the index says %q, it was told %q", line, s.told[path])
		}
	}
	all := arrange(inv)
	lines := map[string]bool{}
	for _, kind := range listedKinds {
		knows := 0
		for _, it := range all.items[kind] {
			lines[it.line()] = true
			if _, ok := s.told[shownPath(it.entry.Path)]; ok {
				knows++
			}
		}
		if knows+s.more[kind] != len(all.items[kind]) {
			return fmt.Errorf("%d %s: it knows %d and of %d more", len(all.items[kind]), kind, knows, s.more[kind])
		}
	}
	for _, line := range s.told {
		if !lines[line] {
			return fmt.Errorf("it still believes %q", line)
		}
	}
	return nil
}

// Whoever hears each delta knows what the whole says, and nothing is told twice.
func TestDeltas(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		var (
			inv     = Inventory{Name: Folder}
			mark    Mark
			knows   session
			spoken  int
			silence int
		)
		for step := range 120 {
			change(r, &inv, step)
			text, next := Delta(roundTrip(t, mark), inv)
			if again, _ := Delta(mark, inv); again != text {
				t.Fatalf("seed %d, step %d: not the same twice", seed, step)
			}
			if text == "" {
				silence++
			} else {
				spoken++
				if err := knows.hear(text); err != nil {
					t.Fatalf("seed %d, step %d: %v in\n%s", seed, step, err, text)
				}
			}
			if len(next.Told) > maxTold {
				t.Fatalf("seed %d, step %d: a mark of %d", seed, step, len(next.Told))
			}
			if len(inv.Entries) > 0 && !next.zero() {
				if err := knows.knows(inv); err != nil {
					t.Fatalf("seed %d, step %d: %v, after\n%s", seed, step, err, text)
				}
			}
			// The turn fails now and then: then the mark does not move, and the
			// session has not heard it either.
			mark = next
			if text, _ := Delta(mark, inv); text != "" {
				t.Fatalf("seed %d, step %d: told twice:\n%s", seed, step, text)
			}
		}
		if spoken < 20 || silence == 0 {
			t.Errorf("seed %d: spoke %d times, was silent %d times: this proves nothing", seed, spoken, silence)
		}
	}
}

// change does to an inventory what agents do, now and then a lot at once.
func change(r *rand.Rand, inv *Inventory, step int) {
	times := r.IntN(4)
	if r.IntN(12) == 0 {
		times = r.IntN(90)
	}
	for range times {
		kind := listedKinds[r.IntN(3)]
		path := fmt.Sprintf("%s/%d", kind, r.IntN(120))
		if r.IntN(6) == 0 {
			path = fmt.Sprintf("%s/sub%d/%d", kind, r.IntN(4), r.IntN(9))
		}
		at := slices.IndexFunc(inv.Entries, func(e Entry) bool { return e.Path == path })
		e := Entry{Kind: kind, Path: path, Size: int64(r.IntN(3000)), Modified: at0.Add(time.Duration(step) * time.Minute), Description: fmt.Sprint("description ", r.IntN(5))}
		if kind == Artifact {
			e.Description = ""
		}
		if r.IntN(5) == 0 { // brought from elsewhere, with its old time
			e.Modified = at0.Add(-time.Hour)
		}
		switch {
		case at < 0:
			inv.Entries = append(inv.Entries, e)
		case r.IntN(2) == 0:
			inv.Entries[at] = e
		default:
			inv.Entries = slices.Delete(inv.Entries, at, at+1)
		}
	}
}

var at0 = at(0)

// A mark from other hands does no harm.
func FuzzMark(f *testing.F) {
	_, mark := Delta(Mark{}, languages())
	text, err := json.Marshal(mark)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"Name":".flower","Told":[{"Path":"x\n- y","Sum":""}],"More":{"scripts":-5,"x":3}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var m Mark
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		_, after := Delta(m, languages())
		if text, _ := Delta(after, languages()); text != "" {
			t.Errorf("told twice: %s", text)
		}
	})
}
