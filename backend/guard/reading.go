package guard

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// ReadsSpill says that a tool call only reads files inside folder, where spilled
// texts are: what it reads must not be spilled again, or the model would follow
// one pointer to the next for ever. cwd is where relative paths begin. It knows
// Read, Grep and Glob by their path, and Bash by its command: one that only looks
// and whose every file is in the folder.
func ReadsSpill(tool string, input json.RawMessage, cwd, folder string) bool {
	var in struct {
		FilePath string `json:"file_path"`
		Path     string `json:"path"`
		Command  string `json:"command"`
	}
	if json.Unmarshal(input, &in) != nil {
		return false
	}
	switch tool {
	case "Read":
		return inside(in.FilePath, cwd, folder)
	case "Grep", "Glob":
		return inside(in.Path, cwd, folder)
	case "Bash":
		return IsEphemeral(in.Command) && readsOnly(in.Command, cwd, folder)
	}
	return false
}

// inside says whether a path lies in a folder (or is it), by its name alone.
func inside(path, cwd, folder string) bool {
	if path == "" {
		return false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(cwd, folder)
	}
	rest, err := filepath.Rel(filepath.Clean(folder), filepath.Clean(path))
	return err == nil && rest != ".." && !strings.HasPrefix(rest, "../")
}

// readsOnly says that a command that only looks names files of the folder, and no
// command in it that could read others: those at the heads of its pipes are the
// readers below, and the rest read what they are given.
func readsOnly(command, cwd, folder string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		return false
	}
	reads, others := 0, 0
	j := judge{command: command}
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok {
			return true
		}
		switch touches(&j, call, cwd, folder) {
		case touchesFolder:
			reads++
		case touchesOthers:
			others++
		case touchesNothing:
		}
		return false
	})
	return reads > 0 && others == 0
}

type touch int

const (
	touchesNothing touch = iota // it reads what it is given, or prints a little
	touchesFolder
	touchesOthers
)

// touches says what one command reads. Only commands whose operands are plainly
// files count as readers of the folder.
func touches(j *judge, call *syntax.CallExpr, cwd, folder string) touch {
	var words []string
	for _, arg := range call.Args {
		w, err := j.word(arg)
		if err != nil || !w.plain() {
			return touchesOthers
		}
		words = append(words, w.text)
	}
	if len(words) == 0 {
		return touchesNothing
	}
	files, named := 0, false
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && inside(w, cwd, folder) {
			files++
			named = true
		} else if strings.ContainsRune(w, '/') && !strings.HasPrefix(w, "-") && !scripted(words, i+1) {
			return touchesOthers
		}
	}
	switch words[0] {
	case "cat", "head", "tail", "sed", "grep", "rg", "wc", "nl", "cut", "sort", "uniq", "awk", "tr", "od", "xxd", "jq", "strings", "column", "fold":
	case "echo", "printf", "true", ":", "pwd":
		return touchesNothing
	default:
		return touchesOthers
	}
	if named && files > 0 {
		return touchesFolder
	}
	return touchesNothing
}

// scripted says that a word is a script or pattern and not a file: the first
// operand of the commands that begin with one.
func scripted(words []string, at int) bool {
	switch words[0] {
	case "sed", "grep", "rg", "awk", "jq", "tr":
	default:
		return false
	}
	for _, w := range words[1:at] {
		if !strings.HasPrefix(w, "-") {
			return false
		}
	}
	return true
}
