package workbench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkScanAndIndex is what is done before each turn: 10,000 files, 5,000 of
// them with a description. "first" reads all of those, "again" only looks.
func BenchmarkScanAndIndex(b *testing.B) {
	w := bench(b)
	for i := range 2500 {
		put(b, w, fmt.Sprintf("scripts/%d.sh", i), "#!/bin/sh\n# desc: what number does\n")
		put(b, w, fmt.Sprintf("notes/%d.md", i), "# What was decided\n\nBecause.\n")
		put(b, w, fmt.Sprintf("artifacts/%d.log", i), "x\n")
		put(b, w, fmt.Sprintf("spill/%d.txt", i), "x\n")
	}
	for _, e := range scan(b, w).Entries { // what is young is read each time
		if err := os.Chtimes(filepath.Join(w.Path(), e.Path), at0, at0); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range []string{"first", "again"} {
		b.Run(c, func(b *testing.B) {
			for b.Loop() {
				if c == "first" {
					w.described = nil
				}
				if inv := scan(b, w); len(inv.Entries) != 10_000 || Index(inv) == "" {
					b.Fatal(len(inv.Entries))
				}
			}
		})
	}
}

func BenchmarkDelta(b *testing.B) {
	inv := many(5000, 2500, 2500)
	_, mark := Delta(Mark{}, inv)
	for b.Loop() {
		if text, _ := Delta(mark, inv); text != "" {
			b.Fatal(text)
		}
	}
}

// BenchmarkFind looks through 32 MB of a log.
func BenchmarkFind(b *testing.B) {
	for name, line := range map[string]string{"ascii": "2026-03-01 a line of a build log\n", "korean": "2026-03-01 빌드 로그의 한 줄\n"} {
		b.Run(name, func(b *testing.B) {
			w := bench(b)
			text := make([]byte, 0, 32<<20)
			for len(text) < 32<<20 {
				text = append(text, line...)
			}
			put(b, w, "spill/x.txt", string(text))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if found, err := w.Find(b.Context(), "needle", 0); err != nil || len(found.Matches) != 0 {
					b.Fatal(found, err)
				}
			}
		})
	}
}
