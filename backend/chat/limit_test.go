package chat

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBodiesAreCleanedAndChecked(t *testing.T) {
	if got := CleanBody("a\xffb \n\n"); got != "a\uFFFDb" {
		t.Errorf("CleanBody = %q", got)
	}
	if err := CheckBody(strings.Repeat("한", MaxBody)); err != nil {
		t.Error(err)
	}
	if err := CheckBody(strings.Repeat("한", MaxBody+1)); CodeOf(err) != CodeTooLarge {
		t.Errorf("one too many: %v", err)
	}
	for _, bad := range []string{"", " \n\t", "a\x00b"} {
		if CodeOf(CheckBody(bad)) != CodeInvalid {
			t.Errorf("CheckBody(%q) passed", bad)
		}
	}
	if !utf8.ValidString(CleanBody("\xf0\x9f")) {
		t.Error("a cleaned body is not valid UTF-8")
	}
}

func TestReasonsAreChecked(t *testing.T) {
	for _, good := range []string{"", "no", "not\non a Friday", strings.Repeat("한", MaxReason)} {
		if err := CheckReason(good); err != nil {
			t.Errorf("%.20q: %v", good, err)
		}
	}
	if CodeOf(CheckReason(strings.Repeat("한", MaxReason+1))) != CodeTooLarge || CodeOf(CheckReason("a\x00b")) != CodeInvalid {
		t.Error("one too long or with a NUL passed")
	}
}
