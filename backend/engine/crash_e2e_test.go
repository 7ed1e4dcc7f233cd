//go:build e2e

package engine

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/backend/chat"
	"hearth/backend/run"
	"hearth/backend/store"
)

// kills is how often the crash test kills Hearth.
const kills = 100

// TestHearthIsKilledAHundredTimes kills Hearth at random points while people
// post and agents answer, and checks after each kill what must hold always:
// an acknowledged message is there, a watermark never says more than the
// session's transcript holds, and no agent outlives Hearth's next start.
func TestHearthIsKilledAHundredTimes(t *testing.T) {
	h := build(t, nil)
	c := h.channel("backend")
	b := h.binding(c, "claude", chat.RuntimeStandin)
	instance := h.agents.instance
	h.close()
	h.options.Log = nil

	acknowledged := map[string]string{} // body by id
	number := 0
	for kill := range kills {
		child := startCrashChild(t, h)
		for _, pid := range marked(t, instance) {
			if !child.owns(pid) {
				t.Fatalf("kill %d: process %d of an earlier Hearth outlived the next start", kill, pid)
			}
		}
		if kill%10 == 0 {
			// Random points hit few turns on a busy machine: these kills do.
			child.post(c.ID, fmt.Sprintf("@claude take your time before kill %d\n/slow 1", kill))
			child.awaitRun(c.ID, run.Running)
		}
		stop := make(chan struct{})
		var posting sync.WaitGroup
		var mutex sync.Mutex
		for poster := range 2 {
			posting.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					mutex.Lock()
					number++
					body := fmt.Sprintf("message-%d-%d of the crash test", number, poster)
					if number%12 == 0 {
						body = "@claude " + body
					}
					mutex.Unlock()
					if id, ok := child.post(c.ID, body); ok {
						mutex.Lock()
						acknowledged[id] = body
						mutex.Unlock()
					}
				}
			})
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond) // a random point is what this test is about
		child.kill()
		close(stop)
		posting.Wait()
		checkAfterKill(t, h, kill, c, b, acknowledged)
	}

	// And all that was queued is answered in the end.
	h.open()
	deadline := time.Now().Add(patience)
	for {
		keys, err := h.store.QueuedKeys(h.ctx())
		if err != nil {
			t.Fatal(err)
		}
		if len(keys) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the queue did not drain")
		}
		time.Sleep(50 * time.Millisecond)
	}
	runs, _, err := h.store.Runs(h.ctx(), c.ID, "", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	cut, held := 0, 0
	for _, r := range runs {
		if r.Failure != nil && r.Failure.Code == run.FailInterrupted {
			cut++
			if r.Failure.Held {
				held++
			}
		}
	}
	t.Logf("%d kills, %d acknowledged messages, %d runs, %d of them cut off, %d of these held by their session", kills, len(acknowledged), len(runs), cut, held)
	if cut == 0 {
		t.Error("no kill hit a turn: the test proves nothing")
	}
}

// checkAfterKill looks at what a killed Hearth left behind, and again at what
// its next start will make of it.
func checkAfterKill(t *testing.T, h *house, kill int, c chat.Channel, b chat.Binding, acknowledged map[string]string) {
	t.Helper()
	s, err := store.Open(h.ctx(), store.Options{Path: filepath.Join(h.dir, Database)})
	if err != nil {
		t.Fatalf("kill %d: %v", kill, err)
	}
	defer func() { _ = s.Close() }()
	for id, body := range acknowledged {
		row, err := s.Row(h.ctx(), id)
		if err != nil || row.Body != body {
			t.Fatalf("kill %d: the acknowledged message %s is lost: %+v, %v", kill, id, row, err)
		}
	}
	marks, err := s.Watermarks(h.ctx(), b.ID)
	if err != nil {
		t.Fatal(err)
	}
	for thread, mark := range marks {
		told := transcriptText(t, h, mark.Native)
		for _, id := range mark.IDs {
			row, err := s.Row(h.ctx(), id)
			if err != nil {
				t.Fatal(err)
			}
			if row.BindingID != b.ID && !strings.Contains(told, row.ID) && !toldOf(told, row.Body) {
				t.Fatalf("kill %d: the watermark of thread %q says that session %s was told %q, and its transcript does not hold it", kill, thread, mark.Native, row.Body)
			}
		}
	}
	runs, _, err := s.Runs(h.ctx(), c.ID, "", 500)
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	for _, r := range runs {
		if r.State == run.Running {
			running++
		}
	}
	if running > 1 {
		t.Fatalf("kill %d: %d runs of one binding are running at once", kill, running)
	}
}

