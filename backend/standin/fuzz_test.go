package standin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Whatever is posted, it is read or refused; and what the canonical form says
// is what the JSON said.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(`{"model":"m","max_tokens":1,"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"tools":[{"name":"t"}],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"image","source":{"data":"AAAA"}}]}]}]}`))
	f.Add([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"\ud800\"\\"}]}`))
	f.Add([]byte(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[null,{}]}]}`))
	f.Add([]byte(` [ {"cache_control" : 1 , "a":[1 , "]"]} , 2 ] `))
	f.Fuzz(func(t *testing.T, body []byte) {
		if r, err := parseRequest(http.Header{}, body, time.Time{}, false); err == nil {
			_ = r.validate()
			c := &counter{count: func(s string) int { return len(s) }, known: map[digest]known{}}
			last := 0
			for _, p := range r.positions(c, true) {
				if p.tokens < last {
					t.Fatal("a longer prefix has fewer tokens")
				}
				last = p.tokens
			}
			r.NewestUserText()
			r.ToolResults()
		}
		if !json.Valid(body) {
			return
		}
		sameJSON(t, body, appendCompact(nil, body))
		stripped := withoutCacheControl(body)
		if !json.Valid(stripped) {
			t.Fatalf("without cache_control it is no JSON: %s", stripped)
		}
		if !bytes.Contains(body, []byte("cache")) && !bytes.Contains(body, []byte(`\u`)) && !bytes.Equal(stripped, body) {
			t.Fatalf("nothing to take out, and yet:\n%s\n%s", body, stripped)
		}
		if block := appendBlock(nil, body); !json.Valid(block) {
			t.Fatalf("the canonical block is no JSON: %s", block)
		}
	})
}

func sameJSON(t *testing.T, a, b []byte) {
	t.Helper()
	decode := func(raw []byte) any {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		return v
	}
	if x, y := decode(a), decode(b); !reflect.DeepEqual(x, y) {
		t.Fatalf("%s\nbecame\n%s", a, b)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("", 3)
	f.Add("한국어", 2)
	f.Add("\xff\x80\x80", 5)
	f.Add(strings.Repeat("é", 50), 7)
	f.Fuzz(func(t *testing.T, text string, n int) {
		pieces := cut(text, n%1000)
		if strings.Join(pieces, "") != text {
			t.Fatalf("%q in %d: %q", text, n, pieces)
		}
		for _, p := range pieces {
			if p == "" {
				t.Fatal("an empty piece")
			}
		}
	})
}
