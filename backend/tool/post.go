package tool

import (
	"context"
	"sort"
	"strings"

	"hearth/backend/chat"
)

// post says an interim word and reports whom it reached.
func post(ctx context.Context, b Backend, scope Scope, args arguments) (string, error) {
	body, err := messageText(args, "body")
	if err != nil {
		return "", err
	}
	to, err := recipients(args)
	if err != nil {
		return "", err
	}
	result, err := b.Post(ctx, scope, PostRequest{Body: body, To: to})
	if err != nil {
		return "", err
	}
	return postReport(result), nil
}

// recipients reads the handles in `to`: clean, each once.
func recipients(args arguments) ([]string, error) {
	list, err := args.texts("to")
	if err != nil {
		return nil, err
	}
	var to []string
	seen := map[string]bool{}
	for _, handle := range list {
		handle = chat.CleanHandle(handle)
		if err := chat.CheckHandle(handle); err != nil {
			return nil, chat.Wrap(chat.CodeInvalid, err, "Nothing was posted: to must hold handles of agents, as channel_roster lists them")
		}
		if folded := chat.Fold(handle); !seen[folded] {
			seen[folded] = true
			to = append(to, handle)
		}
	}
	if len(to) > chat.MaxRecipients {
		return nil, chat.Errorf(chat.CodeTooLarge, "Nothing was posted: to can hold %d handles at most; got %d.", chat.MaxRecipients, len(to))
	}
	return to, nil
}

// postReport says who was woken and who was not.
func postReport(r PostResult) string {
	var out strings.Builder
	out.WriteString("Posted, id " + clip(r.RowID, 64) + ".")
	if len(r.Woke) > 0 {
		names := make([]string, len(r.Woke))
		for i, handle := range r.Woke {
			names[i] = at(handle)
		}
		out.WriteString(" Woke " + strings.Join(names, ", ") + ".")
	}
	missed := make([]string, 0, len(r.NotReached))
	for handle := range r.NotReached {
		missed = append(missed, handle)
	}
	sort.Strings(missed)
	for _, handle := range missed {
		out.WriteString(" Not reached: " + at(handle) + " (" + clip(r.NotReached[handle], 300) + ").")
	}
	return out.String()
}

// decline refuses what the turn was asked.
func decline(ctx context.Context, b Backend, scope Scope, args arguments) (string, error) {
	reason, err := messageText(args, "reason")
	if err != nil {
		return "", err
	}
	if err := b.Decline(ctx, scope, reason); err != nil {
		return "", err
	}
	return "Declined: your reason is your reply. End your turn now; nothing else you write will be posted.", nil
}

// messageText reads an argument that becomes a message.
func messageText(args arguments, name string) (string, error) {
	text, err := args.text(name)
	if err != nil {
		return "", err
	}
	if !args.has(name) {
		return "", chat.Errorf(chat.CodeInvalid, "%s is missing; say what to post.", name)
	}
	text = chat.CleanBody(text)
	if err := chat.CheckBody(text); err != nil {
		return "", err
	}
	return text, nil
}
