//go:build e2e

package ledger

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"hearth/backend/claude/claudetest"
	"hearth/backend/standin"
)

// The table of prices and the client's own say the same, for every model that both have.
func TestPricesAreTheClients(t *testing.T) {
	use := map[string]Usage{"": {Input: 1000, CacheRead: 20_000, CacheWrite5m: 3000, CacheWrite1h: 4000, Output: 500}}
	for _, p := range prices {
		if p.over > 0 {
			use[p.model] = Usage{Input: 1000, CacheRead: p.over, CacheWrite5m: 3000, CacheWrite1h: 4000, Output: 500}
		}
	}
	agreed := 0
	for _, p := range prices {
		for _, long := range []bool{false, true} {
			u := use[""]
			if long {
				if u = use[p.model]; u == (Usage{}) {
					continue
				}
			}
			said, basis := charged(t, p.model, u)
			rates, _ := Listed(p.model)
			want, ok := rates.Cost(u, u.Prompt())
			t.Logf("%s, a prompt of %d: the client says %v (%s), the table %v, %v", p.model, u.Prompt(), said, basis, want, ok)
			if basis != "list" || !ok {
				continue
			}
			if said != want {
				t.Errorf("%s, a prompt of %d: the client says %v, the table %v", p.model, u.Prompt(), said, want)
			}
			agreed++
		}
	}
	if agreed < 8 { // the newest client may have dropped some
		t.Errorf("only %d prices were compared", agreed)
	}
}

// charged is what the client says that one call of this usage costs, and where it has the price from.
func charged(t *testing.T, model string, u Usage) (m Money, basis string) {
	t.Helper()
	reply := standin.Say("hello")
	reply.Usage = &standin.Usage{
		InputTokens: int(u.Input), CacheReadInputTokens: int(u.CacheRead), CacheCreationInputTokens: int(u.Written()),
		CacheCreation: standin.CacheCreation{Ephemeral5m: int(u.CacheWrite5m), Ephemeral1h: int(u.CacheWrite1h)}, OutputTokens: int(u.Output),
	}
	api := standin.NewAPI(standin.Options{Script: func(standin.Request) standin.Reply { return reply }})
	url, stop, err := api.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	command := exec.CommandContext(t.Context(), claudetest.Client(t), "-p", "hi", "--model", model, "--output-format", "json")
	command.Dir = t.TempDir()
	command.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=sk-fake",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
	}
	out, err := command.Output()
	var result struct {
		Models map[string]struct {
			CostUSD   float64 `json:"costUSD"`
			CostBasis string  `json:"costBasis"`
			Output    int64   `json:"outputTokens"`
		} `json:"modelUsage"`
	}
	if decoded := json.Unmarshal(out, &result); decoded != nil {
		t.Fatalf("%s: %v, %v: %.300s", model, err, decoded, out)
	}
	for name, used := range result.Models {
		if ModelName(name) == model && used.Output == u.Output { // once: no retry, no side call
			return Dollars(used.CostUSD), used.CostBasis
		}
	}
	t.Logf("%s: %.600s", model, out)
	return 0, ""
}
