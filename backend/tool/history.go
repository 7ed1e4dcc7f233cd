package tool

import (
	"context"
	"fmt"
	"strings"

	"hearth/backend/chat"
	"hearth/backend/plain"
)

// How many rows channel_history shows. Fixed: the numbers stand in its schema.
const (
	DefaultLimit = 30
	MaxLimit     = 100
)

// margin is what an answer keeps for our own lines around the bodies.
const margin = 1_000

// history pages through a place, or shows one message in parts.
func history(ctx context.Context, b Backend, scope Scope, args arguments) (string, error) {
	q, err := historyQuery(args)
	if err != nil {
		return "", err
	}
	if args.has("row_id") {
		return message(ctx, b, scope, args)
	}
	if args.has("offset") {
		return "", chat.Errorf(chat.CodeInvalid, "offset goes with row_id; to page back, use before.")
	}
	page, err := b.History(ctx, scope, q)
	if err != nil {
		return "", err
	}
	rows := page.Rows[max(0, len(page.Rows)-q.Limit):]
	more := page.More || len(rows) < len(page.Rows)
	if q.ThreadRootID != "" && !more {
		// Who pages a thread back to its beginning finds there what began it; when
		// the page is full, on one of its own.
		if len(rows) == q.Limit {
			more = true
		} else if q.Before != q.ThreadRootID {
			root, err := messageOf(ctx, b, scope, q.ThreadRootID)
			if err != nil {
				return "", err
			}
			rows = append([]Row{root}, rows...)
		}
	}
	return historyText(q, rows, more), nil
}

func historyQuery(args arguments) (q HistoryQuery, err error) {
	if q.Before, err = args.rowID("before"); err != nil {
		return q, err
	}
	if q.ThreadRootID, err = args.rowID("thread_root_id"); err != nil {
		return q, err
	}
	q.Limit, err = args.number("limit", 1, MaxLimit, DefaultLimit)
	return q, err
}

// historyText shows as many of the newest rows as fit into one answer.
func historyText(q HistoryQuery, rows []Row, more bool) string {
	place := "this channel"
	if q.ThreadRootID != "" {
		place = "the thread " + q.ThreadRootID
	}
	if len(rows) == 0 {
		if q.Before != "" {
			return "There is nothing older in " + place + "."
		}
		return "There are no messages in " + place + "."
	}
	room := maxAnswer - margin
	first := len(rows) // the oldest row that is shown
	var blocks []string
	for first > 0 {
		row := rows[first-1]
		block := rowHead(row) + plain.Body(row.Body) + "\n"
		if plain.Length(block) > room {
			if first == len(rows) { // alone too long: its beginning, or paging would never pass it
				blocks = append(blocks, beginning(row, room))
				first--
			}
			break
		}
		room -= plain.Length(block)
		blocks = append(blocks, block)
		first--
	}

	var out strings.Builder
	fmt.Fprintf(&out, "Messages of %s, oldest first (%s):\n", place, untrusted)
	for i := len(blocks) - 1; i >= 0; i-- {
		out.WriteString(blocks[i])
	}
	if first > 0 {
		fmt.Fprintf(&out, "[Only the newest %d of %d fit into one answer.]\n", len(rows)-first, len(rows))
	}
	if first > 0 || more {
		fmt.Fprintf(&out, "[There are older messages: call channel_history with before %s%s.]", rows[first].ID, andThread(q))
	} else {
		out.WriteString("[Nothing is older.]")
	}
	return out.String()
}

func andThread(q HistoryQuery) string {
	if q.ThreadRootID == "" {
		return ""
	}
	return " and thread_root_id " + q.ThreadRootID
}

// beginning shows the start of a body that is too long for one answer.
func beginning(row Row, room int) string {
	part, shown, left := bodyPart(row.Body, 0, room-margin)
	return fmt.Sprintf("%s%s\n  [%s: call channel_history with row_id %s and offset %d]\n", rowHead(row), part, count(left, "more character"), row.ID, shown)
}

// message shows one message from an offset on.
func message(ctx context.Context, b Backend, scope Scope, args arguments) (string, error) {
	for _, name := range []string{"before", "thread_root_id", "limit"} {
		if args.has(name) {
			return "", chat.Errorf(chat.CodeInvalid, "row_id reads one message and goes with offset only; leave %s out.", name)
		}
	}
	id, err := args.rowID("row_id")
	if err != nil {
		return "", err
	}
	offset, err := args.number("offset", 0, chat.MaxBody, 0)
	if err != nil {
		return "", err
	}
	row, err := messageOf(ctx, b, scope, id)
	if err != nil {
		return "", err
	}
	total := plain.Length(row.Body)
	if offset > 0 && offset >= total {
		return "", chat.Errorf(chat.CodeInvalid, "offset %d is past the end: the message has %s, and the first has number 0.", offset, count(total, "character"))
	}
	part, shown, left := bodyPart(row.Body, offset, maxAnswer-2*margin)
	var out strings.Builder
	fmt.Fprintf(&out, "One message, characters %d to %d of %d (%s):\n", offset, offset+shown, total, untrusted)
	out.WriteString(rowHead(row) + part + "\n")
	if left > 0 {
		fmt.Fprintf(&out, "[%s: call channel_history with row_id %s and offset %d.]", count(left, "more character"), row.ID, offset+shown)
	} else {
		out.WriteString("[That is its end.]")
	}
	return out.String(), nil
}

// messageOf returns one row of the scope's channel. The id comes from an agent,
// so that it belongs here is checked twice: by the backend, and here.
func messageOf(ctx context.Context, b Backend, scope Scope, id string) (Row, error) {
	row, err := b.Message(ctx, scope, id)
	if err == nil && row.ChannelID != scope.ChannelID {
		err = chat.Errorf(chat.CodeNotFound, "There is no message %s in this channel; take ids from channel_history.", id)
	}
	return row, err
}

// bodyPart renders a body from a character on, as far as room allows, and says
// how many characters of the body it shows and how many are left. At least one
// is shown.
func bodyPart(body string, offset, room int) (text string, shown, left int) {
	runes := []rune(plain.Repair(body))[offset:]
	rest := string(runes)
	for n := min(len(runes), room); ; {
		kept, cut := plain.Cut(rest, n)
		text = plain.Body(kept)
		// What is made visible grows, eightfold at the worst; shrinking by the
		// overshoot reaches the room in a few rounds.
		size := plain.Length(text)
		if size <= room || n <= 1 {
			return text, len(runes) - cut, cut
		}
		n = max(1, min(n-1, n*room/size))
	}
}

// rowHead is what stands before a body: who, which row, when. A body can't
// contain it at the start of a line.
func rowHead(r Row) string {
	kind, who := "user", ""
	switch {
	case r.Kind == chat.KindAgent:
		kind, who = "agent", " "+at(r.Handle)
	case r.Handle != "":
		who = " " + name(r.Handle)
	}
	about := "id " + clip(r.ID, 64) + ", " + clock(r.CreatedAt)
	if r.Note != chat.NoteNone {
		about += ", " + clip(string(r.Note), 40)
	}
	switch {
	case r.Deleted():
		about += ", deleted at " + clock(r.DeletedAt)
	case !r.EditedAt.IsZero():
		about += ", edited at " + clock(r.EditedAt)
	}
	if r.Replies > 0 {
		about += ", thread with " + replies(r.Replies)
	}
	return fmt.Sprintf("- [%s]%s (%s): ", kind, who, about)
}

func replies(n int) string {
	if n == 1 {
		return "1 reply"
	}
	return fmt.Sprintf("%d replies", n)
}
