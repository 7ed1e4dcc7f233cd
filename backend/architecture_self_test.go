package backend_test

import (
	"strings"
	"testing"
	"testing/fstest"
)

// toy is a small house with one of everything.
var toy = house{
	module:   "toy",
	layers:   map[string]int{"base": 0, "base2": 0, "left": 1, "right": 1, "top": 2, "fake": 2, ".": 3},
	beside:   map[pair]string{{"left", "right"}: "left draws what right measures"},
	parts:    map[string]string{"top/inner": "top"},
	only:     map[string][]string{".": {"top"}},
	keepers:  map[string]string{"example.org/db": "top"},
	forTests: map[string]bool{"fake": true},
	maxLines: 10,
}

// sound is a tree that keeps every rule of toy.
func sound() fstest.MapFS {
	return tree(map[string]string{
		"main.go":                        "// Package main starts.\npackage main\nimport _ \"toy/top\"\n",
		"base/base.go":                   "// Package base is below all.\npackage base\nimport _ \"fmt\"\n",
		"base/base_test.go":              "package base_test\nimport (\n_ \"toy/base\"\n_ \"toy/fake\"\n)\n",
		"left/doc.go":                    "// Package left draws.\npackage left\n",
		"left/left.go":                   "package left\nimport (\n_ \"toy/base\"\n_ \"toy/right\"\n)\n",
		"right/right.go":                 "// Package right measures.\npackage right\n",
		"top/top.go":                     "// Package top keeps.\npackage top\nimport (\n_ \"toy/left\"\n_ \"toy/top/inner\"\n)\n",
		"top/inner/inner.go":             "// Package inner is a part of top.\npackage inner\nimport (\n_ \"example.org/db\"\n_ \"example.org/db/lib\"\n_ \"toy/base\"\n)\n",
		"top/testdata/broken.go":         "this is not Go",
		"web/node_modules/gopher/dep.go": "package dep\nimport _ \"toy/nowhere\"\n",
		"web/readme.md":                  "no Go here",
	})
}

