package backend_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A house is the plan that a tree of Go files is held to. The names of directories are slash-separated and relative to the
// root of the module, which is ".".
type house struct {
	module   string              // path of the module
	layers   map[string]int      // room -> layer
	beside   map[pair]string     // imports allowed within a layer -> why
	parts    map[string]string   // part -> the room it belongs to
	only     map[string][]string // room -> the only rooms it may import
	keepers  map[string]string   // import path, with all below it -> the room that keeps it
	forTests map[string]bool     // rooms that every test may import
	maxLines int
}

type pair struct{ from, to string }

// A source is one Go file, as far as the rules look at it.
type source struct {
	path, dir string
	pkg       string
	test      bool
	generated bool
	commented bool // has a package comment
	lines     int
	imports   []string
}

// violations walks every directory of files and returns what breaks the plan, each with what to do about it, sorted.
func (h house) violations(files fs.FS) ([]string, error) {
	sources, err := h.read(files)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("read the house: no Go file found")
	}
	var broken []string
	for _, rule := range []func([]source) []string{h.everyDirectoryHasAPlace, h.importsPointDown, h.exceptionsAreUsed, h.keepersKeep, h.packagesSayWhatTheyAre, h.filesStayShort} {
		broken = append(broken, rule(sources)...)
	}
	sort.Strings(broken)
	return slices.Compact(broken), nil
}

// read parses every Go file, whatever its build tags. It leaves out only what the go command never builds: test data, and
// what npm downloaded. A folder that the go command passes by because of its name (".x", "_x") is read: code in there
// would be dead, and has no place in the plan.
func (h house) read(files fs.FS) ([]source, error) {
	var sources []source
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", "node_modules", "testdata":
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{
			path:      name,
			dir:       path.Dir(name),
			pkg:       file.Name.Name,
			test:      strings.HasSuffix(name, "_test.go"),
			generated: ast.IsGenerated(file),
			commented: file.Doc != nil && strings.TrimSpace(file.Doc.Text()) != "",
			lines:     bytes.Count(text, []byte("\n")),
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: import %s: %w", name, spec.Path.Value, err)
			}
			s.imports = append(s.imports, imported)
		}
		sources = append(sources, s)
		return nil
	})
	return sources, err
}

// ours returns the directory of one of the module's own packages.
func (h house) ours(imported string) (dir string, ok bool) {
	if imported == h.module {
		return ".", true
	}
	return strings.CutPrefix(imported, h.module+"/")
}

// room returns the room that a directory is, or is a part of.
func (h house) room(dir string) string {
	if room, ok := h.parts[dir]; ok {
		return room
	}
	return dir
}

func (h house) everyDirectoryHasAPlace(sources []source) []string {
	var broken []string
	for _, s := range sources {
		if _, ok := h.layers[h.room(s.dir)]; !ok {
			broken = append(broken, fmt.Sprintf("%s: has Go files and no place in the house: give it a layer in plan.layers (backend/architecture_test.go), the lowest one above all that it imports, or name the room it is a part of in plan.parts", s.dir))
		}
	}
	return broken
}

func (h house) importsPointDown(sources []source) []string {
	var broken []string
	for _, s := range sources {
		for _, imported := range s.imports {
			to, ok := h.ours(imported)
			if !ok {
				continue
			}
			if why := h.forbids(s, to); why != "" {
				broken = append(broken, fmt.Sprintf("%s: imports %s: %s", s.path, to, why))
			}
		}
	}
	return broken
}

// forbids says why a file may not import a directory of ours, "" when it may.
func (h house) forbids(s source, to string) string {
	if s.dir == to { // a test from outside of its own package
		return ""
	}
	if s.test && h.forTests[to] {
		return ""
	}
	from := h.room(s.dir)
	if room, ok := h.parts[to]; ok {
		if from != room {
			return fmt.Sprintf("it is a part of %s, and only that imports it", room)
		}
		return ""
	}
	if allowed, ok := h.only[from]; ok && !slices.Contains(allowed, to) {
		return fmt.Sprintf("%s imports only %s", from, strings.Join(allowed, " and "))
	}
	lower, ok := h.layers[to]
	if !ok {
		return "it has no place in the house"
	}
	layer, ok := h.layers[from]
	switch {
	case !ok: // said of the directory already
		return ""
	case lower < layer:
		return ""
	case lower > layer:
		return fmt.Sprintf("it is in layer %d, above layer %d: declare an interface for what you need here, and let the layer above hand it in", lower, layer)
	case from == to:
		return "a part never imports the room it belongs to"
	}
	if h.beside[pair{from, to}] != "" {
		return ""
	}
	return fmt.Sprintf("both are in layer %d: siblings are blind to each other; let a layer above carry it across", layer)
}

// exceptionsAreUsed keeps the table of exceptions honest.
func (h house) exceptionsAreUsed(sources []source) []string {
	used := map[pair]bool{}
	for _, s := range sources {
		for _, imported := range s.imports {
			if to, ok := h.ours(imported); ok {
				used[pair{h.room(s.dir), to}] = true
			}
		}
	}
	var broken []string
	for p, why := range h.beside {
		switch {
		case why == "":
			broken = append(broken, fmt.Sprintf("plan.beside: %s -> %s has no reason", p.from, p.to))
		case h.layers[p.from] == 0:
			broken = append(broken, fmt.Sprintf("plan.beside: %s -> %s: layer 0 imports nothing of ours, without exception", p.from, p.to))
		case !used[p]:
			broken = append(broken, fmt.Sprintf("plan.beside: %s -> %s is used no more: take it out", p.from, p.to))
		}
	}
	return broken
}

func (h house) keepersKeep(sources []source) []string {
	var broken []string
	for _, s := range sources {
		for _, imported := range s.imports {
			for kept, keeper := range h.keepers {
				if (imported == kept || strings.HasPrefix(imported, kept+"/")) && h.room(s.dir) != keeper {
					broken = append(broken, fmt.Sprintf("%s: imports %s: only %s does", s.path, imported, keeper))
				}
			}
		}
	}
	return broken
}

// packagesSayWhatTheyAre wants a package comment on a package, be it one of tests only. One that is generated as a whole is
// told of by the room it is a part of.
func (h house) packagesSayWhatTheyAre(sources []source) []string {
	byDir := map[string][]source{}
	for _, s := range sources {
		byDir[s.dir] = append(byDir[s.dir], s)
	}
	var broken []string
	for dir, all := range byDir {
		// The comment of a package stands in its own files, not in its tests.
		own := slices.DeleteFunc(slices.Clone(all), func(s source) bool { return s.test })
		if len(own) == 0 {
			own = all
		}
		if !slices.ContainsFunc(own, func(s source) bool { return !s.generated }) {
			continue
		}
		if !slices.ContainsFunc(own, func(s source) bool { return s.commented }) {
			broken = append(broken, fmt.Sprintf("%s: package %s has no package comment: say in doc.go what it owns and what it promises", dir, own[0].pkg))
		}
	}
	return broken
}

func (h house) filesStayShort(sources []source) []string {
	var broken []string
	for _, s := range sources {
		if !s.test && !s.generated && s.lines > h.maxLines {
			broken = append(broken, fmt.Sprintf("%s: %d lines, and %d is the most: split it by operation", s.path, s.lines, h.maxLines))
		}
	}
	return broken
}
