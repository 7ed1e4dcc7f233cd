package standin

import (
	"context"
	"fmt"
	"time"
)

// task is a background task: nothing but a clock.
type task struct {
	id          string
	toolUse     string
	description string
	timer       *time.Timer
}

func (t *task) summary() string {
	return fmt.Sprintf("Background command %q completed (exit code 0)", t.description)
}

// startTask starts a background task that ends after some seconds.
func (a *agent) startTask(ctx context.Context, t *turn, rest string) (string, error) {
	n, err := number(rest, 2, maxSeconds)
	if err != nil {
		return "/background: " + err.Error(), nil
	}
	b := &task{id: newID("b"), toolUse: newID("toolu_"), description: "sleep " + secondsOf(n)}
	input := encode(map[string]any{"command": b.description, "run_in_background": true})
	c := &toolCall{tool: "Bash", display: "Bash", input: input, id: b.toolUse, looks: true}
	v, refusal, err := a.propose(ctx, t, c, "start a background task")
	if !v.allowed {
		return refusal, err
	}
	a.mu.Lock()
	a.tasks[b.id] = b
	a.mu.Unlock()
	a.tasksChanged()
	a.emit(map[string]any{"type": "system", "subtype": "task_started", "task_id": b.id, "tool_use_id": b.toolUse,
		"description": b.description, "is_backgrounded": true, "task_type": "local_bash"})
	a.mu.Lock()
	b.timer = time.AfterFunc(time.Duration(n*float64(time.Second)), func() { a.taskEnded(b) })
	a.mu.Unlock()
	text := fmt.Sprintf("Command running in background with ID: %s. You will be notified when it completes.", b.id)
	if err := t.toolResult(b.toolUse, text, false, map[string]any{"stdout": "", "stderr": "", "interrupted": false, "backgroundTaskId": b.id}); err != nil {
		return "", err
	}
	return fmt.Sprintf("A background task runs for %s. When it ends I take a turn that nobody asked for.", secondsOf(n)), nil
}

// taskEnded says so, and asks for the turn that follows.
func (a *agent) taskEnded(b *task) {
	a.mu.Lock()
	if a.tasks[b.id] == nil { // the agent is ending
		a.mu.Unlock()
		return
	}
	delete(a.tasks, b.id)
	a.mu.Unlock()
	a.emit(map[string]any{"type": "system", "subtype": "task_updated", "task_id": b.id,
		"patch": map[string]any{"status": "completed", "end_time": time.Now().UnixMilli()}})
	a.emit(map[string]any{"type": "system", "subtype": "task_notification", "task_id": b.id, "tool_use_id": b.toolUse,
		"status": "completed", "summary": b.summary()})
	a.tasksChanged()
	a.mu.Lock()
	a.finished = append(a.finished, b)
	a.mu.Unlock()
	a.signal()
}

// tasksChanged says which background tasks run.
func (a *agent) tasksChanged() {
	a.mu.Lock()
	list := []any{}
	for _, b := range a.tasks {
		list = append(list, map[string]any{"task_id": b.id, "task_type": "local_bash", "description": b.description})
	}
	a.mu.Unlock()
	a.emit(map[string]any{"type": "system", "subtype": "background_tasks_changed", "tasks": list})
}

// stopTasks forgets the tasks that run: they end with the agent.
func (a *agent) stopTasks() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, b := range a.tasks {
		b.timer.Stop()
		delete(a.tasks, id)
	}
}
