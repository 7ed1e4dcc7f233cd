// Package standin stands in for what is not there: a model, and the client that
// talks to it. Neither half thinks; both say so.
//
// # The API
//
// [API] is a Messages API on loopback for the real Claude Code to talk to. It
// serves tests, the rehearsal and demos.
//
//   - A script says what the model answers: rules ([API.When], [API.Once]) come first,
//     then the queue ([API.Then]), then [Options].Script. A reply is data ([Reply]):
//     text, calls of tools, thinking, errors, stalls, cuts, or a great deal of text.
//   - The main thread is the session's own; a subagent's requests carry an agent id
//     and have a queue of their own; a side request is one the client makes for
//     itself (a title, a check of a model's name), is answered sensibly and takes
//     nothing from a queue.
//   - The book ([API.Book]) keeps each request to the byte, with what was answered
//     and what it cost.
//   - Usage follows the documented rules of the prompt cache (see cache.go), so
//     that what the client reports of it can be reasoned about.
//
// What it promises: the same requests at the same times cost the same; a request
// is in the book before it is answered; everything it keeps has a bound.
//
// What real clients do, seen with 2.1.197 and 2.1.332, that a script has to know:
// 429 and 5xx are retried as often as CLAUDE_CODE_MAX_RETRIES says (each retry takes the next
// reply of the queue); 2.1.332 repeats a request that got a 400 up to five times, with
// fewer beta features each time, so the API gives the same messages the same
// refusal again without touching the queue; a stream that breaks or ends in an error event is
// asked for again, with or without streaming; a failed turn's text comes again in the next
// request, so a rule that looks for it matches once more.
//
// # The agent
//
// [RunAgent] is a program that speaks stream-json as `claude -p --input-format
// stream-json --output-format stream-json --verbose` does, for machines without
// Claude Code, for tests and for demos. It takes the same flags and ignores those
// it does not know. It answers initialize, interrupt, set_model, set_permission_mode,
// apply_flag_settings (and takes permissions.allow of it), mcp_status and
// get_context_usage; connects to the in-process MCP servers of --mcp-config; calls the
// hooks that initialize told of (PreToolUse, PostToolUse, PostToolUseFailure) and does
// as they say; asks for permission with can_use_tool; keeps a transcript in the client's shape and
// place, and with --resume remembers by it. It ends with 0 when its input is closed
// (1 after a turn that failed, as the client does), when the turn it is at is over.
//
// It answers with what it was told: the temperature it can see, the rows that
// came along, the words of the message; in the first answer of a session also with
// what there is to try. A message that is nothing but one of a few plain words (help,
// slow, fail, ask for permission, who is here, history) drives it, and so do lines
// that start with a slash (after mentions):
//
//	/help                what it can do
//	/stream N            stream N words
//	/slow N              take N seconds first, interruptibly
//	/count N             count to N, a number a second (what "slow" means, to 20)
//	/stumble             fail, and answer the next time (what "fail" means)
//	/tool NAME {json}    call a tool of a channel server
//	/history [N]         call channel_history
//	/roster              call channel_roster
//	/activity            call project_activity
//	/post TEXT           call channel_post
//	/decline REASON      call channel_decline
//	/ask COMMAND         ask for permission to run COMMAND; it is not run
//	/bash COMMAND        run COMMAND in the workspace, if that is allowed: as the client does,
//	                     behind CLAUDE_CODE_SHELL_PREFIX, two minutes at most
//	/write FILE TEXT     write TEXT into FILE (\n begins a line), if that is allowed
//	/edit FILE OLD => NEW  change FILE, if that is allowed
//	/long N              pretend a command that prints N lines, which needs no permission
//	/worker [NAME] TEXT  pretend a subagent that does the commands in TEXT and reports; NAME
//	                     is one that initialize told of
//	/background N        start a background task that ends after N seconds, which makes
//	                     it take a turn nobody asked for
//	/remember X          remember X
//	/recall              say what it remembers
//	/fail                end the turn with an error
//	/crash               die at once, with a line on stderr
//
// Its usage is an estimate, four bytes a token, and its cost is 0.
//
// With [DemoFlag], which Hearth gives it and tests do not, it is a demo: it pauses 20 ms
// after each word, and before its first answer in a session it calls channel_roster
// and channel_history, so that there are steps to look at. STANDIN_AGENT_PACE sets
// the pause, in milliseconds, with or without the flag; 0 is none.
//
// STANDIN_AGENT_MODE makes it hostile, for tests of whoever talks to it; several
// modes are separated by commas:
//
//	hang          stop in the middle of a turn, answer nothing any more, outlive the end of input
//	garbage       lines that are no JSON, unknown types and stray bytes between the real lines
//	flood[=N]     N stream events (100,000) in every turn, as fast as they go
//	die-mid-line  end in the middle of a line of the first turn
//	bigline=BYTES a reply of that many bytes, in one line
//	split-utf8    write every line in pieces that end inside characters
//	no-init       neither answer initialize nor say system/init
//	silent-stdin  never read its input
package standin
