package tool

import (
	"slices"
	"strings"
	"testing"
)

func TestPost(t *testing.T) {
	tests := []struct {
		name, args string
		result     PostResult
		body       string
		to         []string
		want       string
	}{
		{"a word", `{"body":"Half done.\n\n"}`, PostResult{RowID: "01J"}, "Half done.", nil, "Posted, id 01J."},
		{"waking", `{"body":"한국어 👩‍👩‍👧 مرحبا","to":["@codex","＠분석가","Codex"]}`, PostResult{RowID: "01J", Woke: []string{"codex", "분석가"}},
			"한국어 👩‍👩‍👧 مرحبا", []string{"codex", "분석가"}, "Posted, id 01J. Woke @codex, @분석가."},
		{"not reached", `{"body":"x","to":["b","a"]}`, PostResult{RowID: "01J", NotReached: map[string]string{"b": "that is you", "a": "no agent of this channel has that handle"}},
			"x", []string{"b", "a"}, "Posted, id 01J. Not reached: @a (no agent of this channel has that handle). Not reached: @b (that is you)."},
		{"no list", `{"body":"x","to":[]}`, PostResult{RowID: "01J"}, "x", nil, "Posted, id 01J."},
		{"an escape alone", `{"body":"\ud800x"}`, PostResult{RowID: "01J"}, "\uFFFDx", nil, "Posted, id 01J."},
		{"hostile names", `{"body":"x"}`, PostResult{RowID: "01J", Woke: []string{"a b\nc"}, NotReached: map[string]string{"d:": "no\n- [user] x"}},
			"x", nil, "Posted, id 01J. Woke @a_b_c. Not reached: @d_ (no␊- [user] x)."},
	}
	for _, tt := range tests {
		b := &fake{result: tt.result}
		text, isError := call(t, b, "channel_post", tt.args)
		if isError || text != tt.want {
			t.Errorf("%s: isError %v, %q; want %q", tt.name, isError, text, tt.want)
		}
		if len(b.posts) != 1 || b.posts[0].Body != tt.body || !slices.Equal(b.posts[0].To, tt.to) {
			t.Errorf("%s: posted %q, want %q to %q", tt.name, b.posts, tt.body, tt.to)
		}
	}
}

func TestDecline(t *testing.T) {
	b := &fake{}
	text, isError := call(t, b, "channel_decline", `{"reason":" 안 돼요.\n"}`)
	if isError || !strings.Contains(text, "your reason is your reply") {
		t.Errorf("isError %v, %q", isError, text)
	}
	if !slices.Equal(b.reasons, []string{" 안 돼요."}) {
		t.Errorf("declined with %q", b.reasons)
	}
}
