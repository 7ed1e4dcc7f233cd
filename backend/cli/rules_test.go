package cli

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// What is allowed for good can be seen, and taken back.
func TestRules(t *testing.T) {
	h := newHouse(t)
	h.serve()
	h.ok("bindings", "add", "general", "second", "--runtime", "standin")
	if out := h.ok("rules", "general"); !strings.Contains(out, "Nothing is always allowed here") {
		t.Errorf("at first: %s", out)
	}
	always := func(text string) {
		t.Helper()
		asking := h.start("post", "general", text, "--wait")
		id := asking.stderr.until(t, regexp.MustCompile("`hearth allow ("+anID.String()+")`"))[1]
		if out := h.ok("allow", id, "--always"); !strings.Contains(out, "`hearth rules` lists that") {
			t.Errorf("allow says %s", out)
		}
		asking.end()
	}
	always("@claude ASK")
	always("@second ASK EXACTLY")
	if out := h.ok("permissions"); !strings.Contains(out, "hearth rules CHANNEL") {
		t.Errorf("permissions says %s", out)
	}
	list := h.ok("rules", "general")
	for _, wanted := range []string{
		`(?m)^ID +AGENT +SINCE +ALWAYS ALLOWED$`, `(?m)^\S{26}  @claude  2026-01-02 03:04:05  Bash\(rm:\*\)$`,
		`(?m)^\S{26}  @second  2026-01-02 03:04:05  exactly this Bash: rm -rf ␛\[31mx␊second$`,
	} {
		if !regexp.MustCompile(wanted).MatchString(list) {
			t.Errorf("no %s in\n%s", wanted, list)
		}
	}
	if out := h.ok("rules", "general", "@second"); strings.Contains(out, "@claude") || !strings.Contains(out, "exactly") {
		t.Errorf("of one: %s", out)
	}
	var got ruleList
	if err := json.Unmarshal([]byte(h.ok("rules", "general", "claude", "--json")), &got); err != nil || len(got.Rules) != 1 || got.Rules[0].Text != "Bash(rm:*)" || got.Rules[0].CreatedAt.IsZero() {
		t.Fatalf("in JSON: %+v %v", got, err)
	}
	if out := h.ok("rules", "remove", got.Rules[0].ID); !strings.Contains(out, "Taken back from @claude in #general: Bash(rm:*). Its process is ended") {
		t.Errorf("remove says %s", out)
	}
	if out := h.ok("rules", "general"); strings.Contains(out, "@claude") || !strings.Contains(out, "@second") {
		t.Errorf("afterwards: %s", out)
	}
	if r := h.run("rules", "remove", got.Rules[0].ID); r.code != exitFailed || !strings.Contains(r.stderr, "there is no rule") {
		t.Errorf("twice: %+v", r)
	}
}
