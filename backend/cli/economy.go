package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"hearth/backend/api"
	"hearth/backend/chat"
	"hearth/backend/plain"
)

// economyFlags are the settings by which an agent's context is kept small.
type economyFlags struct {
	role             string
	glance, noGlance bool
	hands            []string
	spillOver        int
	workers          string
}

func (f *economyFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.role, "role", "", "plain (it does everything itself) or coordinator (it delegates to workers)")
	flags.BoolVar(&f.glance, "glance", true, "a coordinator may run commands that only look itself")
	flags.BoolVar(&f.noGlance, "no-glance", false, "the same as --glance=false")
	flags.StringSliceVar(&f.hands, "hands", nil, "tools of workers that a coordinator may use itself: "+strings.Join(chat.HandTools, ", ")+"; \"\" for none")
	flags.IntVar(&f.spillOver, "spill-over", chat.DefaultSpillOver, "put longer output of tools into files, in characters; 0 never does")
	flags.StringVar(&f.workers, "workers", "", "read the workers from this JSON `FILE`, as --json prints them; - is standard input")
}

// fill puts what was given into the body of a request.
func (f *economyFlags) fill(a *app, changed func(string) bool, body map[string]any) error {
	if changed("role") {
		body["role"] = f.role
	}
	if changed("glance") {
		body["glance"] = f.glance
	}
	if changed("no-glance") {
		body["glance"] = !f.noGlance
	}
	if changed("hands") {
		body["hands"] = append([]string{}, f.hands...)
	}
	if changed("spill-over") {
		body["spill_over"] = f.spillOver
	}
	if changed("workers") {
		workers, err := a.readWorkers(f.workers)
		if err != nil {
			return err
		}
		body["workers"] = workers
	}
	return nil
}

// maxWorkers is how many bytes a file of workers may have: far more than twelve of
// them take.
const maxWorkers = 1 << 20

// readWorkers reads workers as JSON: a list of them, or something that has one, as a
// binding has. What is in the list the API judges.
func (a *app) readWorkers(path string) ([]json.RawMessage, error) {
	source, named := a.stdin, "standard input"
	if path != "-" {
		// Opened only when it is a file: a pipe that nobody writes to would be waited for.
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("read the workers: %w. Give a file with a JSON list of them, or - for standard input", err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("read the workers: %s is no file. Give a file with a JSON list of them, or - for standard input", path)
		}
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("read the workers: %w", err)
		}
		defer file.Close()
		source, named = file, path
	}
	text, err := io.ReadAll(io.LimitReader(source, maxWorkers+1))
	if err != nil {
		return nil, fmt.Errorf("read the workers: %w", err)
	}
	if len(text) > maxWorkers {
		return nil, fmt.Errorf("read the workers: %s has more than 1 MiB: give a JSON list of at most %d workers", named, chat.MaxWorkers)
	}
	list := text
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		var holder struct {
			Workers json.RawMessage `json:"workers"`
		}
		if err := json.Unmarshal(text, &holder); err != nil {
			return nil, noWorkers(named, text, err)
		}
		if list = holder.Workers; list == nil {
			return nil, noWorkers(named, text, errors.New(`there is no "workers" in it`))
		}
	}
	var workers []json.RawMessage
	if err := json.Unmarshal(list, &workers); err != nil {
		return nil, noWorkers(named, list, err)
	}
	if workers == nil {
		return nil, noWorkers(named, list, errors.New("it is null; [] is no workers"))
	}
	return workers, nil
}

// noWorkers says where a file is no list of workers, and how to get one.
func noWorkers(named string, text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
		err = fmt.Errorf("line %d: %w", line, err)
	case errors.As(err, &kind):
		err = fmt.Errorf("it is a %s", kind.Value)
	}
	return fmt.Errorf("read the workers: %s is no JSON list of workers (%w): `hearth bindings list CHANNEL --json` shows what one looks like", named, err)
}

// roleOf is an agent's role in a word or two.
func roleOf(b api.Binding) string {
	if b.Role != string(chat.RoleCoordinator) {
		return b.Role
	}
	return fmt.Sprintf("%s of %s", b.Role, plain.Count(len(b.Workers), "worker", "workers"))
}

func spillOver(b api.Binding) string {
	if b.SpillOver == 0 {
		return "never"
	}
	return plain.Grouped(b.SpillOver)
}
