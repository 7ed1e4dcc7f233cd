package engine

import (
	"testing"

	"hearth/backend/resident"
)

// Only who had to make room is evicted.
func TestPhaseOfWhatEnded(t *testing.T) {
	for reason, want := range map[string]resident.Phase{
		resident.ReasonPlace + "b": resident.PhaseEvicted, resident.ReasonIdle: resident.PhaseCold, resident.ReasonChanged: resident.PhaseCold,
		resident.ReasonAfresh: resident.PhaseCold, "it starts fresh": resident.PhaseCold,
	} {
		if got := phaseOf(resident.State{Phase: resident.PhaseEvicted, Reason: reason}); got != want {
			t.Errorf("%q: %q, not %q", reason, got, want)
		}
	}
	if got := phaseOf(resident.State{Phase: resident.PhaseCrashed, Reason: resident.ReasonIdle}); got != resident.PhaseCrashed {
		t.Errorf("%q", got)
	}
}
