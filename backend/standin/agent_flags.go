package standin

import (
	"encoding/json"
	"os"
	"sort"
	"strings"
)

// flags are those of the client that mean something to the stand-in.
type flags struct {
	version, help    bool
	sessionID        string
	resume           string
	fork             bool
	model            string
	permissionMode   string
	permissionPrompt bool // questions can be asked on the stream
	framing          string
	servers          []string // in-process MCP servers
	allowed          []string // tools that need no question
	partial, replay  bool
	demo             bool // be a demo: see RunAgent
}

// DemoFlag makes the agent a demo for people: it streams its words at a pace that
// can be seen, and looks around with the channel's tools before it first answers.
// The client has no such flag.
const DemoFlag = "--demo"

// oneValue are the flags that always take the next argument, whatever it looks
// like. Any other unknown flag takes the arguments up to the next one with a dash.
var oneValue = map[string]bool{
	"--session-id": true, "--resume": true, "-r": true, "--model": true, "--permission-mode": true,
	"--permission-prompt-tool": true, "--append-system-prompt": true, "--system-prompt": true,
	"--input-format": true, "--output-format": true, "--setting-sources": true, "--settings": true,
	"--agents": true, "--fallback-model": true, "--max-turns": true,
}

func parseFlags(args []string) flags {
	f := flags{model: "standin", permissionMode: "default"}
	for i := 0; i < len(args); {
		name, value, given := strings.Cut(args[i], "=")
		i++
		if !strings.HasPrefix(name, "-") {
			continue
		}
		var values []string
		switch {
		case given:
			values = []string{value}
		case oneValue[name]:
			if i < len(args) {
				values = args[i : i+1]
				i++
			}
		default:
			for ; i < len(args) && !strings.HasPrefix(args[i], "-"); i++ {
				values = append(values, args[i])
			}
		}
		f.set(name, values)
	}
	return f
}

func (f *flags) set(name string, values []string) {
	first := ""
	if len(values) > 0 {
		first = values[0]
	}
	switch name {
	case "--version", "-v":
		f.version = true
	case "--help", "-h":
		f.help = true
	case "--session-id":
		f.sessionID = first
	case "--resume", "-r":
		f.resume = first
	case "--fork-session":
		f.fork = true
	case "--model":
		f.model = first
	case "--permission-mode":
		f.permissionMode = first
	case "--permission-prompt-tool":
		f.permissionPrompt = first == "stdio"
	case "--append-system-prompt":
		f.framing = first
	case "--mcp-config":
		for _, config := range values {
			f.servers = append(f.servers, sdkServers(config)...)
		}
	case "--allowedTools", "--allowed-tools":
		for _, list := range values {
			f.allowed = append(f.allowed, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })...)
		}
	case "--include-partial-messages":
		f.partial = true
	case "--replay-user-messages":
		f.replay = true
	case DemoFlag:
		f.demo = true
	case "--dangerously-skip-permissions":
		f.permissionMode = "bypassPermissions"
	}
}

// sdkServers returns the names of the in-process servers in an MCP
// configuration, given as JSON or as a file. Other servers are not the
// stand-in's business: it starts nothing.
func sdkServers(config string) []string {
	raw := []byte(config)
	if !strings.HasPrefix(strings.TrimSpace(config), "{") {
		read, err := os.ReadFile(config)
		if err != nil {
			return nil
		}
		raw = read
	}
	var c struct {
		Servers map[string]struct {
			Type string `json:"type"`
		} `json:"mcpServers"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return nil
	}
	var names []string
	for name, s := range c.Servers {
		if s.Type == "sdk" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// allows says whether a tool may be used without a question.
func (f flags) allows(tool string) bool {
	for _, name := range f.allowed {
		if name == tool || strings.HasPrefix(tool, name+"__") {
			return true
		}
	}
	return false
}
