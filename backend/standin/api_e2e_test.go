//go:build e2e

package standin

import (
	"os"
	"strings"
	"testing"
)

// Three turns: the second reads what the first wrote, the third what the second
// wrote, and what the client reports is what the stand-in counted.
func TestRealClientThreeTurns(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, nil)
		for _, ask := range []string{"one", "two", "three"} {
			s.api.Then(Say("answer to " + ask + ", " + manyScripts))
			result := c.turn(ask + " " + manyScripts)
			c.says(result, "answer to "+ask+", "+manyScripts)
			last := s.mains()[len(s.mains())-1]
			if !strings.Contains(last.NewestUserText(), ask+" "+manyScripts) {
				t.Errorf("newest user text %q", last.NewestUserText())
			}
			usage := result["usage"].(object)
			for name, want := range map[string]int{
				"input_tokens": last.Usage.InputTokens, "output_tokens": last.Usage.OutputTokens,
				"cache_read_input_tokens": last.Usage.CacheReadInputTokens, "cache_creation_input_tokens": last.Usage.CacheCreationInputTokens,
			} {
				if usage[name] != float64(want) {
					t.Errorf("the client reports %s %v, the stand-in counted %d", name, usage[name], want)
				}
			}
		}
		s.log()
		turns := s.mains()
		if len(turns) != 3 {
			t.Fatalf("%d requests", len(turns))
		}
		if u := turns[0].Usage; u.CacheReadInputTokens != 0 || u.CacheCreationInputTokens < 2000 {
			t.Errorf("first: %+v", u)
		}
		for i := 1; i < 3; i++ {
			before, u := turns[i-1].Usage, turns[i].Usage
			if want := before.CacheReadInputTokens + before.CacheCreationInputTokens; u.CacheReadInputTokens != want {
				t.Errorf("turn %d read %d, the one before had read and written %d", i+1, u.CacheReadInputTokens, want)
			}
			// What stood behind the last marker is written by the next turn: 2.1.197 puts
			// a system message there in its first.
			if fresh := u.CacheCreationInputTokens - before.InputTokens; fresh <= 0 || fresh > 300 {
				t.Errorf("turn %d wrote %d of which %d are new", i+1, u.CacheCreationInputTokens, fresh)
			}
			if turns[i].SystemHash(false) != turns[0].SystemHash(false) || turns[i].ToolsHash(false) != turns[0].ToolsHash(false) {
				t.Errorf("turn %d has another system or tools field", i+1)
			}
		}
		if s.api.Queued() != 0 {
			t.Errorf("%d replies were not asked for", s.api.Queued())
		}
	})
}

func TestRealClientToolCall(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, nil, "--allowedTools", "Bash", "Read")
		s.api.Then(
			Reply{}.AndThink("let me look").AndSay("I look.").AndUse("Bash", object{"command": "echo " + "'" + manyScripts + "'", "description": "echo"}).InDeltas(5),
			Use("Bash", object{"command": "printf a", "description": "a"}).AndUse("Bash", object{"command": "printf b", "description": "b"}),
			Say("done"),
		)
		c.says(c.turn("go"), "done")
		s.log()
		requests := s.mains()
		if len(requests) != 3 {
			t.Fatalf("%d requests", len(requests))
		}
		if got := requests[1].ToolResults(); len(got) != 1 || got[0].Tool != "Bash" || got[0].Text != manyScripts || got[0].IsError {
			t.Errorf("first results: %+v", got)
		}
		if got := requests[2].ToolResults(); len(got) != 2 || got[0].Text+got[1].Text != "ab" && got[0].Text+got[1].Text != "ba" {
			t.Errorf("second results: %+v", got)
		}
		if !Answered("Bash")(requests[2].Request) {
			t.Error("Answered does not see it")
		}
	})
}

func TestRealClientErrors(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, []string{"CLAUDE_CODE_MAX_RETRIES=1"})
		fails := func(ask, says string, status float64) {
			t.Helper()
			result := c.turn(ask)
			text, _ := result["result"].(string)
			if result["is_error"] != true || result["api_error_status"] != status || !strings.Contains(text, says) {
				t.Errorf("%s: is_error %v, status %v, %q", ask, result["is_error"], result["api_error_status"], text)
			}
		}
		s.api.Then(Overloaded(), Say("after a retry"))
		c.says(c.turn("a retry helps"), "after a retry")
		s.api.Then(Overloaded(), Overloaded())
		fails("two times 529", "529", 529)
		s.api.Then(Fail(429, "too many"), Fail(500, "our fault"))
		fails("429, then 500", "our fault", 500)
		s.api.Then(Fail(400, "prompt is too long: 9 tokens > 8 maximum"))
		fails("too long", "Prompt is too long", 400)
		if s.api.Queued() != 0 {
			t.Errorf("%d replies were not asked for", s.api.Queued())
		}
		s.api.Then(Say("the session lives"))
		c.says(c.turn("go on"), "the session lives")
		last := s.mains()[len(s.mains())-1]
		for _, ask := range []string{"two times 529", "429, then 500", "too long", "go on"} {
			if !strings.Contains(last.NewestUserText(), ask) {
				t.Errorf("the failed turn %q is not sent again", ask)
			}
		}
		// 2.1.332 repeats a request that got a 400, each time with fewer beta features:
		// one reply of the queue answers all of them. It comes last, for what was dropped
		// stays dropped.
		s.api.Then(Fail(400, "a bad request, said the stand-in"), Say("and on"))
		fails("refuse this", "a bad request, said the stand-in", 400)
		c.says(c.turn("and this?"), "and on")
		s.log()
	})
}

