package rehearsal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"hearth/backend/chat"
	"hearth/backend/claude"
	"hearth/backend/tool"
)

// closeWithin bounds the end of a client. An idle one takes some 50 ms.
const closeWithin = 15 * time.Second

// place is a scratch folder with homes and workspaces.
type place struct {
	root string
	gate *gate
	path string // the person's PATH: commands, and the Node of a client that needs it
	mark string
}

func (p *place) folder(name string) (string, error) {
	dir := filepath.Join(p.root, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a scratch folder: %w", err)
	}
	return dir, nil
}

// repository makes a workspace with a git repository of one commit.
func (p *place) repository(ctx context.Context, name string) (string, error) {
	dir, err := p.folder(name)
	if err != nil {
		return "", err
	}
	if err := write(dir, "main.go", "package main\n"); err != nil {
		return "", err
	}
	return dir, p.git(ctx, dir, []string{"init", "-q", "-b", "main"}, []string{"add", "."}, []string{"commit", "-q", "-m", "first"})
}

// git runs commands that touch nothing but the folder: no settings of the person's,
// no hooks, no signing.
func (p *place) git(ctx context.Context, dir string, commands ...[]string) error {
	for _, args := range commands {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + p.path, "HOME=" + p.root, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
			"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

func write(dir, name, text string) error {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		return fmt.Errorf("write a scratch file: %w", err)
	}
	return nil
}

// start is how a process of the client is started, and what it is asked first.
type start struct {
	client  Client
	home    string
	dir     string
	env     map[string]string // beside what every client of a rehearsal gets
	framing string
	dynamic bool // the dynamic sections stay in the system prompt
	model   string
	mode    string // of permissions
	workers map[string]claude.Agent
	args    []string
	resume  string // the native id of a session to go on with
	text    string
	after   time.Duration // this much later
}

// open starts the client. The caller closes it with shut.
func (p *place) open(ctx context.Context, s start) (*claude.Session, error) {
	temporary, err := p.folder("tmp")
	if err != nil {
		return nil, err
	}
	env := map[string]string{
		"PATH": p.path, "HOME": s.home, "TMPDIR": temporary, "TZ": "UTC", "LANG": "C.UTF-8", "SHELL": "/bin/sh", "TERM": "dumb",
		"ANTHROPIC_BASE_URL": p.gate.url, "ANTHROPIC_API_KEY": "sk-ant-a-rehearsal-has-no-account",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_AUTO_COMPACT": "1", "IS_SANDBOX": "1",
		"HTTP_PROXY": p.gate.url, "HTTPS_PROXY": p.gate.url, "NO_PROXY": "127.0.0.1",
	}
	for name, value := range s.env {
		env[name] = value
	}
	o := claude.Options{
		Path: s.client.Path, Dir: s.dir, Env: claude.Environment(nil, env), Mark: p.mark,
		Native: uuid.NewString(), Framing: s.framing, Model: s.model, PermissionMode: s.mode, Agents: s.workers, Args: s.args,
		Servers: map[string]*mcp.Server{tool.ServerName: tool.New(closed{}, tool.Scope{})},
		Allowed: []string{"mcp__" + tool.ServerName},
	}
	if s.dynamic { // the framing goes in by the flag alone
		o.Framing, o.Args = "", append([]string{"--append-system-prompt", s.framing}, s.args...)
	}
	if s.resume != "" {
		o.Native, o.Resume = s.resume, true
	}
	return claude.Start(ctx, o)
}

// shut ends a client with everything it started, also when ctx has ended.
func shut(ctx context.Context, s *claude.Session) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	return s.Close(bounded)
}

// turn asks and wants an answer that is none of the client's complaints.
func turn(ctx context.Context, s *claude.Session, text string) error {
	result, err := s.Turn(ctx, claude.Message{Text: text}, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return err
	case result.IsError:
		return fmt.Errorf("the client answered with an error: %.300q", result.Text)
	}
	return nil
}

// closed answers tools: a rehearsal's model calls none. They are there because
// their definitions stand in every request.
type closed struct{}

var _ tool.Backend = closed{}

var errClosed = chat.Errorf(chat.CodeUnavailable, "This is a rehearsal: there is no channel behind it.")

func (closed) History(context.Context, tool.Scope, tool.HistoryQuery) (tool.Page, error) {
	return tool.Page{}, errClosed
}

func (closed) Message(context.Context, tool.Scope, string) (tool.Row, error) {
	return tool.Row{}, errClosed
}

func (closed) Roster(context.Context, tool.Scope) (tool.Roster, error) {
	return tool.Roster{}, errClosed
}

func (closed) Activity(context.Context, tool.Scope) (tool.RunActivity, string, error) {
	return tool.RunActivity{}, "", errClosed
}

func (closed) Post(context.Context, tool.Scope, tool.PostRequest) (tool.PostResult, error) {
	return tool.PostResult{}, errClosed
}

func (closed) Decline(context.Context, tool.Scope, string) error { return errClosed }

// newPlace makes the scratch folder and the gate. leave ends the one and removes
// the other.
func newPlace(path string) (p *place, leave func() error, err error) {
	root, err := os.MkdirTemp("", "hearth-rehearsal-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return nil, nil, fmt.Errorf("find the scratch folder: %w", err)
	}
	g, err := openGate()
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(root))
	}
	p = &place{root: root, gate: g, path: path, mark: "rehearsal/" + uuid.NewString()}
	return p, func() error {
		g.stop()
		if err := os.RemoveAll(root); err != nil {
			return fmt.Errorf("remove the scratch folder %s: %w", root, err)
		}
		return nil
	}, nil
}
