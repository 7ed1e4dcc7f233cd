package shell

import (
	"hearth/backend/plain"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

// As recorded of the client.
const (
	line2_1_332 = `source /home/ann/.claude/shell-snapshots/snapshot-bash-1796040706397-dmt5en.sh 2>/dev/null || true && { \builtin shopt -u extglob || \builtin setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL NO_BRACE_CCL NO_MAGIC_EQUAL_SUBST NO_RC_QUOTES NO_EQUALS; } >/dev/null 2>&1 || true && { \builtin unalias -- 'which'; \builtin unset -f -- 'which'; } >/dev/null 2>&1 || true && { \builtin unalias -- 'unsetenv'; \builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true && eval 'touch /tmp/rec/x' < /dev/null && pwd -P >| /tmp/claude-3ece-cwd`
	line2_1_197 = `source /home/ann/.claude/shell-snapshots/snapshot-bash-1796040716877-7d9afx.sh 2>/dev/null || true && { shopt -u extglob || setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL; } >/dev/null 2>&1 || true && eval 'touch /tmp/rec/x' < /dev/null && pwd -P >| /tmp/claude-3843-cwd`
)

func TestTheShapeOfABashCommand(t *testing.T) {
	for name, test := range map[string]struct{ line, want string }{
		"2.1.332":                         {line2_1_332, "touch /tmp/rec/x"},
		"2.1.197":                         {line2_1_197, "touch /tmp/rec/x"},
		"without a snapshot":              {`eval ls && pwd -P >| /tmp/claude-1-cwd`, "ls"},
		"a here-document, input as it is": {"true && eval 'cat <<X\nit'\"'\"'s\nX' && pwd -P >| /tmp/claude-1-cwd", "cat <<X\nit's\nX"},
		"quoted with double quotes":       {`true && eval "echo \"a\" \$b \\ it's ` + "\\`x\\`" + `" < /dev/null && pwd -P >| /tmp/claude-1-cwd`, "echo \"a\" $b \\ it's `x`"},
		"quoted with backslashes":         {`true && eval ls\;id < /dev/null && pwd -P >| '/tmp/a b/claude-1-cwd'`, "ls;id"},
		"an environment file":             {"source x || true && export A=$(id)\nexport B=2\n: && eval ls < /dev/null && pwd -P >| /tmp/claude-1-cwd", "ls"},
		"in a sandbox":                    {`true && export TMPDIR=/tmp/s && eval ls < /dev/null && pwd -P >| /tmp/s/cwd-12ab`, "ls"},
		"many lines":                      {"true && eval 'a\nb' < /dev/null && pwd -P >| /tmp/claude-1-cwd", "a\nb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, ok := command(test.line); !ok || got != test.want {
				t.Errorf("%v, %q", ok, got)
			}
		})
	}
}

func TestOtherShapes(t *testing.T) {
	for _, line := range []string{
		``,
		`echo hook "q"`,
		`/path/mcp.sh 'a b' c`,
		`echo "pwd -P"`,
		`pwd -P >| /tmp/claude-1-cwd`,
		`eval ls && pwd -P > /tmp/claude-1-cwd`,
		`eval ls && pwd -P >| /tmp/other`,
		`eval ls && pwd -P >| /tmp/claude-1-cwd; true`,
		`eval ls && pwd -P >| /tmp/claude-1-cwd &`,
		`eval ls || pwd -P >| /tmp/claude-1-cwd`,
		`eval ls && ! pwd -P >| /tmp/claude-1-cwd`,
		`eval ls && pwd >| /tmp/claude-1-cwd`,
		`eval ls && pwd -P 2>| /tmp/claude-1-cwd`,
		`eval ls && pwd -P >| /tmp/claude-1-cwd 2>&1`,
		`eval ls && pwd -P >| $X/claude-1-cwd`,
		`eval ls && A=1 pwd -P >| /tmp/claude-1-cwd`,
		`eval "$X" && pwd -P >| /tmp/claude-1-cwd`,
		`eval $'ls' && pwd -P >| /tmp/claude-1-cwd`,
		`eval $"ls" && pwd -P >| /tmp/claude-1-cwd`,
		`eval ls id && pwd -P >| /tmp/claude-1-cwd`,
		`eval ls < /etc/passwd && pwd -P >| /tmp/claude-1-cwd`,
		`eval ls < /dev/null 2>&1 && pwd -P >| /tmp/claude-1-cwd`,
		`eval ls > /dev/null && pwd -P >| /tmp/claude-1-cwd`,
		`run ls && pwd -P >| /tmp/claude-1-cwd`,
		`true && (eval ls && pwd -P >| /tmp/claude-1-cwd)`,
		`eval 'ls && pwd -P >| /tmp/claude-1-cwd`,
	} {
		if got, ok := command(line); ok {
			t.Errorf("%s is taken for the Bash command %q", line, got)
		}
	}
}

// Any command comes out as it went in, and as the shell itself takes the word.
func FuzzShape(f *testing.F) {
	for _, s := range []string{"ls", "it's", "a\nb", `\`, `"$x"`, "cat <<X\nX", "`", "&& pwd -P >| /tmp/claude-1-cwd", " ", "!", "#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, asked string) {
		if strings.ContainsAny(asked, "\x00\r") || asked == "" || !utf8.ValidString(asked) {
			return // the client can't send such; but a carriage return, which the parser reads past
		}
		got, ok := command("true && eval " + plain.ShellQuoted(asked) + " < /dev/null && pwd -P >| /tmp/claude-1-cwd")
		if !ok || got != asked {
			t.Errorf("%q became %q, %v", asked, got, ok)
		}
		_, _ = command("true && eval " + asked + " && pwd -P >| /tmp/claude-1-cwd")
	})
}

func TestAWordIsWhatBashTakesItFor(t *testing.T) {
	for _, word := range []string{`a\ b`, `"a\b\$c\"d\\e"`, `'a\b'`, `a"b"'c'\'d`, "\"a\\\nb\"", "a\\\nb", `"it's!"`, `"\!"`, `""`} {
		want, err := exec.Command("bash", "-c", "printf %s "+word).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := command("eval " + word + " && pwd -P >| /tmp/claude-1-cwd"); !ok || got != string(want) {
			t.Errorf("%s is %q, for bash %q", word, got, want)
		}
	}
}
