package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hearth/backend/api"
	"hearth/backend/engine"
	"hearth/backend/plain"
)

func (a *app) reportCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write a report for whoever mends Hearth, without secrets and messages",
		Long: `Write a zip file with what is needed to find out why something does not work: versions, what ` + "`hearth doctor`" + ` finds, counts,
settings, and the last of the log. Tokens, keys, addresses and everything that people or agents wrote are left out. What is
in it is listed first; the files are plain text, so look through them before you hand it on.

It works while a Hearth runs, while none does, and when the database can't be opened.`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.report(cmd.Context(), out) },
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "the file to write, or a folder to write it in (default: this folder)")
	return cmd
}

// made is a report, with its zip file.
type made struct {
	api.Report
	content []byte
}

func (a *app) report(ctx context.Context, out string) error {
	m, err := a.makeReport(ctx)
	if err != nil {
		return err
	}
	path, err := reportPath(out, m.Name)
	if err != nil {
		return err
	}
	a.say("The report holds:")
	for _, f := range m.Files {
		a.say("  %-14s  %9s bytes  %s", f.Name, plain.Grouped(f.Size), f.About)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: move it away, or give another name with --output", path)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w. Give another place with --output", err)
	}
	_, err = file.Write(m.content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write the report: %w", err), os.Remove(path))
	}
	if a.json {
		return a.printValue(struct {
			File string `json:"file"`
			api.Report
		}{path, m.Report})
	}
	a.say("Written to %s (%s bytes). Look through it before you hand it on.", path, plain.Grouped(len(m.content)))
	return nil
}

// reportPath is where a report goes.
func reportPath(out, name string) (string, error) {
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		out = filepath.Join(out, name)
	}
	if out == "" {
		out = name
	}
	return filepath.Abs(out)
}

// makeReport has the Hearth that runs, or one in this process, make a report. Where
// neither can be, it makes one of what there is without.
func (a *app) makeReport(ctx context.Context) (m made, err error) {
	c, err := a.connect(ctx)
	if err != nil {
		return a.reportWithout(ctx, err)
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()
	if _, err := c.post(ctx, "/api/reports", nil, &m.Report); err != nil {
		return made{}, err
	}
	m.content, err = c.get(ctx, at("/api/reports/%s", m.ID), nil)
	return m, err
}

// reportWithout makes a report of a data folder that can't be opened.
func (a *app) reportWithout(ctx context.Context, why error) (made, error) {
	if err := ctx.Err(); err != nil {
		return made{}, err
	}
	dir, err := a.dataDir()
	if err != nil {
		return made{}, err
	}
	reports := engine.NewReports(engine.Options{DataDir: dir, Version: versionText(), Environ: a.environ(), Findings: a.findings, Clock: a.now}, nil, why)
	b, err := reports.Report(ctx)
	if err != nil {
		return made{}, err
	}
	var content bytes.Buffer
	if err := b.Write(&content); err != nil {
		return made{}, err
	}
	return made{api.ToReport("", b, content.Len()), content.Bytes()}, nil
}
