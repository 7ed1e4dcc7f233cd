package api

import (
	"cmp"
	"time"

	"hearth/backend/delivery"
	"hearth/backend/plain"
	"hearth/backend/prompt"
	"hearth/backend/run"
	"hearth/backend/token"
)

// Sent is what a turn was sent and how it was chosen.
type Sent struct {
	Blocks     []Block      `json:"blocks" doc:"What was sent, in order. The framing went in when the process started."`
	Considered []Considered `json:"considered" doc:"The rows that were looked at, oldest first, and what became of each."`
	Omitted    *Omitted     `json:"omitted,omitempty" doc:"Rows that are new and were named instead of shown."`
	Before     *Watermark   `json:"watermark_before,omitempty" doc:"What the native session had been told before."`
	Staged     *Watermark   `json:"watermark_staged,omitempty" doc:"What it has been told once the turn is proven."`
}

// Block is one part of what was sent.
type Block struct {
	Kind       string `json:"kind" enum:"framing,replay,payload,brief,reminder,rows,index,command"`
	Text       string `json:"text"`
	Characters int    `json:"characters" doc:"Unicode scalars."`
	Tokens     int    `json:"tokens" doc:"Of cl100k_base: an estimate for other models."`
}

// Considered is a row that a rendering looked at.
type Considered struct {
	RowID    string `json:"row_id"`
	Corrects bool   `json:"corrects,omitempty" doc:"It is not the row itself but what says that it was edited or deleted."`
	Verdict  string `json:"verdict" enum:"addressed,held,replayed,own,seen,beyond limit,cut,shown,deleted,current"`
}

// Omitted tells of rows that are new but not shown.
type Omitted struct {
	Count  int            `json:"count"`
	Before string         `json:"before" doc:"The row from which the history pages back to them."`
	By     map[string]int `json:"by" doc:"By handle; empty is the owner."`
}

// Watermark is what one native session has been told of one place.
type Watermark struct {
	Native string    `json:"native"`
	LastAt time.Time `json:"last_at,omitzero" doc:"Rows up to here have been told or named."`
	IDs    []string  `json:"ids" doc:"Rows told besides."`
}

// toSent maps what was sent, and counts it.
func toSent(s run.Sent) *Sent {
	out := &Sent{
		Blocks:     each(s.Blocks, toBlock),
		Considered: each(s.Considered, toConsidered),
		Before:     toWatermark(s.Before),
		Staged:     toWatermark(s.Staged),
	}
	if s.Omitted != nil {
		out.Omitted = &Omitted{Count: s.Omitted.Count, Before: s.Omitted.Before, By: map[string]int{}}
		for handle, n := range s.Omitted.By {
			out.Omitted.By[handle] = n
		}
	}
	return out
}

func toBlock(b prompt.Block) Block {
	return Block{Kind: string(b.Kind), Text: b.Text, Characters: plain.Length(b.Text), Tokens: token.Count(b.Text)}
}

func toConsidered(c delivery.Considered) Considered {
	return Considered{RowID: cmp.Or(c.Corrects, c.ID), Corrects: c.Corrects != "", Verdict: string(c.Verdict)}
}

func toWatermark(w *delivery.Watermark) *Watermark {
	if w == nil {
		return nil
	}
	return &Watermark{Native: w.Native, LastAt: utc(w.LastAt), IDs: listed(w.IDs)}
}
