package guard

import (
	"strings"
	"sync"
)

// A launcher is a command that runs another command, or a script. Flags that are in
// no list take no value.
type launcher struct {
	program bool   // what it runs is a command; else a script
	sub     string // of a program: only behind this word of its own
	shell   bool   // -c comes with a command
	sourced bool   // the script runs in this very shell
	valued  string // short flags that take a value
	long    string // long flags whose value is the next word
	ends    string // flags, short or long, with which it runs no file
	skip    int    // operands of its own, before what it runs
	assigns bool   // operands with a = are its own
}

// flag says how many words a flag takes, whether no file is run with it, and whether
// the next word is the code of a shell.
func (l launcher) flag(text string) (took int, ended, code bool) {
	name, _, given := strings.Cut(text, "=")
	has := func(list, flag string) bool { return strings.Contains(" "+list+" ", " "+flag+" ") }
	if strings.HasPrefix(text, "--") {
		if !given && has(l.long, name) {
			return 2, has(l.ends, name), false
		}
		return 1, has(l.ends, name), false
	}
	for i := 1; i < len(text); i++ {
		one := text[i : i+1]
		switch {
		case has(l.ends, one):
			return 1, true, false
		case l.shell && one == "c":
			code = true
		case strings.Contains(l.valued, one) && i == len(text)-1:
			took = 2
		case strings.Contains(l.valued, one) && !l.shell:
			return 1, false, false // the value is in the same word
		}
	}
	return max(took, 1), false, code
}

// The interpreters that go by several names.
var (
	shells  = launcher{shell: true, valued: "oO", long: "--rcfile --init-file", ends: "n --version --help"}
	pythons = launcher{valued: "WX", ends: "c m V --version --help"}
	nodes   = launcher{valued: "r", long: "--require --import --loader --experimental-loader --env-file --conditions", ends: "e p c v i --eval --print --check --version --help"}
)

// launchers are told by the name of their program. Like looks they are made when
// they are first needed: the helper before each command never does.
var launchers = sync.OnceValue(func() map[string]launcher {
	return map[string]launcher{
		"bash": shells, "sh": shells, "zsh": shells, "dash": shells, "ksh": shells,
		"python": pythons, "python2": pythons, "python3": pythons, "pypy3": pythons,
		"node": nodes, "nodejs": nodes, "tsx": nodes, "ts-node": {valued: "rP", long: "--project --require", ends: "e p v --eval --version"},
		"perl": {valued: "I", ends: "e E c v n p --version"}, "ruby": {valued: "IrC", ends: "e c v n p --version"},
		"php": {valued: "cdz", ends: "r l v i m --version"}, "lua": {valued: "l", ends: "e v i"}, "Rscript": {ends: "e --version"},
		"source": {sourced: true}, ".": {sourced: true},

		"env":     {program: true, assigns: true, valued: "uC", long: "--unset --chdir", ends: "S --split-string"},
		"timeout": {program: true, valued: "ks", long: "--kill-after --signal", skip: 1}, "gtimeout": {program: true, valued: "ks", long: "--kill-after --signal", skip: 1},
		"nohup": {program: true}, "setsid": {program: true}, "caffeinate": {program: true, valued: "tw"}, "unbuffer": {program: true},
		"nice": {program: true, valued: "n", long: "--adjustment"}, "ionice": {program: true, valued: "cnp", long: "--class --classdata"},
		"stdbuf": {program: true, valued: "ioe", long: "--input --output --error"}, "time": {program: true, valued: "fo", long: "--format --output"},
		"command": {program: true, ends: "v V"}, "builtin": {program: true}, "exec": {program: true, valued: "a"},
		"sudo": {program: true, assigns: true, valued: "ugCDhpRTU", long: "--user --group", ends: "l e v"}, "doas": {program: true, valued: "uC"},
		"xargs": {program: true, valued: "aEIdLnPs", long: "--arg-file --delimiter --max-args --max-procs --replace --max-lines --max-chars"},
		"npx":   {program: true, valued: "pc", long: "--package", ends: "c"}, "watch": {program: true, valued: "n", long: "--interval"},
		"uv": {program: true, sub: "run"}, "poetry": {program: true, sub: "run"}, "pipenv": {program: true, sub: "run"},
		"deno": {program: true, sub: "run"}, "bun": {program: true, sub: "run"}, "go": {program: true, sub: "run"},
	}
})

// launcherOf finds a launcher; python3.12 is one too.
func launcherOf(name string) (launcher, bool) {
	l, ok := launchers()[name]
	if version, is := strings.CutPrefix(name, "python3."); !ok && is && version != "" && strings.Trim(version, "0123456789") == "" {
		return pythons, true
	}
	return l, ok
}
