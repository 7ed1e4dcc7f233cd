package standin

// Sizes is how long the parts of a request are, in tokens, as the cache counts
// them: together they are its whole input.
type Sizes struct {
	Tools    int `json:"tools"`
	System   int `json:"system"`
	Messages int `json:"messages"`
}

// Sizes measures a request. It costs nothing and is in no book.
func (a *API) Sizes(r Request) Sizes {
	at := r.positions(&a.counter, false)
	upTo := func(blocks int) int {
		if blocks == 0 {
			return 0
		}
		return at[blocks-1].tokens
	}
	tools, system := upTo(len(r.Tools)), upTo(len(r.Tools)+len(r.System))
	return Sizes{Tools: tools, System: system - tools, Messages: upTo(len(at)) - system}
}
