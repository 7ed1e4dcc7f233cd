package sim

import "hearth/backend/delivery"

// strategy is a way of telling an agent about its channel.
type strategy struct {
	// remembers: there is a watermark. If not, each turn shows the newest rows.
	remembers bool
	// without are the rules of Hearth's own that the strategy does not have.
	without delivery.Without
	// briefEveryTurn: the brief is in each turn, not in the framing.
	briefEveryTurn bool
	// replays: a new session is told what was asked and answered before.
	replays bool
	// unstable: a line that changes in each turn stands in front of everything.
	unstable bool
}

// published is the design without what Hearth adds.
var published = delivery.Without{Echo: true, Omitted: true, Quoting: true}

// The strategies.
var (
	window    = strategy{without: published, briefEveryTurn: true}
	watermark = strategy{without: published, briefEveryTurn: true, remembers: true}
	unstable  = strategy{without: published, briefEveryTurn: true, remembers: true, unstable: true}
	hearth    = strategy{remembers: true, replays: true}
)
