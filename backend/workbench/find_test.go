package workbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hearth/backend/chat"
)

func find(t *testing.T, b *Bench, query string, limit int) Found {
	t.Helper()
	found, err := b.Find(t.Context(), query, limit)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFind(t *testing.T) {
	b := bench(t)
	put(t, b, "scripts/Straße.sh", "# desc: x\necho one\n")
	put(t, b, "notes/auth.md", "# Sessions\n\nWe keep SESSION cookies.\nsession, session\n")
	put(t, b, "notes/korean.md", "# 결정\n빌드는 느리다\n")
	put(t, b, "notes/decomposed.md", "\u1107\u1175\u11af\u1103\u1173\n")
	put(t, b, "notes/hindi.md", "अनुक्रमणिका बनाता है\n")
	put(t, b, "notes/wide.md", "ＡＢＣ１２３\n")
	put(t, b, "notes/greek.md", "ΟΔΥΣΣΕΥΣ\n")
	put(t, b, "artifacts/crlf.log", "one\r\nneedle here\r\nlast needle")
	put(t, b, "artifacts/binary", "\x89PNG\x00\x01nee\x00dle\xff\x00lib/needle.c\x02needle\x00\n\x00qz\x00")
	put(t, b, "artifacts/zeros.log", "one\x00\n2 바늘\x00 two\n")
	put(t, b, "artifacts/bidi", "gpj.\u202eneedle\x1b[31m")
	put(t, b, "spill/x.txt", "a needle that was spilled")
	put(t, b, "elsewhere/x", "needle")
	for query, want := range map[string][]string{
		"strasse":    {"scripts/Straße.sh:0:scripts/Straße.sh"},
		"STRAẞE.sh":  {"scripts/Straße.sh:0:scripts/Straße.sh"},
		"session":    {"notes/auth.md:1:# Sessions", "notes/auth.md:3:We keep SESSION cookies.", "notes/auth.md:4:session, session"},
		"빌드":         {"notes/decomposed.md:1:\u1107\u1175\u11af\u1103\u1173", "notes/korean.md:2:빌드는 느리다"},
		"अनुक्र":     {"notes/hindi.md:1:अनुक्रमणिका बनाता है"},
		"abc123":     {"notes/wide.md:1:ＡＢＣ１２３"},
		"οδυσσευς":   {"notes/greek.md:1:ΟΔΥΣΣΕΥΣ"},
		"needle":     {"artifacts/bidi:1:gpj.⟦U+202E⟧needle␛[31m", "artifacts/binary:1:lib/needle.c", "artifacts/crlf.log:2:needle here", "artifacts/crlf.log:3:last needle", "spill/x.txt:1:a needle that was spilled"},
		" needle\n":  {"artifacts/bidi:1:gpj.⟦U+202E⟧needle␛[31m", "artifacts/binary:1:lib/needle.c", "artifacts/crlf.log:2:needle here", "artifacts/crlf.log:3:last needle", "spill/x.txt:1:a needle that was spilled"},
		"바늘":         {"artifacts/zeros.log:2:2 바늘"},
		"qz":         {},
		"not there":  {},
		"a\nb":       {},
		"notes/auth": {"notes/auth.md:0:notes/auth.md"},
	} {
		// Of one age, so that the order is that of the names.
		for _, e := range scan(t, b).Entries {
			if err := os.Chtimes(filepath.Join(b.Path(), e.Path), at0, at0); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		found := find(t, b, query, 0)
		for _, m := range found.Matches {
			got = append(got, fmt.Sprintf("%s:%d:%s", m.Path, m.Line, m.Text))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") || found.More {
			t.Errorf("%q: got\n%s\nwant\n%s", query, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	for _, query := range []string{"", " \n", strings.Repeat("x", maxQuery+1)} {
		if _, err := b.Find(t.Context(), query, 0); chat.CodeOf(err) != chat.CodeInvalid {
			t.Errorf("%.20q: %v", query, err)
		}
	}
}

// Limits are named, and one long file does not hide the others.
func TestFindLimits(t *testing.T) {
	b := bench(t)
	put(t, b, "artifacts/a.log", strings.Repeat("needle\n", 1000))
	put(t, b, "artifacts/b.log", "needle\n")
	put(t, b, "spill/needle.txt", "x")
	found := find(t, b, "needle", 0)
	if !found.More || len(found.Matches) != perFile+2 || found.Matches[0].Path != "spill/needle.txt" {
		t.Errorf("%d, %v", len(found.Matches), found.More)
	}
	if found = find(t, b, "needle", 3); !found.More || len(found.Matches) != 3 {
		t.Errorf("%d, %v", len(found.Matches), found.More)
	}
	put(t, b, "artifacts/a.log", strings.Repeat("needle\n", perFile))
	if found = find(t, b, "needle", perFile+2); found.More || len(found.Matches) != perFile+2 {
		t.Errorf("%d, %v", len(found.Matches), found.More)
	}
	f := finder{limit: 10, left: 100, query: "needle", ascii: true}
	root, err := b.folder()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if more, err := f.file(t.Context(), root, Entry{Path: "artifacts/a.log"}); more || err != nil || !f.found.More || len(f.found.Matches) == 0 {
		t.Errorf("beyond its bytes it found %+v, %v", f.found, err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := b.Find(ctx, "needle", 0); err == nil {
		t.Error("it had no time")
	}
}

// A line of megabytes is found in once, however often, also where its pieces meet.
func TestFindInLongLines(t *testing.T) {
	for name, c := range map[string]struct{ pad, query string }{
		"ascii": {"x", "Needle"}, "korean": {"가", "바늘을 찾다"}, "emoji": {"👨‍👩‍👧", "🇰🇷 flag"},
	} {
		t.Run(name, func(t *testing.T) {
			b := bench(t)
			for _, before := range []int{0, 50, 150, pieceBytes - 3, pieceBytes - 1, pieceBytes, 3*pieceBytes - 2} {
				line := strings.Repeat(c.pad, before/len(c.pad)) + strings.Repeat("y", before%len(c.pad)) + c.query + strings.Repeat(c.pad, 5*pieceBytes/len(c.pad)) + c.query
				put(t, b, "artifacts/x", "first\n"+line+"\nlast "+c.query+"\n")
				found := find(t, b, strings.ToUpper(c.query), 0)
				if len(found.Matches) != 2 || found.Matches[0].Line != 2 || found.Matches[1].Line != 3 {
					t.Fatalf("after %d: %d matches: %+v", before, len(found.Matches), found.Matches)
				}
				text := found.Matches[0].Text
				if !strings.Contains(text, c.query) || !strings.HasSuffix(text, c.pad+"…") || utf8.RuneCountInString(text) > foundChars+2 {
					t.Errorf("after %d: %q", before, text)
				}
			}
		})
	}
}

func FuzzFind(f *testing.F) {
	f.Add("Straße\nＡＢＣ\r\n", "strasse")
	f.Add("x\x00y", "y")
	f.Add(strings.Repeat("가", 300)+"각", "각")
	f.Fuzz(func(t *testing.T, content, query string) {
		b := bench(t)
		put(t, b, "notes/x", content)
		found, err := b.Find(t.Context(), query, 5)
		if err != nil {
			if chat.CodeOf(err) != chat.CodeInvalid {
				t.Error(err)
			}
			return
		}
		for _, m := range found.Matches {
			if !utf8.ValidString(m.Text) || strings.ContainsAny(m.Text, "\r\n\x1b\u202e") {
				t.Errorf("%+v", m)
			}
		}
		// What stands in it as it is, on one line of a text, is found.
		query = strings.TrimSpace(query)
		if len(found.Matches) == 0 && strings.Contains(content, query) && utf8.ValidString(content) && !strings.ContainsAny(query, "\n\r") && !strings.ContainsRune(content, 0) && isWord(query) {
			t.Errorf("%q is not found in %q", query, content)
		}
	})
}

// isWord says that a text folds to the same wherever it stands.
func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}
