package rehearsal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Nothing is left in the folder for scratch folders, whatever went wrong.
func TestNothingIsLeft(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	nobody := Client{Path: filepath.Join(t.TempDir(), "claude"), Version: "0"}
	for name, c := range map[string]struct {
		ctx     context.Context
		clients []Client
		want    error
	}{
		"no client":                {t.Context(), nil, nil},
		"a client that is not":     {t.Context(), []Client{nobody}, os.ErrNotExist},
		"given up before it began": {ended, []Client{nobody}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			scratch := t.TempDir()
			t.Setenv("TMPDIR", scratch)
			_, err := Run(c.ctx, Options{Clients: c.clients, Path: os.Getenv("PATH"), Seed: 1, Turns: 1})
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("%v", err)
			}
			if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// Every case has a word and a title of its own, and those for one client only name no
// other.
func TestColdCases(t *testing.T) {
	first, err := firstTurns(1)
	if err != nil {
		t.Fatal(err)
	}
	if first.first == first.second || first.first == first.replayed || first.first[:22] != first.replayed[:22] {
		t.Errorf("%.60q %.60q %.60q", first.first, first.second, first.replayed)
	}
	one := coldCases(first, []Client{{Version: "1"}})
	two := coldCases(first, []Client{{Version: "1"}, {Version: "2"}})
	if len(two) != len(one)+1 || two[len(one)].key != "version" {
		t.Errorf("%d cases with one client, %d with two", len(one), len(two))
	}
	keys, titles := map[string]bool{}, map[string]bool{}
	for _, c := range two {
		if c.change == nil || keys[c.key] || titles[c.title] {
			t.Errorf("%s (%s) is there twice, or changes nothing", c.key, c.title)
		}
		keys[c.key], titles[c.title] = true, true
	}
}
