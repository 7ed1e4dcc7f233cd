package pty

import (
	"os"
	"slices"
	"testing"
)

func TestScan(t *testing.T) {
	self := os.Getpid()
	root := Record{PID: 100, Started: "r", Mark: "m"}
	p := func(pid, parent, session int, started string, since uint64, mark string) info {
		return info{pid: pid, parent: parent, session: session, started: started, since: since, mark: mark}
	}
	for name, c := range map[string]struct {
		all    [][]info // what each scan sees
		endAt  uint64
		expect []int // after the last scan
	}{
		"by mark":                  {[][]info{{p(100, 1, 100, "r", 5, "m"), p(200, 1, 200, "a", 6, "m"), p(201, 1, 201, "b", 6, "other")}}, 0, []int{100, 200}},
		"by descent, out of order": {[][]info{{p(300, 200, 1, "c", 7, ""), p(200, 100, 1, "b", 6, ""), p(100, 1, 100, "r", 5, "")}}, 0, []int{100, 200, 300}},
		"by session":               {[][]info{{p(100, 1, 100, "r", 5, "m"), p(200, 1, 100, "b", 6, "")}}, 0, []int{100, 200}},
		"a session whose leader died, member from before": {[][]info{{p(200, 1, 100, "b", 6, "")}}, 9, []int{200}},
		"a session of that number begun later":            {[][]info{{p(200, 1, 100, "b", 10, "")}}, 9, nil},
		"the leader's pid reused":                         {[][]info{{p(100, 1, 100, "x", 12, ""), p(200, 100, 100, "b", 6, "")}}, 9, nil},
		"remembered when its parent is gone": {[][]info{
			{p(100, 1, 100, "r", 5, "m"), p(200, 100, 7, "b", 6, "")}, {p(200, 1, 7, "b", 6, "")},
		}, 9, []int{200}},
		"a remembered pid reused": {[][]info{
			{p(100, 1, 100, "r", 5, "m"), p(200, 100, 7, "b", 6, "")}, {p(200, 1, 7, "other", 16, ""), p(201, 200, 7, "d", 17, "")},
		}, 9, nil},
		"a zombie is gone, its child is not": {[][]info{{
			{pid: 100, parent: 1, started: "r", zombie: true}, p(200, 100, 1, "b", 6, ""),
		}}, 0, []int{200}},
		"never ourselves nor our ancestors": {[][]info{{
			p(self, 50, 1, "me", 3, "m"), p(50, 49, 1, "shell", 2, "m"), p(49, 1, 1, "app", 2, "m"), p(51, 50, 1, "sibling", 2, "m"),
		}}, 0, []int{51}},
	} {
		t.Run(name, func(t *testing.T) {
			var see []info
			tr := &tree{
				seed:  func(i info) bool { return i.mark == "m" || i.pid == root.PID && i.started == root.Started },
				root:  root,
				endAt: func() uint64 { return c.endAt },
				all:   func() ([]info, error) { return see, nil },
			}
			var got []int
			for _, see = range c.all {
				alive, err := tr.scan()
				if err != nil {
					t.Fatal(err)
				}
				got = nil
				for _, i := range alive {
					got = append(got, i.pid)
				}
			}
			if !slices.Equal(got, c.expect) {
				t.Errorf("members %v, want %v", got, c.expect)
			}
		})
	}
}
