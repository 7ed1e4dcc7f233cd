//go:build !linux

package app

// sealDescriptors has nothing to do: on macOS the web view is handed bytes, and there are no pipes.
func sealDescriptors() {}
