package api

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"hearth/backend/chat"
	"hearth/backend/ledger"
	"hearth/backend/logs"
	"hearth/backend/report"
	"hearth/backend/run"
	"hearth/backend/search"
	"hearth/backend/workbench"
)

// fake is all of the API's ports, in memory: enough of a house to be arranged,
// with a record of what was done to agents.
type fake struct {
	mutex       sync.Mutex
	n           int
	channels    map[string]chat.Channel
	rows        []chat.Row
	members     []chat.Member
	bindings    map[string]chat.Binding
	runs        []run.Run
	sent        map[string]run.Sent
	steps       map[string][]run.Step
	savings     map[string][]run.Saving
	live        map[string]string
	permissions map[string]run.Permission
	rules       map[string][]run.Rule
	states      []AgentState
	outside     string               // the folder of another workbench; "" is none
	uses        map[string]ScriptUse // of scripts, by path
	origins     map[string]Origin    // of files, by path
	chosen      workbench.Settings
	turns       []ledger.Turn     // oldest first
	before      map[string]string // the run that one is compared with
	look        AgentLook         // without its state
	commands    CommandsLook
	calls       []run.ToolCalls
	ends        []ledger.ProcessEnd // newest first
	facts       run.SessionFacts
	played      chan context.Context // what Compare was called with, which then lasts until its end; nil: it answers
	did         []string             // what was done to agents
	changes     []run.ChangeView
	asked       logs.Query       // of the log, last
	fail        map[string]error // by method
	hang        map[string]bool  // methods that panic
}

var (
	_ Store       = (*fake)(nil)
	_ Runs        = (*fake)(nil)
	_ Presence    = (*fake)(nil)
	_ Workbenches = (*fake)(nil)
	_ Comparisons = (*fake)(nil)
	_ Logs        = (*fake)(nil)
	_ Reports     = (*fake)(nil)
)

func newFake() *fake {
	return &fake{
		channels: map[string]chat.Channel{}, bindings: map[string]chat.Binding{}, sent: map[string]run.Sent{},
		steps: map[string][]run.Step{}, savings: map[string][]run.Saving{}, live: map[string]string{}, permissions: map[string]run.Permission{},
		rules: map[string][]run.Rule{}, before: map[string]string{"run4": "run2"}, fail: map[string]error{}, hang: map[string]bool{}, chosen: workbench.Settings{TrashDays: workbench.DefaultTrashDays},
	}
}

// at begins a method: its lock, and the fault a test has put there.
func (f *fake) at(method string) (unlock func(), err error) {
	f.mutex.Lock()
	if f.hang[method] {
		f.mutex.Unlock()
		panic("fault in " + method)
	}
	return f.mutex.Unlock, f.fail[method]
}

// Read reads a log of two lines: one that fits whatever is asked, one that is none
// of ours.
func (f *fake) Read(_ context.Context, q logs.Query) (logs.Page, error) {
	unlock, err := f.at("Read")
	defer unlock()
	f.asked = q
	return logs.Page{Next: "1-2", More: true, Reset: q.After == "gone", Lines: []logs.Line{
		{ID: "1-0", At: epoch, Level: slog.LevelWarn + 1, Message: "it broke", Attributes: []logs.Attribute{{Key: "error", Value: "disk full"}}},
		{ID: "1-1", Level: slog.LevelInfo, Message: "panic: 운"},
	}}, err
}

func (f *fake) Report(context.Context) (report.Bundle, error) {
	unlock, err := f.at("Report")
	defer unlock()
	f.n++
	return report.Bundle{Name: fmt.Sprintf("report-%d.zip", f.n), At: epoch, Files: []report.File{{Name: "log.txt", About: "the log", Text: "한 줄\n"}}}, err
}

func (f *fake) id(kind string) string {
	f.n++
	return fmt.Sprintf("%s%d", kind, f.n)
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)

func (f *fake) now() time.Time { return epoch.Add(time.Duration(f.n) * time.Second) }

func missing(what, id string) error {
	return chat.Errorf(chat.CodeNotFound, "There is no %s %q. Look at those there are.", what, id)
}

