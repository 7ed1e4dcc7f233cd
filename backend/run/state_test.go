package run

import "testing"

func TestARunMovesOnlyAlongItsStateMachine(t *testing.T) {
	all := []State{Queued, Waiting, Running, Succeeded, Declined, Failed, Stopped}
	allowed := map[[2]State]bool{
		{Queued, Waiting}: true, {Queued, Running}: true, {Queued, Stopped}: true, {Queued, Failed}: true,
		{Waiting, Queued}: true, {Waiting, Running}: true, {Waiting, Stopped}: true, {Waiting, Failed}: true,
		{Running, Succeeded}: true, {Running, Declined}: true, {Running, Failed}: true, {Running, Stopped}: true,
	}
	for _, from := range all {
		for _, to := range all {
			if err := CheckMove(from, to); (err == nil) != allowed[[2]State{from, to}] {
				t.Errorf("CheckMove(%s, %s) = %v", from, to, err)
			}
		}
	}
	for _, s := range all {
		if want := s == Succeeded || s == Declined || s == Failed || s == Stopped; s.Ended() != want {
			t.Errorf("%s.Ended() = %t", s, s.Ended())
		}
	}
}
