package sim

import (
	"strings"
	"testing"

	"hearth/backend/prompt"
	"hearth/backend/token"
)

// What Tell returns is what Run counts: a warm turn's uncached tokens are its text
// and the reply before it.
func TestTellIsWhatIsCounted(t *testing.T) {
	c := Generate(2)
	tellings, err := Tell(c)
	if err != nil {
		t.Fatal(err)
	}
	s := mustRun(t, c, Options{}).Strategies
	want := []struct {
		name  string
		costs Costs
	}{{"window", s.Window}, {"watermark", s.Watermark}, {"unstable", s.Unstable}, {"hearth", s.Hearth}}
	if len(tellings) != len(want) {
		t.Fatalf("%d tellings", len(tellings))
	}
	for i, telling := range tellings {
		w := want[i]
		if telling.Strategy != w.name || len(telling.Turns) != 30 {
			t.Fatalf("%s with %d turns, want %s", telling.Strategy, len(telling.Turns), w.name)
		}
		if brief := strings.Contains(telling.Framing, prompt.Brief()); brief != (w.name == "hearth") {
			t.Errorf("%s: the brief is in the framing: %v", w.name, brief)
		}
		fresh := 0
		for n, turn := range telling.Turns {
			if (turn.Line != "") != (w.name == "unstable") {
				t.Errorf("%s, turn %d: the line is %q", w.name, n+1, turn.Line)
			}
			if turn.Reply == "" || !strings.HasPrefix(turn.Text, prompt.Opening) {
				t.Errorf("%s, turn %d: %.60q, answered %q", w.name, n+1, turn.Text, turn.Reply)
			}
			if n > 0 {
				fresh += token.Count(turn.Text) + token.Count(telling.Turns[n-1].Reply)
			}
		}
		if got := ratio(int64(fresh), 29, 1); w.name != "unstable" && got != w.costs.UncachedPerWarmTurn {
			t.Errorf("%s: %g uncached tokens a warm turn are told, %g are counted", w.name, got, w.costs.UncachedPerWarmTurn)
		}
	}
	lines := map[string]bool{}
	for _, turn := range tellings[2].Turns {
		lines[turn.Line] = true
	}
	if len(lines) != 30 {
		t.Errorf("%d lines in 30 turns", len(lines))
	}
}

// A part of a channel is told as the whole of it begins.
func TestFirst(t *testing.T) {
	whole := Generate(1)
	all, err := Tell(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 7, 29, 30, 31, 0} {
		some, err := First(whole, n)
		if err != nil {
			t.Fatal(err)
		}
		told, err := Tell(some)
		if err != nil {
			t.Fatal(err)
		}
		want := n
		if n == 0 || n > 30 {
			want = 30
		}
		for i := range told {
			if len(told[i].Turns) != want {
				t.Fatalf("%d mentions: %s has %d turns", n, told[i].Strategy, len(told[i].Turns))
			}
			for k, turn := range told[i].Turns {
				if turn != all[i].Turns[k] {
					t.Errorf("%d mentions, %s, turn %d:\n%+v\nin the whole:\n%+v", n, told[i].Strategy, k+1, turn, all[i].Turns[k])
				}
			}
		}
	}
	if _, err := First(Channel{Name: "quiet", Agent: "claude"}, 1); err == nil {
		t.Error("nobody addresses the agent, and it is no error")
	}
}

func TestReplayed(t *testing.T) {
	c, err := First(Generate(1), 3)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Replayed(c)
	if err != nil {
		t.Fatal(err)
	}
	told, err := Tell(c)
	if err != nil {
		t.Fatal(err)
	}
	turns := told[3].Turns
	if !strings.HasPrefix(text, prompt.Opening) || strings.Count(text, "\nUser: ") != 2 || !strings.Contains(text, strings.Split(turns[1].Reply, "\n")[0]) {
		t.Errorf("the replay is\n%s", text)
	}
	if Framing("claude") != told[3].Framing {
		t.Error("hearth's framing is another one")
	}
}
