package ledger

// Cause is why a cache was read less than it could have been.
type Cause string

// The causes, in the order in which they are asked for; see Causes.
const (
	Expired        Cause = "expired"
	ModelChanged   Cause = "model_changed"
	VersionChanged Cause = "version_changed"
	ToolsChanged   Cause = "tools_changed"
	FramingChanged Cause = "framing_changed"
	Compacted      Cause = "compaction"
	NewProcess     Cause = "new_process"
	KnownMiss      Cause = "known_miss"
	ClientOrAPI    Cause = "client_or_api"
	Unknown        Cause = "unknown"
)

// A CauseInfo is what is to be known of a cause.
type CauseInfo struct {
	Cause Cause
	// Quiet: it is listed with the other figures and is no alarm, because it was to be expected.
	Quiet    bool
	Sentence string // what happened, for people; begins with a capital and ends with a full stop
}

// Causes are all causes, in the order in which they are asked for; the first that holds is the one.
//
// Time comes first: after the life of an entry nothing could have been read whatever else happened. Then the parts of a
// request in the order in which the cache compares them: the model, what the client itself brings (a new version changes
// tools and instructions at once), tools, framing, messages. Then what is no part of the request.
func Causes() []CauseInfo {
	return []CauseInfo{
		{Expired, true, "The agent was asked nothing for longer than the cache keeps things, so it had to read everything anew."},
		{ModelChanged, false, "Another model answered than before, and each model has a cache of its own."},
		{VersionChanged, false, "Claude Code was updated, and its new version sends other instructions and tools."},
		{ToolsChanged, false, "The agent's tools changed. They stand at the very beginning of what is sent, so everything after them had to be read anew."},
		{FramingChanged, false, "What the agent is told at the beginning changed, so everything after it had to be read anew."},
		{Compacted, true, "Claude Code put a summary in the place of the conversation, so there was another conversation to read."},
		{NewProcess, false, "A new process answered, and what it sent was not what the one before had sent."},
		{KnownMiss, true, "This version of Claude Code ends its first request with notes of its own, and what was kept up to there is not found again. It happens once, and nothing here can prevent it."},
		{ClientOrAPI, false, "Nothing changed that Hearth or you decide. Claude Code sent something else than before, or the API did not find what it had kept."},
		{Unknown, false, "Too little is known about the two turns to say why."},
	}
}

// Quiet says whether the cause was to be expected; see CauseInfo.
func (c Cause) Quiet() bool { return c.info().Quiet }

// Sentence is what happened, for people.
func (c Cause) Sentence() string { return c.info().Sentence }

func (c Cause) info() CauseInfo {
	all := Causes()
	for _, info := range all {
		if info.Cause == c {
			return info
		}
	}
	return all[len(all)-1]
}
