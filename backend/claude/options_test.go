package claude

import (
	"encoding/json"
	"testing"
)

// What initialize says is the same bytes for the same options; without agents it says nothing of them.
func TestIntroduction(t *testing.T) {
	hooks := map[string]any{"Stop": []string{"x"}}
	if _, said := (&Options{}).introduction(hooks)["agents"]; said {
		t.Error("agents are told although there are none")
	}
	agents := map[string]Agent{"tester": {Description: "d", Prompt: "p", Tools: []string{"Read", "Bash"}, Model: "inherit"}, "explorer": {Description: "e", Prompt: "q"}}
	const want = `{"agents":{"explorer":{"description":"e","prompt":"q"},"tester":{"description":"d","prompt":"p","tools":["Read","Bash"],"model":"inherit"}},"hooks":{"Stop":["x"]}}`
	for range 20 {
		got, err := json.Marshal((&Options{Agents: agents}).introduction(hooks))
		if err != nil || string(got) != want {
			t.Fatalf("%s, %v", got, err)
		}
	}
}
