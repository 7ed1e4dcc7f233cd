package files

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
)

// sniffBytes is how much of a file is looked at to tell what it is. An SVG may
// begin with a long comment, as some programs write it.
const sniffBytes = 64 << 10

// images are the kinds that browsers show, by their first bytes.
// https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm, and
// AVIF as the ISO base media file format has it.
var images = []struct {
	mediaType string
	at        int
	is        string
	begins    string // what the file begins with, where is stands further in
}{
	{"image/png", 0, "\x89PNG\r\n\x1a\n", ""},
	{"image/jpeg", 0, "\xff\xd8\xff", ""},
	{"image/gif", 0, "GIF87a", ""},
	{"image/gif", 0, "GIF89a", ""},
	{"image/webp", 8, "WEBPVP", "RIFF"},
	{"image/avif", 4, "ftypavif", ""},
	{"image/avif", 4, "ftypavis", ""},
	{"image/bmp", 6, "\x00\x00\x00\x00", "BM"}, // two letters alone begin many texts
	{"image/x-icon", 0, "\x00\x00\x01\x00", ""},
}

// svgNamespace is what makes a document's svg an SVG.
const svgNamespace = "http://www.w3.org/2000/svg"

// ImageType returns the media type of an image that browsers show by how its content
// is, "" for all else: as File.Image, for a file that was opened elsewhere. It reads
// the beginning only.
func ImageType(content io.ReaderAt) (string, error) {
	beginning := make([]byte, sniffBytes)
	n, err := content.ReadAt(beginning, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return image(beginning[:n]), nil
}

// image returns the media type of an image by how it begins, "" for all else.
func image(beginning []byte) string {
	for _, known := range images {
		if bytes.HasPrefix(beginning, []byte(known.begins)) && len(beginning) >= known.at && bytes.HasPrefix(beginning[known.at:], []byte(known.is)) {
			return known.mediaType
		}
	}
	if isSVG(beginning) {
		return "image/svg+xml"
	}
	return ""
}

// isSVG says whether a text is XML whose first element is SVG's own. What comes
// before it may be comments and a document type; a text before it, or another
// element, is some other document.
func isSVG(beginning []byte) bool {
	d := xml.NewDecoder(bytes.NewReader(beginning))
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case xml.StartElement:
			return token.Name.Local == "svg" && token.Name.Space == svgNamespace
		case xml.CharData:
			if strings.Trim(string(token), " \t\r\n\ufeff") != "" {
				return false
			}
		}
	}
}

// mediaType returns what a file is by how it begins, without parameters.
func mediaType(beginning []byte) string {
	if known := image(beginning); known != "" {
		return known
	}
	kind, _, _ := strings.Cut(http.DetectContentType(beginning), ";")
	if strings.HasPrefix(kind, "image/") {
		return "application/octet-stream" // it says so of what no browser shows
	}
	return kind
}
