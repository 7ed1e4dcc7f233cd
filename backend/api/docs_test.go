package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hearth/backend/chat"
)

// The page for people names every path, event, field of a message and code, and
// none that is not there.
func TestPageForPeople(t *testing.T) {
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(newHouse(t).call("GET", documentPath, "").body), &document); err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{"POST " + sessionPath: true} // answered before the operations
	for path, operations := range document.Paths {
		for method := range operations {
			there[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, e := range eventTypes {
		there["event "+e.name] = true
	}
	for i := range reflect.TypeFor[Row]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[Row]().Field(i).Tag.Get("json"), ",")
		there["field "+name] = true
	}
	for code, status := range statuses {
		there[fmt.Sprintf("code %s %d", code, status)] = true
	}
	// Of the guard and of huma; TestGuard and TestWrong show them.
	for _, status := range []int{http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusUnsupportedMediaType} {
		there[fmt.Sprintf("code %s %d", chat.CodeInvalid, status)] = true
	}

	told := map[string]bool{}
	for _, section := range []struct {
		head, kind string
		row        *regexp.Regexp
	}{
		{"The paths", "", regexp.MustCompile(`(?m)^\| (.*?) \|`)},
		{"A message", "field ", regexp.MustCompile("(?m)^\\| (`.*?) \\|")},
		{"Events", "event ", regexp.MustCompile("(?m)^\\| (`.*?) \\|")},
		{"Errors", "code ", regexp.MustCompile("(?m)^\\| (`\\w+`) \\| (\\d+) \\|")},
	} {
		_, after, ok := strings.Cut(string(text), "\n## "+section.head+"\n")
		if !ok {
			t.Fatalf("the page has no section %q", section.head)
		}
		body, _, _ := strings.Cut(after, "\n## ")
		for _, row := range section.row.FindAllStringSubmatch(body, -1) {
			for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
				methods, path, isPath := strings.Cut(quoted[1], " /")
				switch {
				case isPath:
					for method := range strings.SplitSeq(methods, ", ") {
						told[method+" /"+path] = true
					}
				case len(row) > 2:
					told[section.kind+quoted[1]+" "+row[2]] = true
				default:
					told[section.kind+quoted[1]] = true
				}
			}
		}
	}
	for what := range there {
		if !told[what] {
			t.Errorf("the page does not tell of %s", what)
		}
	}
	for what := range told {
		if !there[what] {
			t.Errorf("the page tells of %s, which is not there", what)
		}
	}
}
