package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"hearth/backend/chat"
)

// Compare gives figures back that say what it was asked.
func (f *fake) Compare(ctx context.Context, c chat.Channel, b chat.Binding, o CompareOptions) (Strategies, error) {
	unlock, err := f.at("Compare")
	defer unlock()
	if f.played != nil {
		f.played <- ctx
		<-ctx.Done()
		return Strategies{}, ctx.Err()
	}
	cost := func(n int64) StrategyCosts {
		return StrategyCosts{
			InputTokens: 100 * n, CacheableTokens: 90 * n, CacheableRatio: 0.9, UncachedPerWarmTurn: 5.5, ContextTokens: 40, AlreadySeenTokens: 7,
			RowsSent: 6, RowsNeverShown: 3, RowsNamed: 2,
		}
	}
	return Strategies{
		Channel: StrategyChannel{Name: c.Name, Agent: b.Handle, Rows: o.Rows, Mentions: 2, People: 1, Agents: 1, LongRows: 1, Gaps: StrategyGaps{Min: 1, Median: 1.5, Max: 2}, Older: o.Rows > 20_000},
		Limit:   o.Limit, EvictAt: o.EvictAt, PrefixTokens: 2120, BriefTokens: 470,
		Strategies: StrategySet{Window: cost(4), Watermark: cost(3), Unstable: cost(5), Hearth: cost(1)},
	}, err
}

// Who hangs up ends it.
func TestComparingEndsWithItsCaller(t *testing.T) {
	h := newHouse(t)
	h.furnish(t)
	h.played = make(chan context.Context)
	ctx, cancel := context.WithCancel(t.Context())
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/channels/c1/strategies?binding=b2", nil)
		r.RemoteAddr, r.Host = "127.0.0.1:50000", "127.0.0.1:4321"
		h.handler.ServeHTTP(w, r)
	}()
	inner := <-h.played
	cancel()
	<-inner.Done()
	<-done
	if p := (answer{w.Code, w.Result().Header, w.Body.String()}).problem(t); p.Status != http.StatusServiceUnavailable {
		t.Errorf("%+v", p)
	}
}
