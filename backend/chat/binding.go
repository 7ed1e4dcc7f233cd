package chat

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Runtime names the kind of agent behind a binding and how it is spoken to.
type Runtime string

// The runtimes.
const (
	RuntimeClaude  Runtime = "cli:claude:agent"  // the Claude Code client over stream-json
	RuntimeStandin Runtime = "cli:standin:agent" // Hearth's own stand-in: the same wire, no model
)

// PermissionModes are the client's modes a binding may choose; "" leaves it to
// the person's own settings.
var PermissionModes = []string{"", "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"}

// Binding puts one agent into one channel.
type Binding struct {
	ID             string
	ChannelID      string
	Handle         string // unique in the channel, compared folded
	Runtime        Runtime
	Model          string // "" is the client's own choice
	PermissionMode string // one of PermissionModes
	Supervised     bool   // Hearth holds the process (how permission is given is another setting)
	Resident       bool   // the process is kept warm between turns
	BaseURL        string // another Messages API (Ollama, LiteLLM, a gateway); "" is the client's own
	Token          string // for BaseURL; never leaves Hearth except into the agent's environment
	BriefEveryTurn bool   // repeat the brief in every turn instead of telling it once

	Role      Role
	Glance    bool     // a coordinator may run commands that only look
	Hands     []string // tools of HandTools that a coordinator may use itself
	Workers   []Worker // whom a coordinator delegates to
	SpillOver int      // how many characters of a tool's output stay in the context, MinSpillOver..MaxSpillOver; 0: all

	CreatedAt time.Time
	FreshAt   time.Time // the last Start fresh; zero: never
}

// NewBinding is a binding as it is when nobody has chosen anything yet.
func NewBinding(handle string, runtime Runtime) Binding {
	return Binding{
		Handle: handle, Runtime: runtime, Supervised: true, Resident: true,
		Role: RolePlain, Glance: true, Workers: DefaultWorkers(), SpillOver: DefaultSpillOver,
	}
}

// Remembers says whether the binding keeps a native session between turns, and
// so can have a watermark.
func (b Binding) Remembers() bool { return b.Supervised && b.Resident }

// Check says what is wrong with the binding's own fields.
func (b Binding) Check() error {
	if err := CheckHandle(b.Handle); err != nil {
		return err
	}
	if b.Runtime != RuntimeClaude && b.Runtime != RuntimeStandin {
		return Errorf(CodeInvalid, "Unknown runtime %q; this Hearth knows %s and %s.", b.Runtime, RuntimeClaude, RuntimeStandin)
	}
	if !slices.Contains(PermissionModes, b.PermissionMode) {
		return Errorf(CodeInvalid, "Unknown permission mode %q; choose one of %s, or none.", b.PermissionMode, strings.Join(PermissionModes[1:], ", "))
	}
	for name, value := range map[string]string{"model": b.Model, "base URL": b.BaseURL, "token": b.Token} {
		if utf8.RuneCountInString(value) > 4096 || strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }) {
			return Errorf(CodeInvalid, "The %s is too long or has a control character in it.", name)
		}
	}
	if strings.HasPrefix(b.Model, "-") {
		return Errorf(CodeInvalid, "The model name can't start with a dash; got %q.", b.Model)
	}
	if b.BaseURL != "" {
		u, err := url.Parse(b.BaseURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return Errorf(CodeInvalid, "The base URL must look like http://host:port or https://host; got %q.", b.BaseURL)
		}
	}
	return b.checkEconomy()
}

// Member is a person in a channel.
type Member struct {
	ChannelID string
	Handle    string // "" is the owner
	JoinedAt  time.Time
}