func tree(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestRulesOnASoundHouse(t *testing.T) {
	broken, err := toy.violations(sound())
	if err != nil {
		t.Fatal(err)
	}
	if len(broken) > 0 {
		t.Errorf("a sound house breaks rules:\n%s", strings.Join(broken, "\n"))
	}
}

// Each case adds files to the sound house, and exactly what is wrong with them must be found.
func TestRulesFindWhatIsWrong(t *testing.T) {
	long := strings.Repeat("\n", 11)
	tests := []struct {
		name  string
		files map[string]string
		plan  func(*house)
		want  []string // one violation each, which contains this
	}{
		{
			name:  "a directory without a place",
			files: map[string]string{"attic/attic.go": "// Package attic is new.\npackage attic\n"},
			want:  []string{"attic: has Go files and no place"},
		},
		{
			name:  "also where the go command does not look",
			files: map[string]string{".hidden/x.go": "// Package x hides.\npackage x\n", "_old/y.go": "// Package y is old.\npackage y\n"},
			want:  []string{".hidden: has Go files and no place", "_old: has Go files and no place"},
		},
		{
			name:  "also behind a build tag",
			files: map[string]string{"deep/down/x.go": "//go:build never\n\n// Package x is never built.\npackage x\n"},
			want:  []string{"deep/down: has Go files and no place"},
		},
		{
			name:  "a folder below a room is no part of it by itself",
			files: map[string]string{"top/other/x.go": "// Package x is below top.\npackage x\n"},
			want:  []string{"top/other: has Go files and no place"},
		},
		{
			name:  "an import that points up",
			files: map[string]string{"left/up.go": "package left\nimport _ \"toy/top\"\n"},
			want:  []string{"left/up.go: imports top: it is in layer 2, above layer 1"},
		},
		{
			name:  "an import of the root",
			files: map[string]string{"top/up.go": "package top\nimport _ \"toy\"\n"},
			want:  []string{"top/up.go: imports .: it is in layer 3"},
		},
		{
			name:  "an import that points up behind a build tag",
			files: map[string]string{"left/up_darwin.go": "//go:build darwin && e2e\n\npackage left\nimport _ \"toy/top\"\n"},
			want:  []string{"left/up_darwin.go: imports top"},
		},
		{
			name:  "siblings without a reason",
			files: map[string]string{"right/side.go": "package right\nimport _ \"toy/left\"\n"},
			want:  []string{"right/side.go: imports left: both are in layer 1"},
		},
		{
			name:  "siblings at the bottom",
			files: map[string]string{"base/side.go": "package base\nimport _ \"toy/base2\"\n"},
			want:  []string{"base/side.go: imports base2: both are in layer 0"},
		},
		{
			name:  "an exception at the bottom",
			files: map[string]string{"base/side.go": "package base\nimport _ \"toy/base2\"\n"},
			plan:  func(h *house) { h.beside = map[pair]string{{"base", "base2"}: "because"} },
			want:  []string{"left/left.go: imports right", "plan.beside: base -> base2: layer 0"},
		},
		{
			name: "an exception without a reason",
			plan: func(h *house) { h.beside = map[pair]string{{"left", "right"}: ""} },
			want: []string{"left/left.go: imports right", "plan.beside: left -> right has no reason"},
		},
		{
			name: "an exception nobody uses",
			plan: func(h *house) {
				h.beside = map[pair]string{{"left", "right"}: "drawn", {"right", "left"}: "was once so"}
			},
			want: []string{"plan.beside: right -> left is used no more"},
		},
		{
			name:  "another room's part",
			files: map[string]string{"main2.go": "package main\nimport _ \"toy/top/inner\"\n"},
			want:  []string{"main2.go: imports top/inner: it is a part of top"},
		},
		{
			name:  "a part that imports its room",
			files: map[string]string{"top/inner/up.go": "package inner\nimport _ \"toy/top\"\n"},
			want:  []string{"top/inner/up.go: imports top: a part never imports"},
		},
		{
			name:  "a part that imports a sibling of its room",
			files: map[string]string{"top/inner/side.go": "package inner\nimport _ \"toy/fake\"\n"},
			want:  []string{"top/inner/side.go: imports fake: both are in layer 2"},
		},
		{
			name:  "more than is listed for the root",
			files: map[string]string{"more.go": "package main\nimport _ \"toy/base\"\n"},
			want:  []string{"more.go: imports base: . imports only top"},
		},
		{
			name:  "an import of what has no place",
			files: map[string]string{"top/lost.go": "package top\nimport _ \"toy/nowhere\"\n"},
			want:  []string{"top/lost.go: imports nowhere: it has no place"},
		},
		{
			name:  "the driver elsewhere",
			files: map[string]string{"left/db.go": "package left\nimport _ \"example.org/db\"\n"},
			want:  []string{"left/db.go: imports example.org/db: only top does"},
		},
		{
			name:  "a package of the driver elsewhere, in a test",
			files: map[string]string{"left/db_test.go": "package left\nimport _ \"example.org/db/lib\"\n"},
			want:  []string{"left/db_test.go: imports example.org/db/lib: only top does"},
		},
		{
			name:  "a module whose name begins like the driver's",
			files: map[string]string{"left/db.go": "package left\nimport _ \"example.org/dbase\"\n"},
		},
		{
			name:  "a test that reaches up to anything but the stand-in",
			files: map[string]string{"left/x_test.go": "package left_test\nimport (\n_ \"toy/fake\"\n_ \"toy/top\"\n)\n"},
			want:  []string{"left/x_test.go: imports top"},
		},
		{
			name:  "the stand-in outside of tests",
			files: map[string]string{"left/x.go": "package left\nimport _ \"toy/fake\"\n"},
			want:  []string{"left/x.go: imports fake: it is in layer 2"},
		},
		{
			name:  "a package without a comment",
			files: map[string]string{"base2/x.go": "package base2\n", "base2/y.go": "// y does not belong to the clause below.\n\npackage base2\n"},
			want:  []string{"base2: package base2 has no package comment"},
		},
		{
			name:  "a comment in the tests only",
			files: map[string]string{"base2/x.go": "package base2\n", "base2/x_test.go": "// Package base2 is tested.\npackage base2\n"},
			want:  []string{"base2: package base2 has no package comment"},
		},
		{
			name:  "a package of tests without a comment",
			files: map[string]string{"base2/x_test.go": "package base2_test\n"},
			want:  []string{"base2: package base2_test has no package comment"},
		},
		{
			name:  "a generated package without a comment",
			files: map[string]string{"base2/x.go": "// Code generated by hand. DO NOT EDIT.\n\npackage base2\n"},
		},
		{
			name:  "a package that is generated in part",
			files: map[string]string{"base2/x.go": "// Code generated by hand. DO NOT EDIT.\n\npackage base2\n", "base2/y.go": "package base2\n"},
			want:  []string{"base2: package base2 has no package comment"},
		},
		{
			name:  "a long file",
			files: map[string]string{"left/long.go": "package left\n" + long},
			want:  []string{"left/long.go: 12 lines, and 10 is the most"},
		},
		{
			name: "long files that may be",
			files: map[string]string{
				"left/long_test.go": "package left\n" + long,
				"left/made.go":      "// Code generated by hand. DO NOT EDIT.\n\npackage left\n" + long,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, h := sound(), toy
			for name, file := range tree(tt.files) {
				files[name] = file
			}
			if tt.plan != nil {
				tt.plan(&h)
			}
			broken, err := h.violations(files)
			if err != nil {
				t.Fatal(err)
			}
			if len(broken) != len(tt.want) {
				t.Fatalf("%d violations, want %d:\n%s", len(broken), len(tt.want), strings.Join(broken, "\n"))
			}
			for i, want := range tt.want {
				if !strings.Contains(broken[i], want) {
					t.Errorf("violation %d is %q, want one with %q", i, broken[i], want)
				}
			}
		})
	}
}

func TestRulesRefuseWhatTheyCannotRead(t *testing.T) {
	if _, err := toy.violations(tree(map[string]string{"readme.md": "no Go at all"})); err == nil {
		t.Error("a tree without Go files passed: the walk would not notice that it looks in the wrong place")
	}
	files := sound()
	files["left/broken.go"] = &fstest.MapFile{Data: []byte("this is not Go")}
	if _, err := toy.violations(files); err == nil || !strings.Contains(err.Error(), "left/broken.go") {
		t.Errorf("a file that does not parse: error %v, want one that names it", err)
	}
}
