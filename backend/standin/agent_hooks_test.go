package standin

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// hooked starts an agent whose hooks are asked at every tool, and answered by say;
// what they were told is kept.
type hooked struct {
	*host
	told []object
	asks []object // for permission
}

func startHooked(t *testing.T, p place, env []string, say func(in object) object) *hooked {
	t.Helper()
	h := &hooked{host: startAgent(t, p, env, usual()...)}
	h.answers(func(r object) (any, bool) {
		switch r["subtype"] {
		case "hook_callback":
			in := r["input"].(object)
			h.told = append(h.told, in)
			if said := say(in); said != nil {
				said["hookEventName"] = in["hook_event_name"]
				return object{"hookSpecificOutput": said}, true
			}
			return object{}, true
		case "can_use_tool":
			h.asks = append(h.asks, r)
		}
		return nil, true
	})
	hooks := object{}
	for _, event := range []string{"PreToolUse", "PostToolUse", "PostToolUseFailure"} {
		hooks[event] = []object{{"hookCallbackIds": []string{"h-" + event}}}
	}
	h.control(object{"subtype": "initialize", "hooks": hooks, "agents": object{"explorer": object{"description": "looks", "prompt": "Look."}}})
	return h
}

// results are the results of tools in the lines of a turn, as text.
func results(lines []object) []string {
	var out []string
	for _, line := range find(lines, "user") {
		for _, block := range line["message"].(object)["content"].([]any) {
			if b := block.(object); b["type"] == "tool_result" {
				out = append(out, fmt.Sprint(b["content"]))
			}
		}
	}
	return out
}

func nothing(object) object { return nil }

func TestAgentRuns(t *testing.T) {
	p := newPlace(t)
	h := startHooked(t, p, nil, nothing)
	h.says(mention("/bash echo 'it'\"'\"'s 한국어' && pwd"), "it's 한국어\n"+p.workspace)
	if len(h.asks) != 1 || h.asks[0]["input"].(object)["command"] != "echo 'it'\"'\"'s 한국어' && pwd" {
		t.Errorf("asked %v", h.asks)
	}
	if len(h.told) != 2 || h.told[0]["hook_event_name"] != "PreToolUse" || h.told[1]["hook_event_name"] != "PostToolUse" {
		t.Fatalf("told %v", h.told)
	}
	for _, in := range h.told {
		if in["tool_name"] != "Bash" || in["cwd"] != p.workspace || in["session_id"] == "" || in["tool_use_id"] == "" || in["agent_id"] != nil || in["permission_mode"] != "default" {
			t.Errorf("told %v", in)
		}
		if _, err := os.Stat(in["transcript_path"].(string)); err != nil {
			t.Error(err)
		}
	}
	if out := h.told[1]["tool_response"].(object); out["stdout"] != "it's 한국어\n"+p.workspace || out["isImage"] != false {
		t.Errorf("%v", out)
	}
	h.told = nil
	_, lines := h.turn(mention("/bash seq 1 5000; echo no >&2; exit 3"))
	got := results(lines)[0]
	if !strings.HasPrefix(got, "Exit code 3\n1\n2\n") || !strings.HasSuffix(got, "5000\nno") || !strings.Contains(got, "characters truncated") || len(got) > 11_000 {
		t.Errorf("%d characters: %.200q", len(got), got)
	}
	if len(h.told) != 2 || h.told[1]["hook_event_name"] != "PostToolUseFailure" || h.told[1]["error"] != got {
		t.Errorf("told %d: %.300v", len(h.told), h.told[1])
	}
	h.says(mention("/bash kill -9 $$"), "Exit code 137")
	h.says("/bash", "say which command")
}

