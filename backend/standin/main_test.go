package standin

import (
	"context"
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// agentFlag makes the test binary the stand-in agent instead.
const agentFlag = "standin-agent"

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == agentFlag {
		os.Exit(RunAgent(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}
