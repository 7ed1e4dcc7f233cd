package run

import (
	"strconv"
	"strings"
	"testing"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

func TestRepliesAreMadeToFit(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " \n": "", "fine \n": "fine", "a\x00b\xff": "a␀b\uFFFD", strings.Repeat("한", chat.MaxBody): strings.Repeat("한", chat.MaxBody),
	} {
		if got := fit(in); got != want {
			t.Errorf("%.20q became %.20q", in, got)
		}
	}
	family := "👩‍👩‍👧"
	for name, in := range map[string]string{
		"one more":     strings.Repeat("한", chat.MaxBody+1),
		"far too long": strings.Repeat(family, chat.MaxBody),
		"bytes":        strings.Repeat("\xff\x00", chat.MaxBody),
	} {
		kept := fit(in)
		if err := chat.CheckBody(kept); err != nil {
			t.Errorf("%s: what is kept can't be a row: %v", name, err)
		}
		beginning, says, ok := strings.Cut(kept, "\n\n[Hearth cut ")
		whole := chat.CleanBody(strings.ReplaceAll(in, "\x00", "␀"))
		cut := plain.Length(whole) - plain.Length(beginning)
		if !ok || !strings.HasPrefix(whole, beginning) || !strings.HasPrefix(says, strconv.Itoa(cut)+" characters") {
			t.Errorf("%s: %d characters were cut; it says %q", name, cut, says)
		}
		if name == "far too long" && !strings.HasSuffix(beginning, family) {
			t.Error("a family is torn apart")
		}
	}
}
