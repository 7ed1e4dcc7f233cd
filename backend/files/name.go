package files

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"hearth/backend/plain"
)

const (
	// maxName is how many bytes of UTF-8 a name has at most: what Linux and macOS
	// take.
	maxName = 255
	// numberRoom is kept free of them for what numbered adds.
	numberRoom = 8
	// maxExtension is how many bytes of a name, from the last dot, are kept as its
	// extension when the rest is cut.
	maxExtension = 16
	// nameless is what a file is called of whose name nothing is left.
	nameless = "file"
)

// SafeName makes a file's name out of any text, such as what a browser says a
// dropped file is called. What counts is the part behind the last slash or
// backslash. Letters, marks, digits and symbols of every script stay, composed
// (NFC); of ASCII also . _ + = and -. Everything else, white space included,
// becomes -, several become one; what can't be seen goes, but for what chooses how
// the character before it is drawn. The name begins with
// neither a dot nor a dash, ends in neither, is none of Windows' devices, and has at most 255
// bytes, cut between characters as people see them, with its extension kept.
// A safe name is its own safe name.
func SafeName(name string) string {
	if at := strings.LastIndexAny(name, `/\`); at >= 0 {
		name = name[at+1:]
	}
	name = fit(trim(clean(name)))
	if name == "" {
		return nameless
	}
	stem, _, _ := strings.Cut(name, ".")
	if devices[strings.ToUpper(stem)] {
		return "_" + name
	}
	return name
}

// devices are the names that Windows keeps for itself, whatever the extension.
var devices = func() map[string]bool {
	names := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true}
	for _, digit := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"} {
		names["COM"+digit], names["LPT"+digit] = true, true
	}
	return names
}()

// clean replaces each character that can't stay.
func clean(name string) string {
	var out strings.Builder
	// Whether what stands before is something that can be joined, or drawn in
	// another way: each at most once, because more of them show nothing.
	joinable, drawable := false, false
	for _, r := range norm.NFC.String(strings.ToValidUTF8(name, "-")) {
		switch {
		case joins(r):
			if joinable {
				out.WriteRune(r)
			}
			joinable, drawable = false, false
		case unicode.Is(unicode.Variation_Selector, r):
			if drawable {
				out.WriteRune(r)
			}
			drawable = false
		case stays(r):
			out.WriteRune(r)
			joinable = r > unicode.MaxASCII
			drawable = joinable
		case plain.Hidden(r) && r != '\t' && r != '\n' && r != '\r', unseen(r):
			// It shows nothing, and is not missed.
		default:
			if s := out.String(); s == "" || s[len(s)-1] != '-' {
				out.WriteByte('-')
			}
			joinable, drawable = false, false
		}
	}
	return norm.NFC.String(out.String()) // what went may have stood between a letter and its mark
}

// stays says whether a character may stand in a name.
func stays(r rune) bool {
	switch {
	case r <= unicode.MaxASCII:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._+=", r)
	case r == '＠', r == '﹫': // the wide and the small one: it would be, or look like, a mention
		return false
	case plain.Hidden(r), unseen(r), r == unicode.ReplacementChar:
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S, unicode.P)
}

// unseen says whether a character shows nothing, though it may be a letter, a
// mark or a symbol to Unicode: the default ignorable ones (Hangul fillers among
// them) and the formats, and those that are defined to be blank. Variation
// selectors and joiners are of these, too: see clean.
func unseen(r rune) bool {
	switch r {
	case '\u2800', // BRAILLE PATTERN BLANK
		'\U00013441', '\U00013442', // EGYPTIAN HIEROGLYPH FULL BLANK and HALF BLANK
		'\U00016FE4', // KHITAN SMALL SCRIPT FILLER
		'\U0001D159': // MUSICAL SYMBOL NULL NOTEHEAD
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// joins says whether a character changes how its neighbours are drawn: in emoji
// and in the scripts of India and Persia it belongs to the spelling.
func joins(r rune) bool { return r == '\u200c' || r == '\u200d' }

// trim takes off the ends what a name must not begin or end with.
func trim(name string) string {
	return strings.TrimRight(strings.TrimLeft(name, ".-\u200c\u200d"), ".-\u200c\u200d")
}

// fit cuts a name that is too long, between characters as people see them.
func fit(name string) string {
	const most = maxName - numberRoom
	if len(name) <= most {
		return name
	}
	stem, extension := split(name)
	return trim(cut(stem, most-len(extension))) + extension
}

// split parts a name before its extension, which is "" when there is none worth
// keeping.
func split(name string) (stem, extension string) {
	at := strings.LastIndexByte(name, '.')
	if at <= 0 || len(name)-at > maxExtension {
		return name, ""
	}
	return name[:at], name[at:]
}

// cut keeps as many whole characters as fit. One that is longer than that by
// itself (a letter under a tower of marks) is cut between its code points.
func cut(text string, most int) string {
	kept, state := 0, -1
	for rest := text; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if kept+len(cluster) > most {
			break
		}
		kept += len(cluster)
	}
	if kept == 0 {
		for at, r := range text {
			if at+utf8.RuneLen(r) > most {
				break
			}
			kept = at + utf8.RuneLen(r)
		}
	}
	return text[:kept]
}

// numbered is the nth name to try: the name itself, then with -2, -3, … before
// its extension.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	stem, extension := split(name)
	return stem + "-" + strconv.Itoa(n) + extension
}