func (f *fake) Channels(_ context.Context, archived bool) ([]chat.Channel, error) {
	unlock, err := f.at("Channels")
	defer unlock()
	var out []chat.Channel
	for _, c := range f.channels {
		if archived || !c.Archived() {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b chat.Channel) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out, err
}

func (f *fake) Channel(_ context.Context, id string) (chat.Channel, error) {
	unlock, err := f.at("Channel")
	defer unlock()
	if err != nil {
		return chat.Channel{}, err
	}
	c, ok := f.channels[id]
	if !ok {
		return c, missing("channel", id)
	}
	return c, nil
}

func (f *fake) named(name string) (chat.Channel, bool) {
	for _, c := range f.channels {
		if !c.Archived() && chat.Fold(c.Name) == chat.Fold(name) {
			return c, true
		}
	}
	return chat.Channel{}, false
}

func (f *fake) ChannelByName(_ context.Context, name string) (chat.Channel, error) {
	unlock, err := f.at("ChannelByName")
	defer unlock()
	if err != nil {
		return chat.Channel{}, err
	}
	if c, ok := f.named(name); ok {
		return c, nil
	}
	return chat.Channel{}, missing("channel", name)
}

func (f *fake) CreateChannel(_ context.Context, c chat.Channel) (chat.Channel, error) {
	unlock, err := f.at("CreateChannel")
	defer unlock()
	if err != nil {
		return chat.Channel{}, err
	}
	if _, taken := f.named(c.Name); taken {
		return c, chat.Errorf(chat.CodeConflict, "There is a channel #%s already. Choose another name.", c.Name)
	}
	c.ID, c.CreatedAt = f.id("c"), f.now()
	f.channels[c.ID] = c
	return c, nil
}

func (f *fake) UpdateChannel(_ context.Context, c chat.Channel) (chat.Channel, error) {
	unlock, err := f.at("UpdateChannel")
	defer unlock()
	if err != nil {
		return chat.Channel{}, err
	}
	f.channels[c.ID] = c
	return c, nil
}

func (f *fake) ArchiveChannel(_ context.Context, id string) (chat.Channel, []run.Run, error) {
	unlock, err := f.at("ArchiveChannel")
	defer unlock()
	if err != nil {
		return chat.Channel{}, nil, err
	}
	c := f.channels[id]
	c.ArchivedAt = f.now()
	f.channels[id] = c
	return c, nil, nil
}

func (f *fake) DeleteChannel(_ context.Context, id string) (int, error) {
	unlock, err := f.at("DeleteChannel")
	defer unlock()
	if err != nil {
		return 0, err
	}
	delete(f.channels, id)
	before := len(f.rows)
	f.rows = slices.DeleteFunc(f.rows, func(r chat.Row) bool { return r.ChannelID == id })
	return before - len(f.rows), nil
}

func (f *fake) MarkRead(ctx context.Context, channelID, rowID string) (chat.Channel, bool, error) {
	unlock, err := f.at("MarkRead")
	defer unlock()
	if err != nil {
		return chat.Channel{}, false, err
	}
	c, ok := f.channels[channelID]
	if !ok {
		return c, false, missing("channel", channelID)
	}
	at := slices.IndexFunc(f.rows, func(r chat.Row) bool { return r.ID == rowID && r.ChannelID == channelID })
	if at < 0 {
		return c, false, missing("row", rowID)
	}
	if at <= slices.IndexFunc(f.rows, func(r chat.Row) bool { return r.ID == c.ReadID }) {
		return c, false, nil
	}
	c.ReadID, c.Unread = rowID, 0
	c.NewestID, c.NewestAt = f.rows[len(f.rows)-1].ID, f.rows[len(f.rows)-1].CreatedAt
	for _, r := range f.rows[at+1:] {
		if r.ChannelID == channelID && !r.IsOwners() {
			c.Unread++
		}
	}
	f.channels[channelID] = c
	return c, true, nil
}

func (f *fake) Page(_ context.Context, place chat.Place, page chat.Page) (chat.Paged, error) {
	unlock, err := f.at("Page")
	defer unlock()
	var here []chat.Row
	anchor := cmp.Or(page.Before, page.After, page.Around)
	at, among := 0, 0 // how many rows of the place stand before it, and whether it is one
	for _, r := range f.rows {
		if r.ID == anchor {
			at = len(here)
		}
		if r.ChannelID == place.ChannelID && r.ThreadRootID == place.ThreadRootID {
			if r.ID == anchor {
				among = 1
			}
			here = append(here, r)
			if !page.Since.IsZero() && r.CreatedAt.Before(page.Since) {
				at = len(here)
			}
		}
	}
	from, to := len(here)-page.Limit, len(here)
	switch anchor {
	case "":
	case page.Before:
		from, to = at-page.Limit, at
	case page.After:
		from, to = at+among, at+among+page.Limit
	case page.Around:
		from = at - page.Limit/2
		to = from + page.Limit
	}
	if !page.Since.IsZero() {
		from, to = at, at+page.Limit
	}
	from, to = max(0, from), min(to, len(here))
	return chat.Paged{Rows: here[from:to], HasBefore: from > 0, HasAfter: to < len(here)}, err
}

func (f *fake) Row(_ context.Context, id string) (chat.Row, error) {
	unlock, err := f.at("Row")
	defer unlock()
	for _, r := range f.rows {
		if r.ID == id {
			return r, err
		}
	}
	return chat.Row{}, missing("row", id)
}

func (f *fake) ThreadSizes(_ context.Context, roots []string) (map[string]int, error) {
	unlock, err := f.at("ThreadSizes")
	defer unlock()
	out := map[string]int{}
	for _, r := range f.rows {
		if slices.Contains(roots, r.ThreadRootID) {
			out[r.ThreadRootID]++
		}
	}
	return out, err
}

func (f *fake) Search(_ context.Context, q search.Request) (found search.Results, err error) {
	unlock, err := f.at("Search")
	defer unlock()
	for i, r := range slices.Backward(f.rows) {
		switch {
		case q.Cursor != 0 && int64(i) >= q.Cursor, !slices.Contains(q.ChannelIDs, r.ChannelID), !search.Found(r.Body, q.Words),
			len(q.From) > 0 && !slices.Contains(q.From, chat.Fold(r.Handle)), q.InThread && r.ThreadRootID == "",
			r.CreatedAt.Before(q.Since), !q.Before.IsZero() && !r.CreatedAt.Before(q.Before):
			continue
		}
		if len(found.Rows) == q.Limit {
			found.Cursor = int64(i) + 1
			break
		}
		found.Rows = append(found.Rows, r)
	}
	return found, err
}

func (f *fake) Members(_ context.Context, channelID string) ([]chat.Member, error) {
	unlock, err := f.at("Members")
	defer unlock()
	var out []chat.Member
	for _, m := range f.members {
		if m.ChannelID == channelID {
			out = append(out, m)
		}
	}
	return out, err
}

func (f *fake) Bindings(_ context.Context, channelID string) ([]chat.Binding, error) {
	unlock, err := f.at("Bindings")
	defer unlock()
	var out []chat.Binding
	for _, b := range f.bindings {
		if b.ChannelID == channelID {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b chat.Binding) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return out, err
}

func (f *fake) Binding(_ context.Context, id string) (chat.Binding, error) {
	unlock, err := f.at("Binding")
	defer unlock()
	b, ok := f.bindings[id]
	if !ok {
		return b, missing("binding", id)
	}
	return b, err
}

func (f *fake) CreateBinding(_ context.Context, b chat.Binding) (chat.Binding, error) {
	unlock, err := f.at("CreateBinding")
	defer unlock()
	if err != nil {
		return chat.Binding{}, err
	}
	b.ID, b.CreatedAt = f.id("b"), f.now()
	f.bindings[b.ID] = b
	return b, nil
}

func (f *fake) UpdateBinding(_ context.Context, b chat.Binding) (chat.Binding, error) {
	unlock, err := f.at("UpdateBinding")
	defer unlock()
	f.bindings[b.ID] = b
	return b, err
}

func (f *fake) DeleteBinding(_ context.Context, id string) ([]run.Run, error) {
	unlock, err := f.at("DeleteBinding")
	defer unlock()
	if err != nil {
		return nil, err
	}
	delete(f.bindings, id)
	return nil, nil
}

func (f *fake) Runs(_ context.Context, channelID, before string, limit int) ([]run.Run, bool, error) {
	unlock, err := f.at("Runs")
	defer unlock()
	var out []run.Run
	skipping := before != ""
	for _, r := range slices.Backward(f.runs) {
		if !skipping && r.ChannelID == channelID {
			out = append(out, r)
		}
		skipping = skipping && r.ID != before
	}
	if len(out) > limit {
		return out[:limit], true, err
	}
	return out, false, err
}

func (f *fake) Run(_ context.Context, id string) (run.Run, error) {
	unlock, err := f.at("Run")
	defer unlock()
	for _, r := range f.runs {
		if r.ID == id {
			return r, err
		}
	}
	return run.Run{}, missing("run", id)
}

func (f *fake) RunSent(_ context.Context, id string) (run.Sent, error) {
	unlock, err := f.at("RunSent")
	defer unlock()
	sent, ok := f.sent[id]
	if !ok && err == nil {
		return sent, missing("sent", id)
	}
	return sent, err
}

func (f *fake) RunSteps(_ context.Context, id string) ([]run.Step, error) {
	unlock, err := f.at("RunSteps")
	defer unlock()
	return f.steps[id], err
}

func (f *fake) RunSavings(_ context.Context, id string) ([]run.Saving, error) {
	unlock, err := f.at("RunSavings")
	defer unlock()
	return f.savings[id], err
}

func (f *fake) Permission(_ context.Context, id string) (run.Permission, error) {
	unlock, err := f.at("Permission")
	defer unlock()
	p, ok := f.permissions[id]
	if !ok {
		return p, missing("question", id)
	}
	return p, err
}

func (f *fake) Permissions(_ context.Context, channelID string, open bool, limit int) ([]run.Permission, error) {
	unlock, err := f.at("Permissions")
	defer unlock()
	var out []run.Permission
	for _, p := range f.permissions {
		if (channelID == "" || p.ChannelID == channelID) && (!open || p.State == run.PermissionOpen) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b run.Permission) int { return b.AskedAt.Compare(a.AskedAt) })
	return out[:min(limit, len(out))], err
}

func (f *fake) Rules(_ context.Context, bindingID string) ([]run.Rule, error) {
	unlock, err := f.at("Rules")
	defer unlock()
	return f.rules[bindingID], err
}

func (f *fake) Post(_ context.Context, p run.Posting) (chat.Row, []run.Run, error) {
	unlock, err := f.at("Post")
	defer unlock()
	if err != nil {
		return chat.Row{}, nil, err
	}
	if err := chat.CheckBody(p.Body); err != nil {
		return chat.Row{}, nil, err
	}
	row := chat.Row{
		ID: f.id("r"), ChannelID: p.ChannelID, ThreadRootID: p.ThreadRootID, Kind: chat.KindUser,
		Handle: p.Author, Body: p.Body, CreatedAt: f.now(),
	}
	f.rows = append(f.rows, row)
	var runs []run.Run
	for _, b := range f.bindings {
		if b.ChannelID == p.ChannelID && len(chat.Mentions(p.Body, []string{b.Handle})) > 0 {
			runs = append(runs, run.Run{
				ID: f.id("run"), ChannelID: p.ChannelID, BindingID: b.ID, RowID: row.ID, Cause: run.CauseMention,
				State: run.Queued, QueuedAt: f.now(),
			})
		}
	}
	f.runs = append(f.runs, runs...)
	return row, runs, nil
}

func (f *fake) Edit(_ context.Context, id, body string) (run.Edited, error) {
	unlock, err := f.at("Edit")
	defer unlock()
	if err != nil {
		return run.Edited{}, err
	}
	for i := range f.rows {
		if f.rows[i].ID == id {
			f.rows[i].Body, f.rows[i].EditedAt = body, epoch
			waiting := slices.DeleteFunc(slices.Clone(f.runs), func(r run.Run) bool { return r.RowID != id })
			return run.Edited{Row: f.rows[i], Runs: waiting, Told: true}, chat.CheckBody(body)
		}
	}
	return run.Edited{}, missing("row", id)
}

func (f *fake) Delete(_ context.Context, id string) (run.Deleted, error) {
	unlock, err := f.at("Delete")
	defer unlock()
	if err != nil {
		return run.Deleted{}, err
	}
	i := slices.IndexFunc(f.rows, func(r chat.Row) bool { return r.ID == id })
	if i < 0 {
		return run.Deleted{}, missing("row", id)
	}
	row := f.rows[i]
	f.rows = slices.Delete(f.rows, i, i+1)
	row.Body, row.DeletedAt = "", epoch
	return run.Deleted{Row: row, Told: true}, nil
}

func (f *fake) Versions(_ context.Context, id string) ([]chat.Version, error) {
	unlock, err := f.at("Versions")
	defer unlock()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(f.rows, func(r chat.Row) bool { return r.ID == id }) {
		return nil, missing("row", id)
	}
	return []chat.Version{{Body: "what it said", At: epoch}}, nil
}

// do records what was done to an agent, and answers with the test's fault.
func (f *fake) do(method, id string) error {
	unlock, err := f.at(method)
	defer unlock()
	f.did = append(f.did, method+" "+id)
	return err
}

func (f *fake) StopRun(ctx context.Context, id string) (run.Run, error) {
	if err := f.do("StopRun", id); err != nil {
		return run.Run{}, err
	}
	r, err := f.Run(ctx, id)
	r.State = run.Stopped
	return r, err
}

func (f *fake) StopBinding(_ context.Context, id string) (bool, error) {
	return true, f.do("StopBinding", id)
}

func (f *fake) Retry(ctx context.Context, id string) (run.Run, error) {
	if err := f.do("Retry", id); err != nil {
		return run.Run{}, err
	}
	r, err := f.Run(ctx, id)
	r.RetryOf, r.ID, r.State, r.Cause = r.ID, "again", run.Queued, run.CauseRetry
	return r, err
}

func (f *fake) Fresh(ctx context.Context, id string) (chat.Binding, error) {
	if err := f.do("Fresh", id); err != nil {
		return chat.Binding{}, err
	}
	b, err := f.Binding(ctx, id)
	b.FreshAt = epoch
	return b, err
}

func (f *fake) UndoFresh(ctx context.Context, id string) (chat.Binding, run.Session, error) {
	if err := f.do("UndoFresh", id); err != nil {
		return chat.Binding{}, run.Session{}, err
	}
	b, err := f.Binding(ctx, id)
	b.FreshAt = time.Time{}
	return b, run.Session{Native: "native", BindingID: id, StartedAt: epoch, EndedAt: epoch, EndReason: "started afresh"}, err
}

func (f *fake) Warm(_ context.Context, id string) error { return f.do("Warm", id) }

func (f *fake) Restore(_ context.Context, id string) (run.Session, error) {
	return run.Session{Native: "native", BindingID: id, StartedAt: epoch, EndedAt: epoch, EndReason: "idle"}, f.do("Restore", id)
}

func (f *fake) AnswerPermission(ctx context.Context, id string, a run.Answer) (run.Permission, error) {
	if err := f.do("AnswerPermission", fmt.Sprintf("%s %s %q %q", id, a.Decision, a.Rule, a.Message)); err != nil {
		return run.Permission{}, err
	}
	p, err := f.Permission(ctx, id)
	p.State = map[run.Decision]run.PermissionState{
		run.AllowOnce: run.PermissionAllowed, run.AllowAlways: run.PermissionAlways, run.Deny: run.PermissionDenied,
	}[a.Decision]
	return p, err
}

func (f *fake) RemoveRule(_ context.Context, bindingID, id string) error {
	if err := f.do("RemoveRule", bindingID+" "+id); err != nil {
		return err
	}
	before := len(f.rules[bindingID])
	f.rules[bindingID] = slices.DeleteFunc(f.rules[bindingID], func(r run.Rule) bool { return r.ID == id })
	if len(f.rules[bindingID]) == before {
		return missing("rule", id)
	}
	return nil
}

func (f *fake) Live(id string) (run.Going, bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	text, ok := f.live[id]
	return run.Going{Text: text, Steps: f.steps[id], Savings: f.savings[id]}, ok
}

func (f *fake) Arrange(ctx context.Context, keys []run.Key, _ string, change func(context.Context) ([]run.Run, error)) error {
	which := make([]string, len(keys))
	for i, key := range keys {
		which[i] = key.BindingID
	}
	if err := f.do("Arrange", strings.Join(which, " ")); err != nil {
		return err
	}
	_, err := change(ctx)
	return err
}

func (f *fake) Presence(_ context.Context, _ string) ([]AgentState, error) {
	unlock, err := f.at("Presence")
	defer unlock()
	return f.states, err
}

// benches are the workbenches of a channel: the real thing.
func (f *fake) benches(c chat.Channel) []*workbench.Bench {
	all := []*workbench.Bench{must(workbench.Open(c.Workspace))}
	if f.outside != "" {
		all = append(all, must(workbench.OpenOutside(f.outside)))
	}
	return all
}

func (f *fake) Workbenches(ctx context.Context, c chat.Channel) ([]BenchState, error) {
	unlock, err := f.at("Workbenches")
	defer unlock()
	var out []BenchState
	for i, b := range f.benches(c) {
		s := BenchState{Path: b.Path(), Name: b.Name(), Outside: i > 0, Uses: f.uses}
		if s.Exists, s.Fault = b.Exists(); s.Fault == nil {
			s.Inventory = must(b.Scan(ctx))
			s.Index, s.Tokens = workbench.Index(s.Inventory), 42
		}
		for _, binding := range f.bindings {
			if i == 0 && binding.ChannelID == c.ID {
				s.BindingIDs = append(s.BindingIDs, binding.ID)
			}
		}
		out = append(out, s)
	}
	return out, err
}

func (f *fake) OpenEntry(_ context.Context, c chat.Channel, bench, path string) (opened OpenedEntry, err error) {
	unlock, err := f.at("OpenEntry")
	defer unlock()
	if err != nil {
		return opened, err
	}
	err = missing("workbench", bench)
	for _, b := range f.benches(c) {
		if bench == "" || bench == b.Path() {
			if opened.Opened, err = b.Open(path); err == nil {
				opened.Bench = b.Path()
				break
			}
		}
	}
	return opened, err
}

func (f *fake) DeleteEntries(_ context.Context, c chat.Channel, bench string, paths []string) (deleted []BenchDeleted, refused []workbench.Refused, err error) {
	unlock, err := f.at("DeleteEntries")
	defer unlock()
	if err != nil {
		return nil, nil, err
	}
	b := f.benches(c)[0]
	gone, refused, err := b.Delete(paths, epoch)
	for _, one := range gone {
		deleted = append(deleted, BenchDeleted{b.Path(), one})
	}
	return deleted, refused, err
}

func (f *fake) Deleted(ctx context.Context, c chat.Channel) (all []BenchDeleted, err error) {
	unlock, err := f.at("Deleted")
	defer unlock()
	if err != nil {
		return nil, err
	}
	b := f.benches(c)[0]
	for _, one := range must(b.Deleted(ctx)) {
		all = append(all, BenchDeleted{b.Path(), one})
	}
	return all, nil
}

func (f *fake) RestoreEntry(_ context.Context, c chat.Channel, bench, id, path, as string) (string, error) {
	unlock, err := f.at("RestoreEntry")
	defer unlock()
	if err != nil {
		return "", err
	}
	return f.benches(c)[0].Restore(id, path, as)
}

func (f *fake) Origin(_ context.Context, _ chat.Channel, _, path string, modified time.Time) (Origin, bool, error) {
	unlock, err := f.at("Origin")
	defer unlock()
	o, ok := f.origins[path]
	o.At = modified
	return o, ok, err
}

func (f *fake) ShowEntry(_ context.Context, opened OpenedEntry, inFolder bool) error {
	unlock, err := f.at("ShowEntry")
	defer unlock()
	f.did = append(f.did, fmt.Sprintf("show %s %t", opened.Path, inFolder))
	return err
}

func (f *fake) WorkbenchSettings(context.Context) (workbench.Settings, error) {
	unlock, err := f.at("WorkbenchSettings")
	defer unlock()
	return f.chosen, err
}

func (f *fake) SetWorkbenchSettings(_ context.Context, chosen workbench.Settings) error {
	unlock, err := f.at("SetWorkbenchSettings")
	defer unlock()
	f.chosen = chosen
	return err
}

func (f *fake) FindEntries(ctx context.Context, c chat.Channel, query string, limit int) (all []BenchMatch, more bool, err error) {
	unlock, err := f.at("FindEntries")
	defer unlock()
	if err != nil {
		return nil, false, err
	}
	for _, b := range f.benches(c) {
		found, err := b.Find(ctx, query, limit)
		for _, m := range found.Matches {
			all = append(all, BenchMatch{Bench: b.Path(), Match: m})
		}
		more = more || found.More
		if err != nil {
			return all, more, err
		}
	}
	return all, more, nil
}