// toldOf says whether a text tells of a body. A context block puts a mark before
// each line after the first, so each line is looked for.
func toldOf(told, body string) bool {
	for line := range strings.SplitSeq(body, "\n") {
		if !strings.Contains(told, line) {
			return false
		}
	}
	return true
}

// transcriptText returns the text of all messages a session was sent.
func transcriptText(t *testing.T, h *house, native string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(h.home, ".claude", "projects", "*", native+".jsonl"))
	if err != nil || len(found) == 0 {
		return ""
	}
	raw, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range bytes.Lines(raw) {
		var entry struct {
			Type    string `json:"type"`
			Message struct {
				Content json.RawMessage `json:"content"`
			} `json:"message"`
		}
		if json.Unmarshal(line, &entry) == nil && entry.Type == "user" {
			out.Write(entry.Message.Content)
		}
	}
	return out.String()
}

// marked returns the living processes that carry the mark of a data folder.
func marked(t *testing.T, instance string) []int {
	t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, path := range environs {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it ended, or is nobody's business
		}
		if bytes.Contains(raw, []byte("HEARTH_MARK="+instance+"/")) {
			var pid int
			if _, err := fmt.Sscanf(path, "/proc/%d/environ", &pid); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

// crashProcess is a Hearth in a process of its own, to be killed.
type crashProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	base   string
	client *http.Client
}

func startCrashChild(t *testing.T, h *house) *crashProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &crashProcess{t: t, client: &http.Client{Transport: &http.Transport{}}}
	p.cmd = exec.Command(self, crashFlag, h.dir, h.home, h.workspace)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the child did not start: %v", err)
	}
	p.base = strings.TrimSpace(line)
	return p
}

// owns says whether a process descends from this Hearth.
func (p *crashProcess) owns(pid int) bool {
	for pid > 1 {
		if pid == p.cmd.Process.Pid {
			return true
		}
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return true // it has ended meanwhile
		}
		_, after, _ := strings.Cut(string(raw), ") ")
		var state string
		if _, err := fmt.Sscan(after, &state, &pid); err != nil {
			return false
		}
	}
	return false
}

func (p *crashProcess) post(channelID, body string) (id string, ok bool) {
	payload, err := json.Marshal(map[string]string{"body": body})
	if err != nil {
		return "", false
	}
	response, err := p.client.Post(p.base+"/api/channels/"+channelID+"/messages", "application/json", bytes.NewReader(payload))
	if err != nil {
		return "", false
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusCreated {
		return "", false
	}
	var answer struct {
		Row struct {
			ID string `json:"id"`
		} `json:"row"`
	}
	if json.Unmarshal(raw, &answer) != nil || answer.Row.ID == "" {
		p.t.Errorf("an answer without an id: %s", raw)
		return "", false
	}
	return answer.Row.ID, true
}

// awaitRun waits until a run of the channel is in a state.
func (p *crashProcess) awaitRun(channelID string, state run.State) {
	p.t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(5 * time.Millisecond) {
		response, err := p.client.Get(p.base + "/api/channels/" + channelID + "/runs?limit=200")
		if err != nil {
			p.t.Fatal(err)
		}
		var answer struct {
			Runs []struct{ State string } `json:"runs"`
		}
		err = json.NewDecoder(response.Body).Decode(&answer)
		_ = response.Body.Close()
		if err != nil {
			p.t.Fatal(err)
		}
		for _, r := range answer.Runs {
			if r.State == string(state) {
				return
			}
		}
	}
	p.t.Fatalf("no run is %s", state)
}

func (p *crashProcess) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	p.client.CloseIdleConnections()
}
