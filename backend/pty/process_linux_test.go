package pty

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseStat(t *testing.T) {
	const rest = " S 12 34 56 34816 99 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 99 1"
	for line, want := range map[string]info{
		"77 (claude)" + rest:                                 {pid: 77, parent: 12, session: 56, since: 123456},
		"77 (a ) S 1 (x))" + rest:                            {pid: 77, parent: 12, session: 56, since: 123456},
		"77 (gone)" + strings.Replace(rest, " S ", " Z ", 1): {pid: 77, parent: 12, session: 56, since: 123456, zombie: true},
	} {
		got, err := parseStat([]byte(line))
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "77", "77 (", ")(", "77 (a) S 1 2", "x (a)" + rest, "77 (a) S x y z"} {
		if got, err := parseStat([]byte(line)); err == nil {
			t.Errorf("%q was read as %+v", line, got)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("77 (a b) S 12 34 56 0 99 0 1 2 3 4 5 6 7 8 20 0 1 0 123456 99"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := parseStat(b)
		if err == nil && !strings.HasPrefix(strings.TrimLeft(string(b), " \t\n\v\f\r+0"), fmt.Sprint(p.pid)) && p.pid > 0 {
			t.Errorf("%q: pid %d", b, p.pid)
		}
	})
}

func TestMarkIn(t *testing.T) {
	for env, want := range map[string]string{
		"":                                     "",
		"A=1\x00HEARTH_MARK=x/1\x00B=2\x00":    "x/1",
		"A=HEARTH_MARK=x/1\x00":                "",
		"XHEARTH_MARK=x/1\x00HEARTH_MARK=\x00": "",
		"HEARTH_MARK=x/1":                      "x/1",
	} {
		if got := markIn([]byte(env)); got != want {
			t.Errorf("%q: %q, want %q", env, got, want)
		}
	}
}

func TestResidentPages(t *testing.T) {
	if n, err := residentPages([]byte("12345 678 90 1 0 2 0\n")); n != 678 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, line := range []string{"", "1", "1 x 2"} {
		if n, err := residentPages([]byte(line)); err == nil {
			t.Errorf("%q was read as %d", line, n)
		}
	}
}
