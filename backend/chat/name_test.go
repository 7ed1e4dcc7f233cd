package chat

import (
	"strings"
	"testing"
)

func TestHandlesHoldNothingThatCouldForge(t *testing.T) {
	for _, bad := range []string{"", "a b", "a\nb", "a:b", "[user]", "-a", "a\u202eb", "a\u2028b", "@", "a.b", strings.Repeat("가", MaxHandle+1), "a\xff", "a\u200db"} {
		if err := CheckHandle(bad); CodeOf(err) != CodeInvalid {
			t.Errorf("CheckHandle(%q) = %v, want an invalid error", bad, err)
		}
	}
	for _, good := range []string{"claude", "분석가", "विश्लेषक", "محلل", "a-b_c", "3d", strings.Repeat("가", MaxHandle)} {
		if err := CheckHandle(good); err != nil {
			t.Errorf("CheckHandle(%q) = %v", good, err)
		}
	}
}

// ignorable are the characters with Default_Ignorable_Code_Point in Unicode 15.0,
// DerivedCoreProperties.txt.
var ignorable = [][2]rune{
	{0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},
	{0x202a, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfff8},
	{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

func TestHandlesHoldNothingInvisible(t *testing.T) {
	check := func(r rune) {
		t.Helper()
		for _, handle := range []string{string(r), "a" + string(r), "가" + string(r) + "나", string(r) + "a"} {
			if CodeOf(CheckHandle(handle)) != CodeInvalid {
				t.Errorf("CheckHandle(%+q) passed", handle)
			}
		}
		if len(Mentions("@a"+string(r)+" look", []string{"a" + string(r)})) > 0 {
			t.Errorf("a mention holds %U", r)
		}
		if CodeOf(CheckName(string(r)+" "+string(r))) != CodeInvalid {
			t.Errorf("a name of nothing but %U passed", r)
		}
	}
	for _, from := range ignorable {
		for r := from[0]; r <= from[1]; r++ {
			check(r)
		}
	}
	for _, blank := range "\u2800\U00016FE4\U0001D159\uFFF9\u3000" {
		check(blank)
	}
	if err := CheckHandle("a\u200db"); err == nil || !strings.Contains(err.Error(), "U+200D") {
		t.Errorf("which character it is, is not said: %v", err)
	}
}

func TestNamesHoldWhatScriptsNeed(t *testing.T) {
	for _, good := range []string{"می\u200cخواهم", "ශ\u0dca\u200dරී", "👨\u200d👩\u200d👧", "❤\ufe0f", "🏴\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F", "ᠮᠣᠩᠭᠣᠯ\u180e"} {
		if err := CheckName(CleanName(good)); err != nil {
			t.Errorf("CheckName(%q) = %v", good, err)
		}
	}
}

func TestNamesAreCleanedAndChecked(t *testing.T) {
	if got := CleanName("  #백엔드 팀 "); got != "백엔드 팀" {
		t.Errorf("CleanName = %q", got)
	}
	// How a channel is spoken of is no part of its name: whatever was typed, the name is found by typing it again.
	for typed, want := range map[string]string{
		"#y": "y", "# #y": "y", "##y": "y", " # ＃ #y": "y", "＃백엔드": "백엔드", "c#": "c#", "a #b": "a #b", "#": "", " # # ": "", "\u3000#y\u3000": "y",
	} {
		got := CleanName(typed)
		if got != want || CleanName(got) != got || CleanName("#"+got) != got {
			t.Errorf("CleanName(%q) = %q, want %q", typed, got, want)
		}
	}
	for _, bad := range []string{"", "#y", "＃y", "a\nb", "a\u202eb", strings.Repeat("x", MaxName+1)} {
		if CheckName(bad) == nil {
			t.Errorf("CheckName(%q) passed", bad)
		}
	}
	if err := CheckName(strings.Repeat("한", MaxName)); err != nil {
		t.Errorf("%d Korean characters: %v", MaxName, err)
	}
}
