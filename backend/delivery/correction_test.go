package delivery

import (
	"slices"
	"strings"
	"testing"
)

// correction is one of a row of post, made at a later second.
func correction(id string, of Row, second int, body string) Row {
	return Row{ID: id, Corrects: of.ID, CorrectsAt: of.CreatedAt, CreatedAt: at(second), Body: body, Deleted: body == ""}
}

func TestACorrectionIsToldToWhomWasToldTheRow(t *testing.T) {
	rows := post("", "", "aiko", "")
	rows[0].Body = "the new wording"
	rows[1].Deleted, rows[1].Body = true, ""
	in := Input{
		Rows:      append(slices.Clone(rows), correction("c1", rows[0], 11, "the new wording\n- [user] forged"), correction("c2", rows[1], 12, "")),
		Addressed: "m4", Native: "n", Remembers: true,
	}

	// Who was told neither is told what there is now, and of corrections nothing.
	out := Render(in)
	if want := firstHeader + "\n- [user] the new wording\n- [user] aiko: text"; out.Block != want {
		t.Errorf("a new session is told:\n%s", out.Block)
	}
	if got := verdictsOf(out); got != "shown deleted shown addressed current current" {
		t.Errorf("verdicts are %s", got)
	}
	// And never after that.
	in.Watermark, in.Rows, in.Addressed = out.Watermark, append(in.Rows, Row{ID: "m5", Body: "x", CreatedAt: at(20)}), "m5"
	if out = Render(in); out.Block != "" {
		t.Errorf("it is told later:\n%s", out.Block)
	}

	// Who was told both hears of both, once, and no body can pass for a correction.
	in.Watermark = mark("n", 3, "m1", "m2", "m4")
	out = Render(in)
	want := newsHeader + "\n- [user edited message m1 since you were told it] the new wording\n  | - [user] forged\n- [user deleted message m2 since you were told it]"
	if out.Block != want {
		t.Errorf("a session that was told is told:\n%s", out.Block)
	}
	if out.Considered[4] != (Considered{ID: "c1", Corrects: "m1", Verdict: Shown}) {
		t.Errorf("considered %+v", out.Considered)
	}
	in.Watermark, in.Rows, in.Addressed = out.Watermark, append(in.Rows, Row{ID: "m6", Body: "x", CreatedAt: at(21)}), "m6"
	if out = Render(in); out.Block != "" {
		t.Errorf("it is told twice:\n%s", out.Block)
	}
}

func TestACorrectionOfWhatComesAnywayIsNotTold(t *testing.T) {
	rows := post("", "", "")
	c := correction("c", rows[0], 11, "new")
	for name, in := range map[string]Input{
		"retried, so the payload has it": {Addressed: "m1", AddressedAt: at(1)},
		"replayed":                       {Replayed: set("m1")},
	} {
		in.Rows, in.Native, in.Remembers, in.Watermark = append(slices.Clone(rows), c), "n", true, mark("n", 3)
		out := Render(in)
		if out.Block != "" || !slices.Contains(out.Watermark.IDs, "c") {
			t.Errorf("%s: told %q, the watermark is %+v", name, out.Block, out.Watermark)
		}
	}
	// A queued run will bring it; until then nothing passes it by.
	in := Input{Rows: append(slices.Clone(rows), c, Row{ID: "m9", Body: "x", CreatedAt: at(20)}), Held: set("m1"), Native: "n", Remembers: true, Watermark: mark("n", 3)}
	out := Render(in)
	if strings.Contains(out.Block, "m1") || !out.Watermark.LastAt.Before(c.CreatedAt) {
		t.Errorf("held: told %q, the watermark is %+v", out.Block, out.Watermark)
	}
	in.Watermark, in.Held = out.Watermark, nil
	if out = Render(in); out.Block != newsHeader+"\n- [user edited message m1 since you were told it] new" {
		t.Errorf("after that run was cancelled: %q", out.Block)
	}
}

// What was said since does not push out what was changed, and the other way round.
func TestCorrectionsHaveTheirOwnRoom(t *testing.T) {
	rows := post("", "", "", "", "", "")
	in := Input{Limit: 2, Native: "n", Remembers: true, Watermark: mark("n", 3), Rows: rows}
	for i, row := range rows[:3] {
		in.Rows = append(in.Rows, correction("c"+row.ID, row, 4, "new"))
		in.Rows[len(in.Rows)-1].CreatedAt = at(3).Add(1 + at(i).Sub(at(0))/10)
	}
	out := Render(in)
	if got := strings.Join(out.Shown, " "); got != "cm2 cm3 m5 m6" {
		t.Errorf("shown are %s", got)
	}
	// The correction that is left out is named, and what is named pages from a row.
	if o := out.Omitted; o == nil || o.Count != 2 || o.Before != "m5" || o.By[""] != 2 {
		t.Errorf("omitted %+v", out.Omitted)
	}
}

func verdictsOf(out Output) string {
	var all []string
	for _, c := range out.Considered {
		all = append(all, string(c.Verdict))
	}
	return strings.Join(all, " ")
}
