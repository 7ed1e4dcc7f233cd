package store

import (
	"encoding/json"

	"hearth/backend/delivery"
	"hearth/backend/prompt"
	"hearth/backend/run"
)

// The stored form of run.Sent. It has types of its own, so that a name changed
// elsewhere does not make what is stored unreadable.
type (
	storedSent struct {
		Blocks     []storedBlock      `json:"blocks"`
		Considered []storedConsidered `json:"considered,omitempty"`
		Omitted    *storedOmitted     `json:"omitted,omitempty"`
		Before     *storedWatermark   `json:"before,omitempty"`
		Staged     *storedWatermark   `json:"staged,omitempty"`
	}
	storedBlock struct {
		Kind string `json:"kind"`
		Text string `json:"text"`
	}
	storedConsidered struct {
		ID       string `json:"id"`
		Corrects string `json:"corrects,omitempty"`
		Verdict  string `json:"verdict"`
	}
	storedOmitted struct {
		Count  int            `json:"count"`
		Before string         `json:"before"`
		By     map[string]int `json:"by"`
	}
	storedWatermark struct {
		Native string   `json:"native"`
		LastAt int64    `json:"last_at"` // microseconds
		IDs    []string `json:"ids"`
	}
)

func encodeSent(sent run.Sent) (string, error) {
	out := storedSent{Before: storeWatermark(sent.Before), Staged: storeWatermark(sent.Staged)}
	for _, b := range sent.Blocks {
		out.Blocks = append(out.Blocks, storedBlock{Kind: string(b.Kind), Text: b.Text})
	}
	for _, c := range sent.Considered {
		out.Considered = append(out.Considered, storedConsidered{ID: c.ID, Corrects: c.Corrects, Verdict: string(c.Verdict)})
	}
	if o := sent.Omitted; o != nil {
		out.Omitted = &storedOmitted{Count: o.Count, Before: o.Before, By: o.By}
	}
	encoded, err := json.Marshal(out)
	return string(encoded), err
}

func decodeSent(encoded string) (run.Sent, error) {
	var in storedSent
	if err := json.Unmarshal([]byte(encoded), &in); err != nil {
		return run.Sent{}, err
	}
	sent := run.Sent{Before: in.Before.watermark(), Staged: in.Staged.watermark()}
	for _, b := range in.Blocks {
		sent.Blocks = append(sent.Blocks, prompt.Block{Kind: prompt.Kind(b.Kind), Text: b.Text})
	}
	for _, c := range in.Considered {
		sent.Considered = append(sent.Considered, delivery.Considered{ID: c.ID, Corrects: c.Corrects, Verdict: delivery.Verdict(c.Verdict)})
	}
	if o := in.Omitted; o != nil {
		sent.Omitted = &delivery.Omitted{Count: o.Count, Before: o.Before, By: o.By}
	}
	return sent, nil
}

func storeWatermark(w *delivery.Watermark) *storedWatermark {
	if w == nil {
		return nil
	}
	return &storedWatermark{Native: w.Native, LastAt: micros(w.LastAt), IDs: w.IDs}
}

func (w *storedWatermark) watermark() *delivery.Watermark {
	if w == nil {
		return nil
	}
	return &delivery.Watermark{Native: w.Native, LastAt: timeOf(w.LastAt), IDs: w.IDs}
}
