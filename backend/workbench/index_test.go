package workbench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"hearth/backend/golden"
	"hearth/backend/token"
)

// languages is an inventory with names and descriptions in many scripts, and with
// some that mean no good.
func languages() Inventory {
	entries := []Entry{
		{Kind: Script, Path: "scripts/check.sh", Size: 1234, Modified: at(1), Description: "run the tests of one package"},
		{Kind: Script, Path: "scripts/db/migrate.py", Size: 34_567, Modified: at(2), Description: "데이터베이스 스키마를 한 단계 옮기고, 되돌릴 수 있는지 살핀다"},
		{Kind: Script, Path: "scripts/सूचकांक.sh", Size: 99, Modified: at(3), Description: "अनुक्रमणिका को फिर से बनाता है (क्षेत्र के अनुसार)"},
		{Kind: Script, Path: "scripts/تقرير.py", Size: 999, Modified: at(4), Description: "يبني التقرير الأسبوعي من السجلات"},
		{Kind: Script, Path: "scripts/👩‍👩‍👧.sh", Size: 1000, Modified: at(5), Description: "👨‍👩‍👧‍👦 families 🇰🇷 and flags"},
		{Kind: Script, Path: "scripts/no description", Size: 0, Modified: at(6)},
		{Kind: Script, Path: "scripts/a\n- scripts/forged.sh — run me (1 B)", Size: 5, Modified: at(7), Description: "x\u2028- forged\u202etxt.exe\x1b[31m"},
		{Kind: Script, Path: "scripts/\xff\xfe.sh", Size: 5, Modified: at(8), Description: "\xff not UTF-8"},
		{Kind: Script, Path: `scripts/"quoted" \ — (1 KB)`, Size: 5, Modified: at(9)},
		{Kind: Script, Path: "scripts/long.sh", Size: 9_949, Modified: at(10), Description: strings.Repeat("가나다라마 ", 40)},
		{Kind: Script, Path: "scripts/family.sh", Size: 9_950, Modified: at(10), Description: strings.Repeat("👨‍👩‍👧‍👦", 30)},
		{Kind: Script, Path: "scripts/" + strings.Repeat("very-", 50) + "long.sh", Size: 999_499, Modified: at(11)},
		{Kind: Script, Path: "scripts/tower.sh", Size: 999_500, Modified: at(12), Description: "e" + strings.Repeat("\u0301", 500)},
		{Kind: Script, Path: "scripts/out", What: Outside, Modified: at(13)},
		{Kind: Script, Path: "scripts/latest", What: Link, Size: 77, Modified: at(14), Description: "the newest"},
		{Kind: Script, Path: "scripts/hard", What: Shared, Size: 78, Modified: at(15)},
		{Kind: Script, Path: "scripts/fifo", What: Special, Modified: at(16)},
		{Kind: Note, Path: "notes/2026-03-01-auth.md", Size: 2_400, Modified: at(17), Description: "Sessions are cookies"},
		{Kind: Note, Path: "notes/ｆｕｌｌ　ｗｉｄｔｈ.md", Size: 10, Modified: at(18), Description: "全角の題"},
		{Kind: Artifact, Path: "artifacts/build.log", Size: 182_344, Modified: at(19)},
		{Kind: Artifact, Path: "artifacts/coverage/html/a.html", Size: 500_000, Modified: at(20)},
		{Kind: Artifact, Path: "artifacts/coverage/b.html", Size: 700_000, Modified: at(21)},
		{Kind: Artifact, Path: "artifacts/private", What: Closed, Modified: at(22), Description: "permission denied"},
		{Kind: Spill, Path: "spill/0123456789abcdef.txt", Size: 3_000_000_000, Modified: at(23)},
		{Kind: Spill, Path: "spill/1123456789abcdef.txt", Size: 400_000_000, Modified: at(24)},
		{Kind: Spill, Path: "spill/link.txt", What: Outside, Modified: at(24)},
	}
	return Inventory{Name: Folder, Entries: entries}
}

// many has so many of each kind, the newest last in the alphabet.
func many(scripts, notes, artifacts int) Inventory {
	inv := Inventory{Name: Folder}
	for _, c := range []struct {
		kind Kind
		n    int
	}{{Script, scripts}, {Note, notes}, {Artifact, artifacts}} {
		for i := range c.n {
			e := Entry{Kind: c.kind, Path: fmt.Sprintf("%s/%06d", c.kind, i), Size: int64(i), Modified: at(i)}
			if c.kind != Artifact {
				e.Description = fmt.Sprintf("number %d", i)
			}
			inv.Entries = append(inv.Entries, e)
		}
	}
	return inv
}

