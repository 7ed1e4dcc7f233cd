package claude

import "testing"

// BenchmarkTurn is a whole turn against a client that answers at once: what this package costs, with the pipe, the terminal
// and the fake's own work.
func BenchmarkTurn(b *testing.B) {
	s := open(b, options("echo"))
	m := Message{Text: "hello"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Turn(b.Context(), m, func(Event) {}); err != nil {
			b.Fatal(err)
		}
	}
}
