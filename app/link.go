package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearth/backend/desktop"
)

// longestLink bounds what is handed to the browser, in bytes.
const longestLink = 8192

// errNotOpened is the answer to a link that is not for the browser.
var errNotOpened = errors.New("only links that begin with http, https or mailto are opened")

// openable returns a link as it is handed to another program, or errNotOpened. What comes from a page may be anything.
func openable(link string) (string, error) {
	if len(link) > longestLink || !utf8.ValidString(link) ||
		strings.ContainsFunc(link, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "", errNotOpened
	}
	u, err := url.Parse(link)
	if err != nil {
		return "", errNotOpened
	}
	switch u.Scheme { // Parse has lower-cased it
	case "http", "https":
		if u.Host == "" {
			return "", errNotOpened
		}
	case "mailto":
		if u.Opaque == "" {
			return "", errNotOpened
		}
	default:
		return "", errNotOpened
	}
	// It begins with its scheme, so that no program can take it for a flag or for the name of a file.
	return u.String(), nil
}

// browse opens a link with the person's own program for it, in this environment, and does not wait.
//
// It is done here because Wails' own function refuses links that hold brackets, a tilde or a star.
func browse(ctx context.Context, environ []string, link string) error {
	link, err := openable(link)
	if err != nil {
		return err
	}
	if err := desktop.Browse(ctx, environ, link); err != nil {
		return fmt.Errorf("open a link: %w", err)
	}
	return nil
}
