package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/backend/api"
	"hearth/backend/logs"
)

// bundle reads a report: its files by name, and all that is in it, the names too.
func bundle(t *testing.T, path string) (files map[string]string, all string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
		all += f.Name + "\n" + string(text) + "\n"
	}
	return files, all
}

// planted is a secret for each place where there may be one.
var planted = map[string]string{
	"binding token": "tok-planted-1", "base URL user": "planted2", "base URL password": "planted3", "environment": "planted-4-env",
	"proxy password": "planted5", "workspace": "planted 6 folder", "message": "planted 7 is the word of the message", "topic": "planted 8 is the topic",
	"channel name": "planted-9-channel", "handle": "planted10", "worker": "planted11", "log value": "planted12", "API key": "sk-ant-api03-planted13",
	"bearer": "planted14", "cookie": "planted15", "Hearth's variable": "planted16", "e-mail": "planted17@example.com", "quoted": "planted18",
	"home": "planted19home", "odd line": "planted20", "agent's text in an error": "planted 7 is the word of the message",
	"model": "planted21 model", "gone folder": "planted22",
}

// plant puts them there.
func (h *house) plant() {
	h.t.Helper()
	home := filepath.Join(h.t.TempDir(), planted["home"])
	workspace := filepath.Join(home, planted["workspace"])
	if err := os.MkdirAll(workspace, 0o700); err != nil {
		h.t.Fatal(err)
	}
	h.t.Setenv("HOME", home)
	h.env["HOME"] = home
	h.env["GATEWAY_TOKEN"] = planted["binding token"]
	h.env["MY_API_KEY"] = planted["environment"]
	h.env["HTTPS_PROXY"] = "http://me:" + planted["proxy password"] + "@proxy.test"
	h.ok("channels", "create", planted["channel name"], "--topic", planted["topic"], "--workspace", workspace)
	h.stdin = `[{"name":"` + planted["worker"] + `","description":"` + planted["worker"] + `","prompt":"` + planted["worker"] + `","tools":["Read"]}]`
	h.ok("bindings", "add", planted["channel name"], planted["handle"], "--role", "coordinator", "--workers", "-", "--model", planted["model"],
		"--base-url", "http://"+planted["base URL user"]+":"+planted["base URL password"]+"@127.0.0.1:1", "--token-env", "GATEWAY_TOKEN")
	h.ok("post", planted["channel name"], planted["message"])
	log := logs.New(h.dir, slog.LevelDebug)
	log.Info("started", "version", "1.2.3", "odd", planted["log value"], "reason", planted["binding token"])
	log.Warn("skipped a line that is no message", "begins", planted["message"])
	for _, text := range []string{
		"key " + planted["API key"], "Authorization: Bearer " + planted["bearer"], "bearer " + planted["bearer"], "Cookie: a=" + planted["cookie"],
		"HEARTH_OTHER_TOKEN=" + planted["Hearth's variable"], "as " + planted["e-mail"], "env " + planted["environment"], planted["binding token"],
		"dial http://" + planted["base URL user"] + ":" + planted["base URL password"] + "@127.0.0.1:1: refused",
		"open " + filepath.Join(workspace, planted["workspace"]) + ": no such file", "chdir " + home + "/" + planted["gone folder"] + " x: gone",
		fmt.Sprintf("refused %q", planted["quoted"]), planted["message"], "exit status 1\n" + planted["quoted"], "proxy " + planted["proxy password"],
	} {
		log.Error("it broke", "error", errors.New(text), "stack", text, "path", text, "text", text)
	}
	log.Error("in " + planted["binding token"] + " of " + workspace)
	f, err := os.OpenFile(logs.Path(h.dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	_, err = fmt.Fprintln(f, "panic: "+planted["odd line"])
	if err := errors.Join(err, f.Close()); err != nil {
		h.t.Fatal(err)
	}
}

// However a report is made, no secret gets into it, and what it is for does.
func TestReport(t *testing.T) {
	for name, begin := range map[string]func(h *house){
		"while one runs":     func(h *house) { h.serve() },
		"while none runs":    func(*house) {},
		"without database":   func(h *house) { h.engine = brokenEngine },
		"without its claude": func(h *house) { h.located = errors.New("not found in /home/planted19home") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			h.plant()
			begin(h)
			said := h.ok("report", "-o", "out.zip")
			files, all := bundle(t, "out.zip")
			for place, secret := range planted {
				for _, where := range []string{all, said} {
					if strings.Contains(where, secret) || strings.Contains(where, strings.ReplaceAll(secret, " ", "%20")) {
						t.Errorf("the secret of the %s got in: %s", place, secret)
					}
				}
			}
			for _, folder := range []string{h.work, h.env["HOME"]} {
				if strings.Contains(all, folder) {
					t.Errorf("the folder %s got in", folder)
				}
			}
			for file, holds := range map[string]string{
				"README.txt": "log.txt", "findings.json": `"name": "claude"`, "log.txt": "started version=1.2.3", "versions.json": `"platform"`,
			} {
				if !strings.Contains(files[file], holds) {
					t.Errorf("%s does not hold %s: %s", file, holds, files[file])
				}
				if !strings.Contains(said, file) {
					t.Errorf("%s was not told of: %s", file, said)
				}
			}
			if broken := name == "without database"; broken != strings.Contains(files["missing.txt"], "disk I/O error") || broken == strings.Contains(files["counts.json"], `"messages": 1`) {
				t.Errorf("%s%s", files["missing.txt"], files["counts.json"])
			}
			if name == "while one runs" && !strings.Contains(files["settings.json"], `"role": "coordinator"`) {
				t.Errorf("settings: %s", files["settings.json"])
			}
		})
	}
}

func brokenEngine(context.Context, engineOptions) (Engine, error) {
	return nil, errors.New(`open "planted18": disk I/O error`)
}

// A report overwrites nothing, and goes where it is told to.
func TestReportFile(t *testing.T) {
	h := newHouse(t)
	h.ok("report")
	if r := h.run("report"); r.code != exitFailed || !strings.Contains(r.stderr, "is there already") {
		t.Errorf("a second time: %+v", r)
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	var got struct {
		File string `json:"file"`
		api.Report
	}
	if err := json.Unmarshal([]byte(h.ok("report", "-o", "folder", "--json")), &got); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(got.File); err != nil || info.Size() != int64(got.Size) || info.Mode().Perm() != 0o600 || filepath.Dir(got.File) != filepath.Join(h.work, "folder") {
		t.Errorf("%s: %v %v", got.File, info, err)
	}
	if r := h.run("report", "-o", "nowhere/x.zip"); r.code != exitFailed || !strings.Contains(r.stderr, "--output") {
		t.Errorf("nowhere: %+v", r)
	}
}
