package workbench

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDescribeScript(t *testing.T) {
	for text, want := range map[string]string{
		"# desc: runs it":                              "runs it",
		"#desc:runs it\nrest":                          "runs it",
		"## DESC : runs it\r\nrest":                    "runs it",
		"// desc: runs it\n":                           "runs it",
		"-- desc: runs it\n":                           "runs it",
		"/* desc: runs it */\n":                        "runs it",
		"/**\n * desc: runs it\n */":                   "runs it",
		"<!-- desc: runs it -->":                       "runs it",
		"#!/bin/sh\n# desc: runs it\n":                 "runs it",
		"#!/bin/sh\n\n# -*- x -*-\n# desc: runs: it\n": "runs: it",
		"\ufeff# desc: runs it":                        "runs it",
		"# desc: 빌드를 다시 돌린다":                           "빌드를 다시 돌린다",
		"# desc: अनुक्रमणिका बनाता है": "अनुक्रमणिका बनाता है",
		"# desc: a\u2028b":                    "a\u2028b",
		"# desc:":                             "",
		"desc: no comment":                    "",
		"echo x\n# desc: too late":            "",
		"#!/bin/sh\necho x\n# desc: too late": "",
		"":                                    "",
		"\x7fELF\x00# desc: no":               "",
		"# description: no":                   "",
		"# desc: a\rb":                        "a",
		"# \x00desc: x":                       "",
		"# desc: " + strings.Repeat("x", 20) + "\n#y":    strings.Repeat("x", 20),
		"#!/usr/bin/env python3\n\"\"\"desc: no\"\"\"\n": "",
	} {
		if got := describeScript([]byte(text), true); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := describeScript([]byte("# desc: 가나\xeb\x8b"), false); got != "가나…" {
		t.Errorf("cut: %q", got)
	}
	if got := describeScript([]byte("# desc: whole\n#"), false); got != "whole" {
		t.Errorf("not cut: %q", got)
	}
}

func TestDescribeNote(t *testing.T) {
	for text, want := range map[string]string{
		"# Sessions are cookies\nbecause":              "Sessions are cookies",
		"2026-03-01\n\n## Why #\n":                     "Why",
		"# C#\n":                                       "C#",
		"Sessions are cookies.\nbecause":               "Sessions are cookies.",
		"\n\n  first line  \n":                         "first line",
		"---\ntitle: x\n---\n# Real\n":                 "Real",
		"---\ntitle: x\n---\nplain\n":                  "plain",
		"```sh\n# not a heading\n```\n# Heading\n":     "Heading",
		"#nospace\n":                                   "#nospace",
		"####### seven\n":                              "####### seven",
		"# \n# Second\n":                               "Second",
		"\ufeff# सत्र कुकी हैं\n":                      "सत्र कुकी हैं",
		"# الجلسات ملفات\n":                            "الجلسات ملفات",
		"":                                             "",
		"\x00# no":                                     "",
		"---\nnever ends":                              "",
		"Title\n=====\n":                               "Title",
		"# Mac\rline":                                  "Mac",
		"# \U0001F468\u200d\U0001F469\u200d\U0001F467": "👨‍👩‍👧",
	} {
		if got := describeNote([]byte(text), true); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := describeNote([]byte("one line without e"), false); got != "one line without e…" {
		t.Errorf("cut: %q", got)
	}
}

func FuzzDescribe(f *testing.F) {
	for _, text := range []string{"# desc: x", "#!/bin/sh\r\n// desc: y", "---\n# x\n---", "\ufeff# 한\u2028글\xff", "```\n# x\n```\n## y ##"} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, whole bool) {
		for _, desc := range []string{describeScript(text, whole), describeNote(text, whole)} {
			if strings.ContainsAny(desc, "\r\n\x00") || len(desc) > len(text)+len("…") || desc != strings.TrimSpace(desc) {
				t.Errorf("%q: %q", text, desc)
			}
			for _, what := range []What{File, Closed, Outside} {
				e := Entry{Kind: Script, Path: string(text), What: what, Description: desc}
				line := item{entry: &e}.line()
				if !utf8.ValidString(line) || strings.ContainsAny(line, "\r\n\x00\u202e\u2066\u2028") {
					t.Errorf("%q: %q", text, line)
				}
				if n := utf8.RuneCountInString(line); n > 2*maxPath+maxDescription+120 {
					t.Errorf("%q: a line of %d characters", text, n)
				}
				if again := (item{entry: &e}).line(); again != line {
					t.Errorf("%q, then %q", line, again)
				}
			}
		}
	})
}
