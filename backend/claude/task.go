package claude

// A taskBook knows which background tasks run. 2.1.332 lists them itself whenever they change; before that they are what
// was started and did not end.
type taskBook struct {
	listed  bool
	running map[string]bool
	ending  map[string]bool // ended, and the client has not told the model yet
}

func (b *taskBook) set(id string, running bool) {
	if b.running == nil {
		b.running, b.ending = map[string]bool{}, map[string]bool{}
	}
	if running {
		b.running[id] = true
	} else {
		delete(b.running, id)
	}
}

func (b *taskBook) count() int { return len(b.running) }

// task takes one kind of news of tasks; the lock is held. Whether a task runs in the background older clients do not say;
// there everything counts that outlives the line which started it.
func (s *Session) task(subtype string, w *wireSystem) {
	b := &s.tasks
	switch subtype {
	case "background_tasks_changed":
		b.listed = true
		before := b.running
		b.running = nil
		b.set("", false)
		for _, t := range w.Tasks {
			b.set(t.ID, true)
			delete(before, t.ID)
		}
		for id := range before {
			b.ending[id] = true
		}
	case "task_started":
		background := w.Background == nil || *w.Background
		if background && !b.listed {
			b.set(w.TaskID, true)
		}
		s.show(TaskStarted{ID: w.TaskID, ToolUseID: w.ToolUseID, Kind: w.TaskType, Description: w.Description, Background: w.Background != nil && *w.Background})
	case "task_progress":
		s.show(TaskProgress{ID: w.TaskID, ToolUseID: w.ToolUseID, Description: w.Description, LastTool: w.LastTool})
	case "task_updated":
		switch {
		case over(w.Patch.Status) && b.running[w.TaskID]:
			b.set(w.TaskID, false)
			b.ending[w.TaskID] = true
			if !s.cycle.begun() {
				s.expect(true)
			}
		case w.Patch.Background != nil && *w.Patch.Background && !b.listed:
			b.set(w.TaskID, true)
		}
	case "task_notification":
		ended := TaskEnded{ID: w.TaskID, ToolUseID: w.ToolUseID, Status: w.Status, Summary: w.Summary, OutputFile: w.OutputFile}
		s.show(ended)
		if b.running[w.TaskID] || b.ending[w.TaskID] {
			b.set(w.TaskID, false)
			delete(b.ending, w.TaskID)
			s.ended = append(s.ended, ended)
			if s.cycle.begun() {
				s.cycle.ended++
			} else {
				s.expect(true)
			}
		}
	}
	s.changed()
}

// over reports whether a task of that status has ended.
func over(status string) bool {
	switch status {
	case "completed", "failed", "killed", "stopped", "cancelled":
		return true
	}
	return false
}
