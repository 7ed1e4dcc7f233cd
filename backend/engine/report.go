package engine

import (
	"context"
	"errors"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"strings"

	"hearth/backend/api"
	"hearth/backend/logs"
	"hearth/backend/report"
	"hearth/backend/store"
)

const (
	// textsOf is how many of a channel's newest messages, in threads too, are looked for in
	// what a report tells, and textChannels in how many channels.
	textsOf      = 200
	textBytes    = 8 << 20 // of one channel, at most
	textChannels = 100
	// leastVariable is how long a variable's value is at least to be taken for a secret.
	leastVariable = 6
)

// secretVariable is what variables are called that hold secrets.
var secretVariable = regexp.MustCompile(`(?i)TOKEN|KEY|SECRET|PASS|COOKIE|CREDENTIAL|AUTH|BEARER`)

// Reports makes reports of a Hearth. Of one whose database can't be opened it has
// no store, and tells what there is without.
type Reports struct {
	options Options
	store   *store.Store // nil: there is none
	missing []string
}

var _ api.Reports = (*Reports)(nil)

// NewReports makes reports of the data folder of these options, of which it takes
// DataDir, Environ, Version, Findings and Clock. Without a store, why says what
// became of it.
func NewReports(o Options, s *store.Store, why error) *Reports {
	r := &Reports{options: o.withDefaults(), store: s}
	if why != nil {
		r.missing = append(r.missing, "The database: "+why.Error())
	}
	return r
}

// Report gathers what there is and makes a report of it.
func (r *Reports) Report(ctx context.Context) (report.Bundle, error) {
	o := r.options
	facts := report.Facts{
		At: o.Clock(), Missing: append([]string{}, r.missing...), Counts: map[string]int64{},
		Versions: report.Versions{Hearth: o.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH},
	}
	private := report.Private{DataDir: o.DataDir, Secrets: secretsIn(o.Environ)}
	var err error
	if private.Home, err = os.UserHomeDir(); err != nil {
		facts.Missing = append(facts.Missing, "The home folder: "+err.Error())
	}
	private.Blind = r.store == nil
	if r.store != nil {
		if err := r.read(ctx, &facts, &private); err != nil {
			facts.Missing, private.Blind = append(facts.Missing, "The database: "+err.Error()), true
		}
	}
	if o.Findings != nil {
		facts.Findings = o.Findings(ctx)
	}
	page, err := logs.Folder(o.DataDir).Read(ctx, logs.Query{Limit: report.MaxLines})
	if err != nil {
		facts.Missing = append(facts.Missing, err.Error())
	}
	facts.Lines = page.Lines
	if err := ctx.Err(); err != nil {
		return report.Bundle{}, err
	}
	return report.Make(facts, private)
}

// read gathers what the database knows, and what must not be told of it. What is
// private is gathered even where something else can't be read.
func (r *Reports) read(ctx context.Context, facts *report.Facts, private *report.Private) error {
	counts, schema, err := r.store.Numbers(ctx)
	errs := []error{err}
	if err == nil {
		facts.Counts, facts.Versions.Schema = counts, schema
	}
	channels, err := r.store.Channels(ctx, true)
	errs = append(errs, err)
	for i, c := range channels {
		private.Workspaces = append(private.Workspaces, c.Workspace)
		facts.Channels = append(facts.Channels, report.Channel{
			Direct: c.Direct, Archived: c.Archived(), GitIgnore: string(c.Ignore), SpendLimitUSD: c.SpendLimit,
		})
		bindings, err := r.store.Bindings(ctx, c.ID)
		errs = append(errs, err)
		for _, b := range bindings {
			private.Secrets = append(private.Secrets, b.Token, b.BaseURL)
			private.Secrets = append(private.Secrets, userOf(b.BaseURL)...)
			facts.Agents = append(facts.Agents, report.Agent{
				Channel: i + 1, Runtime: string(b.Runtime), Model: b.Model, PermissionMode: b.PermissionMode, Supervised: b.Supervised,
				Resident: b.Resident, OwnAPI: b.BaseURL != "", BriefEveryTurn: b.BriefEveryTurn, Role: string(b.Role), Glance: b.Glance,
				Hands: len(b.Hands), Workers: len(b.Workers), SpillOver: b.SpillOver,
			})
		}
		if i >= textChannels {
			continue
		}
		rows, _, err := r.store.History(ctx, c.ID, textsOf, textBytes)
		errs = append(errs, err)
		for _, row := range rows {
			private.Texts = append(private.Texts, row.Body)
		}
		private.Texts = append(private.Texts, c.Topic, c.Name)
	}
	return errors.Join(errs...)
}

// secretsIn are the values of variables that are called like secrets, and the
// credentials in those that are addresses.
func secretsIn(environ []string) []string {
	var out []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) >= leastVariable && secretVariable.MatchString(name) {
			out = append(out, value)
		}
		out = append(out, userOf(value)...)
	}
	return out
}

// userOf is who an address is called as, and with which password.
func userOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return nil
	}
	password, _ := u.User.Password()
	return []string{password, u.User.String()}
}
