package files

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

func TestSafeName(t *testing.T) {
	for name, want := range map[string]string{
		"photo.png": "photo.png",
		"한글 파일.png": "한글-파일.png",
		"\u1112\u1161\u11ab\u1100\u1173\u11af.png":     "한글.png", // macOS gives letters taken apart
		"हिन्दी नमूना.pdf":                             "हिन्दी-नमूना.pdf",
		"تقرير.txt":                                    "تقرير.txt",
		"報告（最終）.pdf":                                   "報告（最終）.pdf",
		"👩‍👩‍👧 family 🇰🇷.jpg":                          "👩‍👩‍👧-family-🇰🇷.jpg",
		"می‌خواهم.txt":                                 "می‌خواهم.txt", // the joiner is spelling
		"Screenshot 2026-01-02 at 3.04.05\u202fPM.png": "Screenshot-2026-01-02-at-3.04.05-PM.png",
		"../../etc/passwd":                             "passwd",
		`C:\fakepath\x.png`:                            "x.png",
		"/":                                            "file",
		"":                                             "file",
		".":                                            "file",
		"..":                                           "file",
		"---":                                          "file",
		".gitignore":                                   "gitignore",
		"-rf":                                          "rf",
		"--help.txt":                                   "help.txt",
		".-.-x":                                        "x",
		"ends. ":                                       "ends",
		"a<b>c:d\"e|f?g*h.txt":                         "a-b-c-d-e-f-g-h.txt",
		"$(rm -rf ~).png":                              "rm-rf-.png",
		"`x`;y&z'q!.png":                               "x-y-z-q-.png",
		"](javascript:alert(1)).x":                     "javascript-alert-1-.x",
		"@claude ＠claude.png":                          "claude-claude.png",
		"﹫claude.png":                                  "claude.png",
		"\u2800.png":                                   "png", // blank characters, one of each kind
		"a\u3164\u115f\u1160\uffa0\u2800b.png":         "ab.png",
		"a\u034f\u180e\u17b4\u2064\U000e0020b.png":       "ab.png",
		"a\U00016fe4\U0001d159\U00013441\U00013442b.png": "ab.png",
		"\ufe0f\ufe0f":                        "file",
		"a\ufe0fb.png":                        "ab.png", // no picture to choose
		"❤\ufe0f\u200d🔥.png":                  "❤\ufe0f\u200d🔥.png",
		"❤\ufe0f\ufe0e\ufe0f\u200d\u200d.png": "❤\ufe0f\u200d.png",
		"葛\U000e0100.png":                     "葛\U000e0100.png", // one way of writing it
		"e\u200b\u0301.png":                   "é.png",
		"100%#1.png":                          "100-1.png",
		"a\x00b\nc\td.txt":                    "ab-c-d.txt",
		"gpj.\u202eexe.png":                   "gpj.exe.png", // the direction override goes
		"\u200b\ufeff\u00adx.png":             "x.png",
		"a\u200db.png":                        "ab.png", // nothing to join
		"\xff\xfe.png":                        "png",
		"CON":                                 "_CON",
		"nul.txt":                             "_nul.txt",
		"com1.tar.gz":                         "_com1.tar.gz",
		"COM10":                               "COM10",
		"console.log":                         "console.log",
		"a+b=c_d.tar.gz":                      "a+b=c_d.tar.gz",
	} {
		if got := SafeName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A long name keeps its extension, and is cut between what people see as characters.
func TestSafeNameCuts(t *testing.T) {
	family := "👩‍👩‍👧" // 18 bytes, one character
	for name, c := range map[string]struct{ name, ends string }{
		"letters":                {strings.Repeat("a", 1000) + ".jpeg", "a.jpeg"},
		"Korean":                 {strings.Repeat("가", 300) + ".png", "가.png"},
		"emoji":                  {strings.Repeat(family, 40) + ".png", family + ".png"},
		"Devanagari":             {strings.Repeat("क्षि", 100) + ".txt", "क्षि.txt"},
		"no extension":           {strings.Repeat("x", 400), "x"},
		"a dot far in front":     {"a." + strings.Repeat("y", 400), "y"},
		"a letter under a tower": {"e" + strings.Repeat("\u0301", 500) + ".png", "\u0301.png"},
	} {
		t.Run(name, func(t *testing.T) {
			got := SafeName(c.name)
			if len(got) > maxName-numberRoom || len(got) < 200 || !strings.HasSuffix(got, c.ends) || !utf8.ValidString(got) {
				t.Errorf("%d bytes: %q", len(got), got)
			}
			if n := numbered(got, maxSame); len(n) > maxName {
				t.Errorf("numbered it has %d bytes", len(n))
			}
			stem, _ := split(got)
			if name != "a letter under a tower" && !strings.HasPrefix(c.name, stem) {
				t.Errorf("cut inside of a character: %q", stem)
			}
			if n := uniseg.GraphemeClusterCount(stem); name == "emoji" && stem != strings.Repeat(family, n) {
				t.Errorf("half a family: %q", stem)
			}
		})
	}
	if got := numbered("a.tar.gz", 2); got != "a.tar-2.gz" {
		t.Error(got)
	}
	if got := numbered("_CON", 3); got != "_CON-3" {
		t.Error(got)
	}
}

func FuzzSafeName(f *testing.F) {
	for _, name := range []string{"", "a.png", "../x", "한글 파일.png", "👩‍👩‍👧.jpg", "e\u0301\u200d.", strings.Repeat("가", 300) + ".png", "CON.txt", "a\xffb", ".\u200d.", "＠x", "\u1100\u1161\u11a8.txt"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := SafeName(name)
		switch {
		case got == "", len(got) > maxName-numberRoom+1, !utf8.ValidString(got): // 1 for the _ before a device
			t.Errorf("%q: %q of %d bytes", name, got, len(got))
		case strings.ContainsAny(got, "/\\<>:\"|?* \t\n\x00`$&;'()[]{}!#%~^@＠﹫\u2800\u3164\u115f\u1160\uffa0\u034f"):
			t.Errorf("%q: %q has what means something", name, got)
		case strings.HasPrefix(got, "."), strings.HasPrefix(got, "-"), strings.HasSuffix(got, "."), strings.HasSuffix(got, "-"):
			t.Errorf("%q: %q begins or ends wrongly", name, got)
		case !norm.NFC.IsNormalString(got):
			t.Errorf("%q: %q is not composed", name, got)
		case SafeName(got) != got:
			t.Errorf("%q: %q becomes %q", name, got, SafeName(got))
		}
	})
}
