package prompt

import "testing"

func TestACommandIsSentAsItIsAndAlone(t *testing.T) {
	for _, text := range []string{"/context", "/compact keep the names\n---\n{\"text\":\"x\"}", "/요약 이것"} {
		sent, err := Command(text)
		if err != nil || sent.Text != text || sent.Framing != "" || len(sent.Blocks) != 1 || sent.Blocks[0] != (Block{KindCommand, text}) {
			t.Errorf("%q: %+v, %v", text, sent, err)
		}
	}
	for _, text := range []string{"", " ", "/", "/ ", " /context", "context", "\n/context", "@claude /context"} {
		if sent, err := Command(text); err == nil {
			t.Errorf("%q is sent: %+v", text, sent)
		}
	}
}

func TestACommandHasNoPlaceInATurnOfOthers(t *testing.T) {
	for _, blocks := range [][]Block{
		{{KindCommand, "/context"}},
		append(newest(t, payload(), false, "", ""), Block{KindCommand, "/context"}),
	} {
		for _, temperature := range []Temperature{Warm, Restored, Cold} {
			if sent, err := ForLease(temperature, "framing", "", blocks); err == nil {
				t.Errorf("a %s process is sent %+v", temperature, sent.Blocks)
			}
		}
	}
}
