//go:build !desktop && !bindings

package app

import (
	"context"
	"fmt"
)

// Built reports whether this build has a window in it.
const Built = false

// Available reports whether this build has a window and there is a display to show it on.
func Available() bool { return false }

// Run answers [ErrNoDisplay]: this build has no window.
func Run(context.Context, Options) error {
	return fmt.Errorf("open the window: this build has none: %w", ErrNoDisplay)
}
