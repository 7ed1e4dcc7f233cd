package guard

import (
	"slices"
	"strings"
	"testing"
)

// What models write to run a script, and what is no run. The folder is
// /w/.flower/scripts, the working directory /w.
var runs = []struct {
	command string
	want    string // names in the folder
}{
	{`./.flower/scripts/x.sh`, "x.sh"},
	{`.flower/scripts/x.sh --all`, "x.sh"},
	{`/w/.flower/scripts/x.sh`, "x.sh"},
	{`bash .flower/scripts/x.sh -n`, "x.sh"},
	{`/bin/bash .flower/scripts/x.sh`, "x.sh"},
	{`sh -x .flower/scripts/x.sh`, "x.sh"},
	{`bash -euo pipefail .flower/scripts/x.sh 2>&1 | tail -20`, "x.sh"},
	{`bash +x -- .flower/scripts/x.sh`, "x.sh"},
	{`bash < .flower/scripts/x.sh`, "x.sh"},
	{`bash -s a b < .flower/scripts/x.sh`, ""},
	{`python3 /w/.flower/scripts/y.py`, "y.py"},
	{`python3 -u -X dev .flower/scripts/y.py -c x`, "y.py"},
	{`python3.12 - < .flower/scripts/y.py`, "y.py"},
	{`node .flower/scripts/z.mjs --check`, "z.mjs"},
	{`node --import tsx --max-old-space-size=4096 .flower/scripts/z.ts`, "z.ts"},
	{`cd .flower/scripts && ./x.sh`, "x.sh"},
	{`cd .flower/scripts; bash x.sh`, "x.sh"},
	{`cd .flower && { cd scripts; ./x.sh; }`, "x.sh"},
	{`(cd .flower/scripts && ./x.sh); .flower/scripts/y.sh`, "x.sh y.sh"},
	{`cd /tmp && bash /w/.flower/scripts/x.sh`, "x.sh"},
	{`cd "$DIR" && .flower/scripts/x.sh`, ""},
	{`cd /tmp && .flower/scripts/x.sh`, ""},
	{`source .flower/scripts/x.sh`, "x.sh"},
	{`. .flower/scripts/x.sh arg`, "x.sh"},
	{`make && .flower/scripts/x.sh || .flower/scripts/y.sh`, "x.sh y.sh"},
	{`.flower/scripts/x.sh | python3 .flower/scripts/y.py > out.txt`, "x.sh y.py"},
	{`.flower/scripts/x.sh & .flower/scripts/x.sh`, "x.sh"},
	{`echo "$(.flower/scripts/x.sh)" $(bash .flower/scripts/y.sh)`, "x.sh y.sh"},
	{`N=$(.flower/scripts/x.sh) make`, "x.sh"},
	{`export N=$(.flower/scripts/x.sh)`, "x.sh"},
	{`diff <(.flower/scripts/x.sh a) <(.flower/scripts/y.sh b)`, "x.sh y.sh"},
	{`timeout 60 bash .flower/scripts/x.sh`, "x.sh"},
	{`timeout -k 5 60s .flower/scripts/x.sh`, "x.sh"},
	{`env A=1 B=2 .flower/scripts/x.sh`, "x.sh"},
	{`A=1 .flower/scripts/x.sh`, "x.sh"},
	{`nohup .flower/scripts/x.sh > log 2>&1 &`, "x.sh"},
	{`time nice -n 5 .flower/scripts/x.sh`, "x.sh"},
	{`/usr/bin/env python3 .flower/scripts/y.py`, "y.py"},
	{`ls *.go | xargs -n 1 bash .flower/scripts/x.sh`, "x.sh"},
	{`find . -name '*.go' -exec .flower/scripts/x.sh {} \;`, "x.sh"},
	{`bash -c '.flower/scripts/x.sh && cd .flower/scripts && ./y.sh'`, "x.sh y.sh"},
	{`bash -lc "python3 .flower/scripts/y.py"`, "y.py"},
	{`eval "bash .flower/scripts/x.sh"`, "x.sh"},
	{`uv run .flower/scripts/y.py`, "y.py"},
	{`uv run python .flower/scripts/y.py`, "y.py"},
	{`go run .flower/scripts/z.go`, "z.go"},
	{`npx tsx .flower/scripts/z.ts`, "z.ts"},
	{`for i in 1 2 3; do .flower/scripts/x.sh $i; done`, "x.sh"},
	{`while .flower/scripts/x.sh; do sleep 1; done`, "x.sh"},
	{`if .flower/scripts/x.sh; then echo yes; else .flower/scripts/y.sh; fi`, "x.sh y.sh"},
	{`case $1 in a) .flower/scripts/x.sh ;; esac`, "x.sh"},
	{`[[ -n $(.flower/scripts/x.sh) ]] && ! .flower/scripts/y.sh`, "x.sh y.sh"},
	{`chmod +x .flower/scripts/x.sh && .flower/scripts/x.sh`, "x.sh"},
	{"cat > .flower/scripts/x.sh <<'E'\n# desc: x\n.flower/scripts/y.sh\nE\nbash .flower/scripts/x.sh", "x.sh"},
	{`".flower/scripts/with space.sh"`, "with space.sh"},
	{`.flower/scripts/한국어.sh`, "한국어.sh"},
	{`.flower/scripts/sub/x.sh`, "sub/x.sh"},
	{`bash .flower/scripts/x.sh "$UNKNOWN" $(pwd) *`, "x.sh"},

	{``, ""},
	{`cat .flower/scripts/x.sh`, ""},
	{`chmod +x .flower/scripts/x.sh`, ""},
	{`vim .flower/scripts/x.sh`, ""},
	{`git add .flower/scripts/x.sh`, ""},
	{`bash -n .flower/scripts/x.sh`, ""},
	{`shellcheck .flower/scripts/x.sh`, ""},
	{`node --check .flower/scripts/z.mjs`, ""},
	{`python3 -m py_compile .flower/scripts/y.py`, ""},
	{`python3 -c 'print(1)' .flower/scripts/y.py`, ""},
	{`command -v .flower/scripts/x.sh`, ""},
	{`go vet .flower/scripts/z.go`, ""},
	{`echo ./.flower/scripts/x.sh`, ""},
	{`bash other.sh .flower/scripts/x.sh`, ""},
	{`./other.sh .flower/scripts/x.sh`, ""},
	{`bash .flower/scripts`, ""},
	{`bash .flower/scripts/../notes/x.sh`, ""},
	{`bash .flower/scriptsx/x.sh`, ""},
	{`.flower/scripts/*.sh`, ""},
	{`"$DIR/.flower/scripts/x.sh"`, ""},
	{`# .flower/scripts/x.sh`, ""},
	{`.flower/scripts/x.sh "unterminated`, ""},
	{"\xff.flower/scripts/x.sh", ""},
}

