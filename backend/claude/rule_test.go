package claude

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// longestArgument is how long an argument of a program may be on Linux, its NUL
// among it (MAX_ARG_STRLEN).
const longestArgument = 128 << 10

// list says how many rules a client was told, and of which length.
func list(request object) string {
	settings, _ := request["settings"].(object)
	permissions, _ := settings["permissions"].(object)
	allow, _ := permissions["allow"].([]any)
	var lengths []string
	for _, rule := range allow {
		lengths = append(lengths, fmt.Sprint(len(rule.(string))))
	}
	return strings.Join(lengths, " ")
}

func init() {
	parts["is told rules"] = func(f *fake) {
		f.initialize()
		told := list(f.request("apply_flag_settings", nil))
		uuid, asked := f.user()
		f.answer(uuid, asked, told)
		f.loop()
	}
	parts["knows no settings"] = func(f *fake) {
		f.initialize()
		o := f.await(func(o object) bool {
			r, _ := o["request"].(object)
			return r["subtype"] == "apply_flag_settings"
		})
		f.emit(object{"type": "control_response", "response": object{"subtype": "error", "request_id": o["request_id"], "error": "Unsupported"}})
		f.loop()
	}
	parts["dies of settings"] = func(f *fake) {
		f.initialize()
		f.await(func(o object) bool {
			r, _ := o["request"].(object)
			return r["subtype"] == "apply_flag_settings"
		})
		fmt.Fprint(os.Stderr, "no such setting")
		os.Exit(4)
	}
}

func TestRulesMayBeLongerThanAnArgument(t *testing.T) {
	o := options("is told rules")
	o.Rules = []Rule{{Tool: "Bash", Content: "echo " + strings.Repeat("x", 2*longestArgument)}, {Tool: "Read"}}
	for range 40 { // nor is there a bound for all of them, as there is for all arguments
		o.Rules = append(o.Rules, Rule{Tool: "Bash", Content: strings.Repeat("y", longestArgument-8)})
	}
	s := open(t, o)
	want := fmt.Sprint(2*longestArgument+11, 4) + strings.Repeat(fmt.Sprint(" ", longestArgument-2), 40)
	if r, _ := ask(t, s, "hello"); r.Text != want {
		t.Errorf("the client was told rules of the lengths %s, want %s", r.Text, want)
	}
}

func TestWithoutRulesTheClientIsToldNone(t *testing.T) {
	if r, _ := ask(t, open(t, options("echo")), "hello"); r.Text != "you said hello" {
		t.Errorf("%+v", r)
	}
}

func TestAClientThatTakesNoRulesAsks(t *testing.T) {
	o := options("knows no settings")
	o.Rules = []Rule{{Tool: "Bash"}}
	if r, _ := ask(t, open(t, o), "hello"); r.Text != "you said hello" {
		t.Errorf("%+v", r)
	}
}

func TestAClientThatEndsOverItsRules(t *testing.T) {
	o := options("dies of settings")
	o.Rules = []Rule{{Tool: "Bash"}}
	if _, err := Start(t.Context(), o); CodeOf(err) != CodeStart || !strings.Contains(err.Error(), "no such setting") {
		t.Errorf("%v", err)
	}
}

func TestRuleText(t *testing.T) {
	for want, rule := range map[string]Rule{
		"Read":                          {Tool: "Read"},
		"Bash(git status:*)":            {Tool: "Bash", Content: "git status:*"},
		`Bash(python3 -c 'print\(1\)')`: {Tool: "Bash", Content: "python3 -c 'print(1)'"},
		`Bash(touch 'a\\\(b')`:          {Tool: "Bash", Content: `touch 'a\(b'`},
		"Bash(a\nb, c)":                 {Tool: "Bash", Content: "a\nb, c"},
	} {
		if got := rule.text(); got != want {
			t.Errorf("%+v is %q, want %q", rule, got, want)
		}
	}
}

func TestAFolderThatCantBeWorkedIn(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, says := range map[string]string{filepath.Join(root, "gone"): "is not there", file: "is no folder"} {
		o := options("echo")
		o.Dir = dir
		_, err := Start(t.Context(), o)
		if CodeOf(err) != CodeFolder || !strings.Contains(err.Error(), dir+" "+says) || strings.Contains(err.Error(), o.Path) {
			t.Errorf("%s: %v", dir, err)
		}
		if errors.Is(err, fs.ErrNotExist) != (dir != file) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestRulesAreNoArguments(t *testing.T) {
	o := options("")
	o.Rules = []Rule{{Tool: "Bash", Content: "ls"}}
	args, err := o.arguments()
	if err != nil || slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "Bash") }) {
		t.Errorf("%q, %v", args, err)
	}
	if _, err := json.Marshal(o.Rules); err != nil {
		t.Error(err)
	}
}
