package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"hearth/backend/chat"
)

// arguments are those of one call, each known to be one the tool takes. An
// argument that is null counts as left out.
type arguments map[string]json.RawMessage

// parseArguments reads the arguments of a call and refuses those the tool does
// not know.
func parseArguments(d definition, raw json.RawMessage) (arguments, error) {
	known := d.takes()
	args := arguments{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, chat.Errorf(chat.CodeInvalid, "The arguments of %s must be one JSON object; %s.", d.name, takesWhat(known))
		}
	}
	names := make([]string, 0, len(args))
	for name, value := range args {
		if string(value) == "null" {
			delete(args, name)
			continue
		}
		names = append(names, name)
	}
	sort.Strings(names) // so that the same mistake gets the same answer
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, chat.Errorf(chat.CodeInvalid, "%s has no argument %q; %s.", d.name, clip(name, 40), takesWhat(known))
		}
	}
	return args, nil
}

// takes returns the names of the tool's arguments, as its schema has them.
func (d definition) takes() []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal([]byte(d.schema), &schema); err != nil {
		panic(fmt.Sprintf("schema of %s: %v", d.name, err)) // written here, and read by every test
	}
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func takesWhat(known []string) string {
	if len(known) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(known, ", ")
}

// has says whether an argument was given.
func (a arguments) has(name string) bool {
	_, ok := a[name]
	return ok
}

// text returns a string, "" when it was not given.
func (a arguments) text(name string) (string, error) {
	raw, ok := a[name]
	if !ok {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", chat.Errorf(chat.CodeInvalid, "%s must be a string.", name)
	}
	return s, nil
}

// rowID returns the id of a row, "" when it was not given.
func (a arguments) rowID(name string) (string, error) {
	id, err := a.text(name)
	if err != nil || !a.has(name) {
		return "", err
	}
	if len(id) == 0 || len(id) > 64 || strings.ContainsFunc(id, notOfAnID) {
		return "", chat.Errorf(chat.CodeInvalid, "%s must be a row id, as channel_history prints it behind \"id\".", name)
	}
	return id, nil
}

func notOfAnID(r rune) bool {
	return (r < '0' || '9' < r) && (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r) && r != '-' && r != '_'
}

// number returns a whole number within a range, otherwise when it was not given.
func (a arguments) number(name string, low, high, otherwise int) (int, error) {
	raw, ok := a[name]
	if !ok {
		return otherwise, nil
	}
	var f float64
	if err := json.Unmarshal(raw, &f); err != nil || f != math.Trunc(f) || f < float64(low) || f > float64(high) {
		return 0, chat.Errorf(chat.CodeInvalid, "%s must be a whole number from %d to %d; got %s.", name, low, high, clip(string(raw), 40))
	}
	return int(f), nil
}

// texts returns a list of strings, nil when it was not given.
func (a arguments) texts(name string) ([]string, error) {
	raw, ok := a[name]
	if !ok {
		return nil, nil
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, chat.Errorf(chat.CodeInvalid, "%s must be a list of strings, such as [\"codex\"].", name)
	}
	return list, nil
}
