package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/ledger"
	"hearth/backend/run"
	"hearth/backend/tool"
	"hearth/backend/transcript"
)

// facts is what the ledger needs to know of a process from its start.
type facts struct {
	process string      // its mark: no other process ever has it
	framing ledger.Part // of what stands in its requests
	told    string      // what it is told of Hearth's tools and of its workers

	settings map[string]string // what the person had decided of it
}

// factsOf puts down how a process is about to be started. A saved session is asked
// for by its native id; "" is a new one.
func (a *agents) factsOf(ctx context.Context, c chat.Channel, b chat.Binding, framing, mark, restored string, agents map[string]claude.Agent) facts {
	told, err := json.Marshal(agents) // a map comes out sorted
	if err != nil {
		panic("engine: workers that are no JSON: " + err.Error()) // strings and lists of them only
	}
	f := facts{process: mark, framing: partOf(framing), told: tool.Definitions() + string(told), settings: settingsOf(c, b)}
	if restored != "" {
		f.framing = a.framingOf(ctx, c, restored, f.framing)
	}
	return f
}

// settingsOf are the settings that a request depends on, each by a hash: of the
// values only whether they differ is asked.
func settingsOf(c chat.Channel, b chat.Binding) map[string]string {
	hash := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			panic("engine: a setting that is no JSON: " + err.Error()) // strings, bools and lists of them only
		}
		return partOf(string(text)).Hash
	}
	settings := map[string]string{
		ledger.SettingModel: hash(b.Model), ledger.SettingRole: hash(b.Role), ledger.SettingHandle: hash(b.Handle),
		ledger.SettingBrief: hash(b.BriefEveryTurn), ledger.SettingWorkspace: hash(c.Workspace), ledger.SettingAPI: hash(b.BaseURL),
	}
	if b.Role == chat.RoleCoordinator { // of any other they are not in force
		settings[ledger.SettingWorkers], settings[ledger.SettingHands] = hash(b.Workers), hash([]any{b.Glance, b.Hands})
	}
	return settings
}

// framingOf is the framing of a saved session that is loaded again with that of now.
//
// Problem: a client may go on with the instructions that the session began with,
// whatever it is started with. Why: since some version it keeps them in the
// transcript, so that a restart costs nothing. Solution: when the two differ, the
// transcript is looked at.
func (a *agents) framingOf(ctx context.Context, c chat.Channel, native string, now ledger.Part) ledger.Part {
	began, err := a.store.FramingOf(ctx, native)
	if err != nil {
		a.log.Warn("read what a saved session was told", "native", native, "error", err)
		return now
	}
	if began.Hash == "" || began == now {
		return now
	}
	path, err := transcript.Find(transcript.ConfigDir(a.environ(ctx)), c.Workspace, native)
	if err == nil {
		var kept bool
		if kept, err = keepsInstructions(path); kept {
			return began
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.log.Warn("look whether a session keeps its instructions", "native", native, "error", err)
	}
	return now
}

// snapshot is how an entry begins in which the client keeps its instructions. In any
// text of a transcript the quotes would be escaped.
var snapshot = []byte(`"attachment":{"type":"prompt_snapshot"`)

// keepsInstructions says whether a transcript has such an entry. It stands near the
// beginning.
func keepsInstructions(path string) (bool, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	buffer := make([]byte, 256<<10)
	kept := 0 // bytes of the round before: an entry may begin in them
	for {
		n, err := file.Read(buffer[kept:])
		data := buffer[:kept+n]
		if bytes.Contains(data, snapshot) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		kept = copy(buffer, data[max(0, len(data)-len(snapshot)+1):])
	}
}

// partOf is a part of a request by its hash and size.
func partOf(text string) ledger.Part {
	sum := sha256.Sum256([]byte(text))
	return ledger.Part{Hash: hex.EncodeToString(sum[:8]), Size: int64(len(text))}
}

// with adds what the client said of itself at the beginning of a turn.
func (f facts) with(client claude.Init) run.Facts {
	out := run.Facts{Process: f.process, Framing: f.framing, Version: client.Version, Model: client.Model, Settings: f.settings}
	if len(client.Tools) > 0 {
		out.Tools = partOf(strings.Join(client.Tools, "\n") + "\n" + f.told)
	}
	return out
}

// of are the facts of a turn that has a result.
func (f facts) of(r claude.Result) run.Facts {
	out := f.with(r.Client)
	for name, m := range r.Models {
		out.Models = append(out.Models, ledger.ModelUse{Model: name, Usage: ledger.Usage(m.Usage), CostUSD: m.CostUSD})
	}
	slices.SortFunc(out.Models, func(a, b ledger.ModelUse) int { return cmp.Compare(a.Model, b.Model) })
	for _, c := range r.Compacted {
		out.Compactions = append(out.Compactions, ledger.Compaction{Calls: c.Calls})
	}
	return out
}

// usageOf maps what a turn used.
func usageOf(r claude.Result) run.Usage {
	u := used(r.Usage, r.Calls)
	u.CostUSD, u.Context, u.Window = r.CostUSD, r.ContextSize(), r.ContextWindow
	return u
}

func used(all claude.Usage, calls []claude.Call) run.Usage {
	u := run.Usage{Usage: ledger.Usage(all)}
	first := true
	for _, c := range calls {
		if c.Main && first {
			u.TTFT, first = c.TTFT.Truncate(time.Microsecond), false
		}
		u.Calls = append(u.Calls, ledger.Call{
			MessageID: c.MessageID, Model: c.Model, Main: c.Main, Usage: ledger.Usage(c.Usage),
			TTFT: c.TTFT, Began: c.Began, Ended: c.Ended, Miss: ledger.Miss(c.Miss),
		})
	}
	return u
}

// seen are the calls that a turn has shown so far: all there is to count when its
// process dies before its result.
type seen struct{ calls []claude.Call }

func (s *seen) take(e claude.Event) {
	switch e := e.(type) {
	case claude.Retract:
		s.calls = nil
	case claude.CallUsage:
		at := slices.IndexFunc(s.calls, func(c claude.Call) bool { return c.MessageID == e.MessageID })
		if at < 0 {
			s.calls = append(s.calls, e.Call)
		} else {
			s.calls[at] = e.Call
		}
	}
}

// usage is what they used. What it cost is not known: only a result says so.
func (s *seen) usage() run.Usage {
	var sum claude.Usage
	for _, c := range s.calls {
		sum = sum.Add(c.Usage)
	}
	return used(sum, s.calls)
}
