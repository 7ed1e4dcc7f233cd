package sim

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"hearth/backend/token"
)

// tiled is n generated channels in a row, as one.
func tiled(n int) Channel {
	all := Channel{Name: "backend", Agent: "claude"}
	shift := time.Duration(0)
	for seed := range n {
		for _, row := range Generate(uint64(seed)).Rows {
			row.CreatedAt = row.CreatedAt.Add(shift)
			all.Rows = append(all.Rows, row)
		}
		shift += 30 * 24 * time.Hour
	}
	return all
}

// BenchmarkTable makes the table of the generated channel, from the rendering of
// each turn to the sums, nothing kept from one time to the next but the vocabulary.
// Beside it the npm package tiktoken does the half of it that it can: the same
// texts tokenised, each once, and the same sums.
func BenchmarkTable(b *testing.B) {
	c := Generate(1)
	token.Count("load the vocabulary")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(b.Context(), c, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	ours := float64(b.Elapsed()) / float64(b.N) / 1e6
	theirs := npm(b, c)
	b.ReportMetric(ours, "ms/table")
	b.ReportMetric(theirs, "npm-ms/table")
	b.ReportMetric(ours/theirs, "ours/npm")
}

// npm lets the npm package do the work, checks that it came to the same figures,
// and returns its time in milliseconds.
func npm(b *testing.B, c Channel) float64 {
	b.Helper()
	report, err := Run(b.Context(), c, Options{})
	if err != nil {
		b.Fatal(err)
	}
	work, err := json.Marshal(written(b, c))
	if err != nil {
		b.Fatal(err)
	}
	script, err := filepath.Abs("../../build/bench/tiktoken")
	if err != nil {
		b.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(b.Context(), script)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(work), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", script, err, stderr.String())
	}
	var got struct {
		MS     float64 `json:"ms"`
		Tables map[string]struct{ Input, Cacheable int64 }
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		b.Fatalf("%s: %v\n%s", script, err, stdout.String())
	}
	for name, costs := range map[string]Costs{
		"window": report.Strategies.Window, "watermark": report.Strategies.Watermark,
		"unstable": report.Strategies.Unstable, "hearth": report.Strategies.Hearth,
	} {
		if it := got.Tables[name]; it.Input != costs.InputTokens || it.Cacheable != costs.CacheableTokens {
			b.Errorf("%s: npm counts %d and %d cacheable, we %d and %d", name, it.Input, it.Cacheable, costs.InputTokens, costs.CacheableTokens)
		}
	}
	return got.MS
}

// writtenTurn is a turn as text: what stands before the first message, what is
// asked and what is replied.
type writtenTurn struct {
	Head  []string `json:"head"`
	Asked string   `json:"asked"`
	Reply string   `json:"reply"`
}

// written is what the strategies send, as text, for whoever wants to count it in
// another way.
func written(tb testing.TB, c Channel) map[string][]writtenTurn {
	tb.Helper()
	all := map[string][]writtenTurn{}
	for name, s := range strategies {
		g, err := newGame(c, Options{})
		if err != nil {
			tb.Fatal(err)
		}
		_, err = g.play(tb.Context(), s, func(_ *playing, s sight) {
			one := writtenTurn{Head: s.head, Asked: s.sent.Text}
			if reply := g.turns[s.n].reply; reply != nil {
				one.Reply = reply.Body
			}
			all[name] = append(all[name], one)
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all
}

var strategies = map[string]strategy{"window": window, "watermark": watermark, "unstable": unstable, "hearth": hearth}

// BenchmarkLarge plays 20,000 rows with 3,000 mentions.
func BenchmarkLarge(b *testing.B) {
	c := tiled(100)
	token.Count("load the vocabulary")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Run(b.Context(), c, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/1e9, "s/channel")
	b.ReportMetric(peak(b), "peak-MB")
}
