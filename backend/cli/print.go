package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"hearth/backend/plain"
)

// printJSON prints JSON indented. HTML is not escaped: it goes to no page.
func (a *app) printJSON(raw []byte) error {
	var out bytes.Buffer
	if err := json.Indent(&out, bytes.TrimSpace(raw), "", "  "); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	out.WriteByte('\n')
	_, err := a.stdout.Write(out.Bytes())
	return err
}

// printValue prints something of our own as JSON.
func (a *app) printValue(v any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return a.printJSON(text.Bytes())
}

// result prints what the API answered, or with show what it means.
func (a *app) result(raw []byte, show func()) error {
	if a.json {
		return a.printJSON(raw)
	}
	show()
	return nil
}

// table prints rows under a header, each column as wide as its widest cell. Every
// cell is made visible first: none can break the line it stands in.
func (a *app) table(header []string, rows [][]string) {
	table := append([][]string{header}, rows...)
	widths := make([]int, len(header))
	for _, row := range table {
		for i, cell := range row {
			row[i] = plain.Inline(cell)
			widths[i] = max(widths[i], uniseg.StringWidth(row[i]))
		}
	}
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2))
			}
		}
		fmt.Fprintln(a.stdout, strings.TrimRight(line.String(), " "))
	}
}

// widest is how many columns a name may take in a table.
const widest = 30

// named cuts a name that would make a table too wide. It is whole in JSON.
func named(name string) string {
	if uniseg.StringWidth(name) <= widest {
		return name
	}
	kept := ""
	for clusters := uniseg.NewGraphemes(name); clusters.Next(); {
		if uniseg.StringWidth(kept+clusters.Str()) > widest-1 {
			break
		}
		kept += clusters.Str()
	}
	return kept + "…"
}

// indented prints a text of many lines, each behind an indent that no line of it
// can leave.
func indented(w io.Writer, text, indent string) {
	for line := range strings.SplitSeq(visible(text), "\n") {
		fmt.Fprintln(w, strings.TrimRight(indent+line, " "))
	}
}

// when is a moment as a person reads it, in their own time zone.
func (a *app) when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.In(a.location).Format("2006-01-02 15:04:05")
}

// took is a length of time, short.
func took(d time.Duration) string {
	switch {
	case d < 0:
		return "-"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// dash stands where there is nothing.
func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
