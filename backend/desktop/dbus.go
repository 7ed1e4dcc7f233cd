package desktop

import (
	"context"
	"errors"
	"net/url"

	"github.com/godbus/dbus/v5"
)

// showItem asks the file manager to show a file in its folder.
func showItem(ctx context.Context, address, path string) error {
	if address == "" {
		return errors.New("there is no session bus")
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer bus.Close() //nolint:errcheck // it has answered
	manager := bus.Object("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1")
	uri := (&url.URL{Scheme: "file", Path: path}).String()
	return manager.CallWithContext(ctx, "org.freedesktop.FileManager1.ShowItems", 0, []string{uri}, "").Err
}
