package standin

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// agentFlag makes the test binary the stand-in agent instead.
const agentFlag = "standin-agent"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == agentFlag {
		os.Exit(RunAgent(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	if signal.Ignored(syscall.SIGHUP) {
		// Tests run by nohup: agents must get the signal's default back, as from a terminal.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("os/signal.signal_recv"), goleak.IgnoreTopFunction("os/signal.loop"))
}