// An interrupt ends a command and all that it started.
func TestAgentInterruptedCommand(t *testing.T) {
	p := newPlace(t)
	h := startHooked(t, p, nil, nothing)
	gate := filepath.Join(p.workspace, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	h.ask(mention("/bash echo up > gate; sleep 1000 & sleep 1000"))
	if text, err := os.ReadFile(gate); err != nil || string(text) != "up\n" {
		t.Fatalf("%q, %v", text, err)
	}
	h.control(object{"subtype": "interrupt"})
	if result := h.until("the result", is("result")); result["subtype"] != "error_during_execution" {
		t.Errorf("%v", result)
	}
	h.says(mention("and now?"), "I am warm")
}

func TestAgentHooksDecide(t *testing.T) {
	p := newPlace(t)
	made := filepath.Join(p.workspace, "made")
	for name, test := range map[string]struct {
		say    object // at PreToolUse
		result string
		asks   int
		made   bool
	}{
		"denied":      {object{"permissionDecision": "deny", "permissionDecisionReason": "delegate it"}, "delegate it", 0, false},
		"allowed":     {object{"permissionDecision": "allow"}, "ran", 0, true},
		"no opinion":  {nil, "ran", 1, true},
		"changed":     {object{"updatedInput": object{"command": "echo another"}}, "another", 1, false},
		"to be asked": {object{"permissionDecision": "ask"}, "ran", 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(made) // it may not be there
			h := startHooked(t, p, nil, func(in object) object {
				if in["hook_event_name"] == "PreToolUse" && test.say != nil {
					said := object{}
					for k, v := range test.say {
						said[k] = v
					}
					return said
				}
				return nil
			})
			result, lines := h.turn(mention("/bash touch made; echo ran"))
			if got := results(lines); len(got) != 1 || got[0] != test.result {
				t.Errorf("%q", got)
			}
			if len(h.asks) != test.asks {
				t.Errorf("asked %v", h.asks)
			}
			if test.asks == 1 && test.say["updatedInput"] != nil && fmt.Sprint(h.asks[0]["input"]) != "map[command:echo another]" {
				t.Errorf("asked for %v", h.asks[0]["input"])
			}
			if _, err := os.Stat(made); (err == nil) != test.made {
				t.Error(err)
			}
			if denied := len(result["permission_denials"].([]any)); (denied == 1) != (name == "denied") {
				t.Errorf("%d denials", denied)
			}
		})
	}
}

func TestAgentHooksReplaceOutput(t *testing.T) {
	var response, replace any
	h := startHooked(t, newPlace(t), nil, func(in object) object {
		if in["hook_event_name"] != "PostToolUse" {
			return nil
		}
		response = in["tool_response"]
		if replace == nil {
			return nil
		}
		return object{"updatedToolOutput": replace}
	})
	turn := func(text string) string {
		t.Helper()
		_, lines := h.turn(mention(text))
		got := results(lines)
		return got[len(got)-1]
	}
	// As it is, with the client's own pointer when it is long.
	if got := turn("/long 3"); got != "1\n2\n3" || len(h.asks) != 0 {
		t.Errorf("%q, asked %v", got, h.asks)
	}
	if got := turn("/long 12000"); !strings.HasPrefix(got, "<persisted-output>") || len(got) > 3000 {
		t.Errorf("%.200q", got)
	}
	out := response.(object)
	whole, err := os.ReadFile(out["persistedOutputPath"].(string))
	if err != nil || !strings.HasSuffix(string(whole), "\n12000") || float64(len(whole)) != out["persistedOutputSize"] || len(out["stdout"].(string)) != maxStdout {
		t.Errorf("%d bytes, %v", len(whole), err)
	}
	// As the hook wants it, in the tool's own form only.
	replace = object{"stdout": "see the file", "stderr": "", "interrupted": false, "isImage": false}
	if got := turn("/long 12000"); got != "see the file" {
		t.Errorf("%.200q", got)
	}
	replace = "see the file"
	if got := turn("/long 3"); got != "1\n2\n3" {
		t.Errorf("%.200q", got)
	}
	replace = []object{{"type": "text", "text": "one"}, {"type": "text", "text": "two"}}
	if got := turn("/history 5"); got != "one\ntwo" || fmt.Sprint(response) != `[map[text:channel_history got {"limit":5} type:text]]` {
		t.Errorf("%q of %v", got, response)
	}
}