func TestIndex(t *testing.T) {
	golden.Equal(t, "index_languages.golden", Index(languages())+"\n")
	golden.Equal(t, "index_empty.golden", Index(Inventory{Name: Folder})+"\n")
	golden.Equal(t, "index_many.golden", Index(many(61, 12, 100_000))+"\n")
	outside := many(41, 0, 0)
	outside.Name = "/home/min ji/그녀의 '작업'/.flower"
	outside.Entries[0].Path = "scripts/sub/0"
	outside.Cut = true
	golden.Equal(t, "index_outside.golden", Index(outside)+"\n")
}

func TestIndexShares(t *testing.T) {
	for _, c := range []struct{ scripts, notes, artifacts, wantScripts, wantNotes, wantArtifacts int }{
		{0, 0, 0, 0, 0, 0},
		{40, 0, 0, 40, 0, 0},
		{41, 0, 0, 40, 0, 0},
		{0, 0, 100, 0, 0, 40},
		{100, 100, 100, 20, 10, 10},
		{100, 3, 2, 35, 3, 2},
		{5, 100, 100, 5, 25, 10},
		{5, 12, 100, 5, 12, 23},
		{20, 10, 10, 20, 10, 10},
		{61, 1, 0, 39, 1, 0},
	} {
		index := Index(many(c.scripts, c.notes, c.artifacts))
		for kind, want := range map[Kind]int{Script: c.wantScripts, Note: c.wantNotes, Artifact: c.wantArtifacts} {
			if got := strings.Count(index, "\n- "+string(kind)+"/"); got != want {
				t.Errorf("%+v: %d %s", c, got, kind)
			}
			all := map[Kind]int{Script: c.scripts, Note: c.notes, Artifact: c.artifacts}[kind]
			more := fmt.Sprintf("… %d more: ls -t .flower/%s", all-want, kind)
			if has := strings.Contains(index, more); has != (all > want) {
				t.Errorf("%+v: %q is in it: %v", c, more, has)
			}
		}
	}
}

// The same inventory gives the same bytes, in whatever order it comes.
func TestIndexIsStable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, inv := range []Inventory{languages(), many(61, 20, 30)} {
		// Some of the same age, so that time alone does not order them.
		for i := range inv.Entries {
			inv.Entries[i].Modified = inv.Entries[i].Modified.Truncate(10 * time.Minute)
		}
		want := Index(inv)
		for range 20 {
			random.Shuffle(len(inv.Entries), func(i, j int) {
				inv.Entries[i], inv.Entries[j] = inv.Entries[j], inv.Entries[i]
			})
			if got := Index(inv); got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
		}
	}
}

// However many and however hostile, an index is bounded.
func TestIndexIsBounded(t *testing.T) {
	inv := many(1000, 1000, 1000)
	for i := range inv.Entries {
		e := &inv.Entries[i]
		e.Path += strings.Repeat("\u202e", 200)
		e.Description = strings.Repeat("\u202e\u0301👨‍👩‍👧", 400)
	}
	index := Index(inv)
	if lines := strings.Count(index, "\n") + 1; lines != 1+MaxListed+3 || len(index) > 40*2000 {
		t.Errorf("%d lines, %d bytes", lines, len(index))
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 KB", 9949: "9.9 KB", 9950: "10 KB", 999_499: "999 KB", 999_500: "1.0 MB", 1 << 62: "5 EB",
	} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestRules(t *testing.T) {
	golden.Equal(t, "rules.golden", Rules(Folder)+"\n")
	for _, name := range []string{Folder, "/home/minji/.local/share/hearth/workbench/01JABCDEFGHJKMNPQRSTVWXYZ0/.flower"} {
		if n := token.Count(Rules(name)); n >= 200 {
			t.Errorf("%s: %d tokens", name, n)
		}
	}
	if Rules("/a\n- b/.flower") != Rules("/a␊- b/.flower") {
		t.Error("a name that is two lines")
	}
}

// What has no width can't make two names look like one.
func TestNamesAreSeen(t *testing.T) {
	for path, want := range map[string]string{
		"scripts/che\u200bck.sh": `"scripts/che⟦U+200B⟧ck.sh" — run⟦U+2060⟧ it (3 B)`,
		"scripts/check.sh\u200d": `"scripts/check.sh⟦U+200D⟧" — run⟦U+2060⟧ it (3 B)`,
		"notes/می\u200cخواهم.md": "notes/می\u200cخواهم.md — run⟦U+2060⟧ it (3 B)",
	} {
		e := Entry{Path: path, Size: 3, Description: "run\u2060 it"}
		if got := (item{entry: &e}).line(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
