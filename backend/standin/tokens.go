package standin

import "hearth/backend/token"

// defaultCounter counts by cl100k_base.
func defaultCounter(text string) int { return token.Count(text) }
