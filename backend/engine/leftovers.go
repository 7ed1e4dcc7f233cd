package engine

import (
	"context"

	"hearth/backend/pty"
)

// endLeftovers ends the processes that a Hearth which died left behind, and
// closes their sessions.
//
// What is left over is known by the instance in its mark. The records of
// processes are not asked: in a copy of a data folder they name the agents of a
// Hearth that may well live. They only say whose process it was.
func (a *agents) endLeftovers(ctx context.Context) error {
	records, err := a.store.Processes(ctx)
	if err != nil {
		return err
	}
	native := make(map[pty.Record]string, len(records))
	for _, r := range records {
		native[r.Record] = r.Native
	}
	ended, err := pty.EndLeftovers(ctx, a.instance)
	if err != nil {
		return err
	}
	for _, r := range ended {
		a.log.Info("ended an agent's process that the last start left behind", "pid", r.PID, "native", native[r])
	}
	for _, r := range records {
		if err := a.store.ForgetProcess(ctx, r.Mark); err != nil {
			return err
		}
	}
	_, err = a.store.EndOpenSessions(ctx, "Hearth ended")
	return err
}
