package run

import (
	"fmt"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// roomForCut is how much of a row is left for the sentence that says what was cut
// off a reply.
const roomForCut = 300

// fit makes what an agent said fit to be a row. It can't be refused as a person's
// message can: nobody would see it. So invalid UTF-8 is repaired, a NUL is shown
// as ␀, and of a reply longer than chat.MaxBody the beginning is kept, with a
// sentence at its end that says how much was cut and where it is.
func fit(reply string) string {
	reply = chat.CleanBody(strings.ReplaceAll(reply, "\x00", "␀"))
	if plain.Length(reply) <= chat.MaxBody {
		return reply
	}
	kept, cut := plain.Cut(reply, chat.MaxBody-roomForCut)
	return fmt.Sprintf("%s\n\n[Hearth cut %d characters off the end of this reply. The transcript of the agent's session has the whole of it; `hearth run` names the session.]", kept, cut)
}
