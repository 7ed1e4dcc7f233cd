package standin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// unescaped writes what can't stand in one line.
var unescaped = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\\`, `\`)

// write is /write: a call of the Write tool. It does as the client's does, folders
// included.
func (a *agent) write(ctx context.Context, t *turn, rest string) (string, error) {
	name, text, _ := strings.Cut(rest, " ")
	if name == "" {
		return "/write: say which file, and what is to stand in it.", nil
	}
	path, content := a.pathOf(name), unescaped.Replace(text)
	input := map[string]any{"file_path": path, "content": content}
	return a.change(ctx, t, "Write", path, input, func([]byte) ([]byte, error) { return []byte(content), nil })
}

// edit is /edit: a call of the Edit tool.
func (a *agent) edit(ctx context.Context, t *turn, rest string) (string, error) {
	name, change, _ := strings.Cut(rest, " ")
	old, text, ok := strings.Cut(change, " => ")
	old, text = unescaped.Replace(old), unescaped.Replace(text)
	if !ok || old == "" {
		return "/edit: say FILE OLD => NEW.", nil
	}
	path := a.pathOf(name)
	input := map[string]any{"file_path": path, "old_string": old, "new_string": text, "replace_all": false}
	return a.change(ctx, t, "Edit", path, input, func(before []byte) ([]byte, error) {
		if strings.Count(string(before), old) != 1 {
			return nil, errors.New("the string to replace is not in the file, or more than once")
		}
		return []byte(strings.Replace(string(before), old, text, 1)), nil
	})
}

func (a *agent) pathOf(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.transcript.cwd, name)
}

// change is a call of a tool that writes a file, from the model's wish to its result.
func (a *agent) change(ctx context.Context, t *turn, tool, path string, input map[string]any, make func(before []byte) ([]byte, error)) (string, error) {
	c := &toolCall{tool: tool, display: tool, id: newID("toolu_"), input: encode(input)}
	v, refusal, err := a.propose(ctx, t, c, "change `"+path+"`")
	if !v.allowed {
		return refusal, err
	}
	before, err := os.ReadFile(path) //nolint:gosec // as the client does: any file that it may
	created := errors.Is(err, fs.ErrNotExist)
	if created && tool == "Write" {
		err = os.MkdirAll(filepath.Dir(path), 0o755) //nolint:gosec // as the client does
	}
	var after []byte
	if err == nil {
		after, err = make(before)
	}
	if err == nil {
		err = os.WriteFile(path, after, 0o644) //nolint:gosec // as the client does
	}
	if err != nil {
		return fmt.Sprintf("I could not change `%s`: %v", path, err), t.failed(ctx, c, err.Error())
	}
	output := map[string]any{"filePath": path, "content": string(after), "originalFile": string(before), "type": "update"}
	if created {
		output["originalFile"], output["type"] = nil, "create"
	}
	_, err = t.answered(ctx, c, output)
	return fmt.Sprintf("I changed `%s`.", path), err
}
