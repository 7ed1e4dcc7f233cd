package sim

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed script.txt
var scriptText string

// script is what is said in a generated channel, by topic.
type script struct {
	anything topic
	topics   []topic
}

type topic struct {
	name string
	says map[string][]string // by the handle of who says it
	asks []ask
}

// ask is a question to the agent and its reply.
type ask struct{ by, question, answer string }

// theScript is script.txt, read at the first call.
var theScript = sync.OnceValue(func() script {
	s, err := readScript(scriptText)
	if err != nil {
		// The file is part of the binary: only a broken build gets here.
		panic(fmt.Sprintf("read embedded script: %v", err))
	}
	return s
})

// readScript reads the form that the head of script.txt explains.
func readScript(text string) (script, error) {
	var topics []topic
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if name, ok := strings.CutPrefix(line, "= "); ok {
			topics = append(topics, topic{name: name, says: map[string][]string{}})
			continue
		}
		if len(topics) == 0 {
			return script{}, fmt.Errorf("line %d: no topic yet", i+1)
		}
		t := &topics[len(topics)-1]
		line = strings.ReplaceAll(line, `\n`, "\n")
		if answer, ok := strings.CutPrefix(line, "! "); ok {
			if len(t.asks) == 0 || t.asks[len(t.asks)-1].answer != "" {
				return script{}, fmt.Errorf("line %d: an answer without a question", i+1)
			}
			t.asks[len(t.asks)-1].answer = answer
			continue
		}
		line, asks := strings.CutPrefix(line, "? ")
		who, words, ok := strings.Cut(line, ": ")
		if !ok {
			return script{}, fmt.Errorf("line %d: nobody says it", i+1)
		}
		if who == "owner" {
			who = ""
		}
		if asks {
			t.asks = append(t.asks, ask{by: who, question: words})
		} else {
			t.says[who] = append(t.says[who], words)
		}
	}
	if len(topics) < 2 || topics[0].name != "anything" {
		return script{}, fmt.Errorf("%d topics, the first of which has to be anything", len(topics))
	}
	return script{topics[0], topics[1:]}, nil
}