// What breaks in mid-stream is asked for again, with or without a stream.
func TestRealClientBrokenStreams(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, nil)
		half := Say("half of this is lost").InDeltas(4)
		s.api.Then(half.CutAfter(2), Say("whole"))
		c.says(c.turn("one"), "whole")
		s.api.Then(half.ErrorAfter(2, "overloaded_error", "Overloaded"), Say("whole again"))
		c.says(c.turn("two"), "whole again")
		s.log()
		requests := s.mains()
		if len(requests) != 4 || !requests[0].Broken || requests[1].Broken {
			t.Fatalf("%d requests", len(requests))
		}
		if requests[3].Stream {
			t.Error("after an error event the client streamed again")
		}
		if u := requests[1].Usage; u.CacheReadInputTokens != requests[0].Usage.CacheCreationInputTokens {
			t.Errorf("the second try read %d", u.CacheReadInputTokens)
		}
	})
}

func TestRealClientInterrupt(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, nil)
		s.api.Then(Say("this never ends").InDeltas(3).HeldAfter(1, nil))
		c.ask("hold on")
		if _, err := s.api.Wait(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		c.send(object{"type": "control_request", "request_id": "r1", "request": object{"subtype": "interrupt"}})
		if result := c.until("the result", is("result")); result["is_error"] != true || result["subtype"] != "error_during_execution" {
			t.Errorf("%v %v", result["is_error"], result["subtype"])
		}
		entries, err := s.api.WaitDone(t.Context(), 1)
		if err != nil || !entries[0].Broken {
			t.Errorf("%v %v", entries, err)
		}
		s.api.Then(Say("here again"))
		c.says(c.turn("and now?"), "here again")
	})
}

func TestRealClientSubagent(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, nil, "--allowedTools", "Agent", "Task", "Bash")
		// Without run_in_background 2.1.332 goes on at once and takes an unasked turn later.
		s.api.Then(Use("Agent", object{"description": "look", "prompt": "look around", "subagent_type": "general-purpose", "run_in_background": false}), Say("the agent is back"))
		s.api.ThenSubagent(Use("Bash", object{"command": "printf inside", "description": "x"}), Say("nothing to report"))
		c.says(c.turn("send an agent"), "the agent is back")
		s.log()
		mains, subs := s.mains(), s.api.Book(Of(Subagent))
		if len(mains) != 2 || len(subs) != 2 || subs[0].AgentID == "" || subs[0].SessionID != mains[0].SessionID {
			t.Fatalf("%d and %d requests", len(mains), len(subs))
		}
		if got := subs[1].ToolResults(); len(got) != 1 || got[0].Text != "inside" {
			t.Errorf("the subagent's result: %+v", got)
		}
		if got := mains[1].ToolResults(); len(got) != 1 || !strings.Contains(got[0].Text, "nothing to report") {
			t.Errorf("what the main thread hears: %+v", got)
		}
		if u := subs[1].Usage; u.CacheReadInputTokens == 0 {
			t.Errorf("the subagent's second call read nothing: %+v", u)
		}
	})
}

// Without the switch that keeps it quiet the client asks for more, on other
// paths too; all of it is answered, and nothing is taken from the queue.
func TestRealClientSideRequests(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		c := startClient(t, s, path, []string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="})
		s.api.Then(Say("answer"))
		c.says(c.turn("please write a long poem about warm processes"), "answer")
		if response := c.control(object{"subtype": "set_model", "model": "claude-sonnet-4-5"}); response["subtype"] != "success" {
			t.Errorf("set_model: %v", response)
		}
		s.api.Then(Say("second answer"))
		c.says(c.turn("and in another voice"), "second answer")
		s.log()
		for _, e := range s.api.Book(Of(Side)) {
			t.Logf("side: model %s, max_tokens %d, stream %v, format %q, user %.60q", e.Model, e.MaxTokens, e.Stream, e.outputFormat, e.NewestUserText())
			if e.Status != 200 {
				t.Errorf("status %d", e.Status)
			}
		}
		if n := len(s.mains()); n != 2 {
			t.Errorf("%d requests of the main thread", n)
		}
	})
}

// A resumed session sends the history again and reads it from the cache.
func TestRealClientResume(t *testing.T) {
	onEvery(t, Options{}, func(t *testing.T, s *served, path string) {
		p := newPlace(t)
		model := []string{"--model", "claude-opus-4-8"} // 2.1.197 resumes with another one when none is named
		first := startClientIn(t, s, path, p, nil, model...)
		s.api.Then(Say("first answer"))
		result := first.turn("first question")
		first.ends()
		second := startClientIn(t, s, path, p, nil, append(model, "--resume", result["session_id"].(string))...)
		s.api.Then(Say("second answer"))
		second.says(second.turn("second question"), "second answer")
		s.log()
		turns := s.mains()
		if turns[0].SystemHash(true) != turns[1].SystemHash(true) || turns[0].ToolsHash(true) != turns[1].ToolsHash(true) {
			t.Error("system or tools differ between two processes")
		}
		if before, u := turns[0].Usage, turns[1].Usage; u.CacheReadInputTokens != before.CacheCreationInputTokens {
			t.Errorf("the second process read %d, the first had written %d", u.CacheReadInputTokens, before.CacheCreationInputTokens)
		}
		second.ends() // the transcript may lag behind the result
		raw, err := os.ReadFile(transcriptPath(t, p, result["session_id"].(string)))
		if err != nil || !strings.Contains(string(raw), "second question") {
			t.Errorf("transcript: %v", err)
		}
	})
}