func TestAgentWorker(t *testing.T) {
	var isolation any
	h := startHooked(t, newPlace(t), nil, func(in object) object {
		if in["tool_name"] != "Agent" {
			if in["hook_event_name"] == "PreToolUse" && in["agent_id"] == nil {
				return object{"permissionDecision": "deny", "permissionDecisionReason": "delegate it"}
			}
			return nil
		}
		input := in["tool_input"].(object)
		if in["hook_event_name"] == "PostToolUse" {
			isolation = input["isolation"]
			return nil
		}
		input["isolation"] = "worktree"
		return object{"updatedInput": input}
	})
	result, lines := h.turn(mention("/worker explorer /bash echo inside"))
	if reply := result["result"].(string); !strings.Contains(reply, "My worker reports:\nWorker explorer. I ran `echo inside`, and was told:\ninside") {
		t.Errorf("%s", reply)
	}
	if isolation != "worktree" || len(h.asks) != 1 || h.asks[0]["agent_id"] == nil {
		t.Errorf("isolation %v, asked %v", isolation, h.asks)
	}
	inside := 0
	for _, in := range h.told {
		if in["tool_name"] == "Bash" {
			inside++
			if in["agent_id"] != h.asks[0]["agent_id"] || in["agent_type"] != "explorer" {
				t.Errorf("told %v", in)
			}
		}
	}
	if inside != 2 {
		t.Errorf("%d hooks inside", inside)
	}
	call, parents := "", 0
	for _, line := range lines {
		if parent, _ := line["parent_tool_use_id"].(string); parent != "" {
			parents++
			call = parent
		}
	}
	if started := find(lines, "system/task_started"); parents != 3 || len(started) != 1 || started[0]["tool_use_id"] != call || started[0]["task_type"] != "local_agent" {
		t.Errorf("%d lines of the worker, started %v", parents, started)
	}
	// The main thread is another matter, and a worker starts none.
	if _, lines := h.turn(mention("/long 5")); results(lines)[0] != "delegate it" {
		t.Errorf("%q", results(lines))
	}
	if _, lines := h.turn(mention("/background 60")); results(lines)[0] != "delegate it" || len(find(lines, "system/task_started")) != 0 {
		t.Errorf("%q", results(lines))
	}
	h.says(mention("/worker /crash"), "Worker general-purpose. /crash is not for workers.")
	h.says(mention("/worker just look"), "I was told: just look")
}

// The rules of apply_flag_settings are in force at once, as with the client.
func TestAgentRules(t *testing.T) {
	h := startHooked(t, newPlace(t), nil, nothing)
	odd := `touch 'ma(de' && touch 'al\)so'`
	rules := []string{`Bash(` + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(odd) + `)`, "Bash(git status:*)", "mcp__channel"}
	if r := h.control(object{"subtype": "apply_flag_settings", "settings": object{"permissions": object{"allow": rules}}}); r["subtype"] != "success" {
		t.Fatalf("%v", r)
	}
	for command, asks := range map[string]int{
		"/bash " + odd: 0, "/ask git status": 0, "/ask git status -s": 0, "/post hello": 0, "/ask git statusx": 1, "/ask git status; rm x": 1, "/ask touch": 1,
	} {
		h.asks = nil
		if h.turn(mention(command)); len(h.asks) != asks {
			t.Errorf("%s: asked %v", command, h.asks)
		}
	}
	if r := h.control(object{"subtype": "apply_flag_settings", "settings": 7}); r["subtype"] != "error" {
		t.Errorf("%v", r)
	}
}

func TestParseRule(t *testing.T) {
	for text, want := range map[string]allowRule{
		"Bash": {"Bash", ""}, "Bash(ls)": {"Bash", "ls"}, `Bash(a \(b\) \\ c)`: {"Bash", `a (b) \ c`}, `Bash(echo \\\))`: {"Bash", `echo \)`}, "Bash(": {"Bash(", ""},
	} {
		if got := parseRule(text); got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// The prefix stands before commands, with the whole line as its one argument.
func TestAgentShellPrefix(t *testing.T) {
	p := newPlace(t)
	prefix := filepath.Join(p.home, "prefix")
	script := "#!/bin/bash\necho \"$# $1\" > " + filepath.Join(p.home, "line") + "\nexec bash -c \"$1\"\n"
	if err := os.WriteFile(prefix, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	h := startHooked(t, p, []string{prefixName + "=" + prefix}, nothing)
	h.says(mention("/bash echo through"), "through")
	line, err := os.ReadFile(filepath.Join(p.home, "line"))
	if err != nil || !strings.HasPrefix(string(line), "1 eval 'echo through' < /dev/null && pwd -P >| '") || !strings.Contains(string(line), "/claude-standin-cwd'") {
		t.Errorf("%s, %v", line, err)
	}
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"Bash(ls)", `Bash(a\(b\))`, "x(", ")", `(\\)`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// What a host escapes comes back as it was.
		escaped := "Bash(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text) + ")"
		if got := parseRule(escaped); got.tool != "Bash" || got.content != text {
			t.Fatalf("%q became %+v", text, got)
		}
		input, err := json.Marshal(object{"command": text})
		if err != nil {
			t.Fatal(err)
		}
		_ = parseRule(text).allows(&toolCall{tool: "Bash", input: input})
	})
}
