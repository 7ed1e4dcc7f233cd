package chat

import "unicode"

// isInvisible says whether a character shows nothing of its own: it changes how
// others look, or stands where something could. These are the characters with
// Default_Ignorable_Code_Point (how that is derived is said in Unicode's
// DerivedCoreProperties.txt; its parts are in package unicode), the ones that
// annotate a text, and a few that are defined to be blank.
func isInvisible(r rune) bool {
	switch r {
	case '\u2800', // BRAILLE PATTERN BLANK
		'\U00016FE4', // KHITAN SMALL SCRIPT FILLER
		'\U0001D159': // MUSICAL SYMBOL NULL NOTEHEAD
		return true
	}
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return true
	}
	egyptian := '\U00013430' <= r && r <= '\U00013440' // joins hieroglyphs, and is no letter
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && !egyptian
}

// isShown says whether a character can be seen when it stands alone.
func isShown(r rune) bool {
	return !isInvisible(r) && !unicode.IsSpace(r) && !unicode.IsControl(r)
}