func TestScripts(t *testing.T) {
	const folder = "/w/.flower/scripts"
	for _, test := range runs {
		var names []string
		for _, path := range Scripts(test.command, "/w", folder) {
			names = append(names, strings.TrimPrefix(path, folder+"/"))
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s\nruns %q, want %q", test.command, got, test.want)
		}
	}
	// The folder can lie elsewhere, or be named from the working directory.
	if got := Scripts("/elsewhere/scripts/x.sh; scripts/y.sh", "/w", "/elsewhere/scripts"); !slices.Equal(got, []string{"/elsewhere/scripts/x.sh"}) {
		t.Errorf("%q", got)
	}
	if got := Scripts("./x.sh", "/w/.flower/scripts", "/w/.flower/scripts"); !slices.Equal(got, []string{"/w/.flower/scripts/x.sh"}) {
		t.Errorf("%q", got)
	}
	if got := Scripts("scripts/x.sh", "/w", "scripts"); !slices.Equal(got, []string{"/w/scripts/x.sh"}) {
		t.Errorf("%q", got)
	}
	// An unknown directory makes relative paths unknown, and no others.
	if got := Scripts("./x.sh; /s/y.sh", "", "/s"); !slices.Equal(got, []string{"/s/y.sh"}) {
		t.Errorf("%q", got)
	}
	for _, hostile := range []string{strings.Repeat("(", 5000) + "/s/x.sh" + strings.Repeat(")", 5000), strings.Repeat("env ", 10000) + "/s/x.sh",
		strings.Repeat("eval ", 5000) + "/s/x.sh", "/s/x.sh " + strings.Repeat("x", maxRunning)} {
		if got := Scripts(hostile, "/w", "/s"); len(got) > 1 {
			t.Errorf("%.40s: %q", hostile, got)
		}
	}
}

func TestWritten(t *testing.T) {
	const folder = "/w/.flower/scripts"
	for _, test := range []struct{ command, want string }{
		{"cat > .flower/scripts/x.sh <<'EOF'\n# desc: x\nls > y.sh\nEOF", "x.sh"},
		{"cat <<EOF >| /w/.flower/scripts/x.sh && chmod +x .flower/scripts/x.sh && .flower/scripts/y.sh\nEOF", "x.sh"},
		{"mkdir -p .flower/scripts && cat <<EOF >.flower/scripts/한국어.sh\n$HOME\nEOF", "한국어.sh"},
		{"cd .flower/scripts && { echo a; echo b; } > 'with space.sh' 2>> err", "with space.sh err"},
		{"printf %s x >> .flower/scripts/x.sh; (make &> .flower/scripts/log) | tail", "x.sh log"},
		{"for i in 1 2; do echo $i >> .flower/scripts/x.sh; done", "x.sh"},
		{"bash -c 'echo x > .flower/scripts/x.sh'", "x.sh"},
		{"{ cd /tmp; echo x; } > .flower/scripts/x.sh", "x.sh"},

		{"cat > .flower/notes/x.md <<EOF\nEOF", ""},
		{"cat > .flower/scripts/../notes/x.md <<EOF\nEOF", ""},
		{"cat > \"$DIR/.flower/scripts/x.sh\"", ""},
		{"cat > .flower/scripts/$NAME", ""},
		{"cat > .flower/scripts/*.sh", ""},
		{"cd $DIR && cat > .flower/scripts/x.sh", ""},
		{"cat < .flower/scripts/x.sh", ""},
		{"cat <<EOF\n> .flower/scripts/x.sh\nEOF", ""},
		{"echo '> .flower/scripts/x.sh'", ""},
		{"f() { echo x > .flower/scripts/x.sh; }", ""},
		{"cat > .flower/scripts/x.sh <<'EOF", ""},
		{"make 2>&1 > /dev/null", ""},
		{"tee .flower/scripts/x.sh < y", ""},
	} {
		var names []string
		for _, path := range Written(test.command, "/w", folder) {
			names = append(names, strings.TrimPrefix(path, folder+"/"))
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s\nwrites %q, want %q", test.command, got, test.want)
		}
	}
}

func FuzzScripts(f *testing.F) {
	for _, test := range runs {
		f.Add(test.command)
	}
	for _, command := range only {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		const folder = "/w/.flower/scripts"
		seen := map[string]bool{}
		for _, path := range Scripts(command, "/w", folder) {
			if !inside(path, "/", folder) || path == folder || seen[path] {
				t.Fatalf("%q runs %q", command, path)
			}
			seen[path] = true
		}
		// What only looks runs nothing of anybody's.
		if len(seen) > 0 && IsEphemeral(command) {
			t.Fatalf("%q only looks, and runs %v", command, seen)
		}
	})
}
