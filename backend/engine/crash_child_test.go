package engine

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"hearth/backend/chat"
)

// crashFlag makes the test binary a Hearth that waits to be killed.
const crashFlag = "crash-child"

// crashChild serves a data folder until it is killed. It prints its address when
// what an earlier one left behind has been ended.
func crashChild(args []string) int {
	ctx := context.Background()
	self, err := os.Executable()
	if err != nil {
		return 2
	}
	var e *Engine
	for range 100 {
		e, err = New(ctx, Options{
			DataDir: args[0], Standin: []string{self, standinFlag}, Workspace: args[2],
			Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + args[1], "SHLVL=1"},
		})
		if chat.CodeOf(err) != chat.CodeConflict {
			break
		}
		// A child that the last Hearth had forked when it was killed holds the
		// lock until it runs a program. Every start waits for that a little.
		time.Sleep(20 * time.Millisecond)
	}
	if err == nil {
		err = e.agents.endLeftovers(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	go func() {
		if err := e.Serve(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	fmt.Println("http://" + listener.Addr().String())
	_ = http.Serve(listener, e.Handler()) //nolint:gosec // a test's own server, on loopback
	return 0
}
