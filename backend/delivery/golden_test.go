package delivery

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/golden"
)

// A golden file is the block as the agent reads it, then the whole result.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/cases/*.json")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			in, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := RunCase(bytes.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			var result struct{ Block string }
			if err := json.Unmarshal(out.Bytes(), &result); err != nil {
				t.Fatal(err)
			}
			got := result.Block + "\n========\n" + out.String()
			golden.EqualFile(t, strings.TrimSuffix(path, ".json")+".golden", got)
		})
	}
}
