# Shared by the scripts in this folder; sourced, never run.
# Sets: root (the clone), cache (what survives a clone: Go, Node, tools, Claude Code), the versions, and PATH.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hearth
. "$root/build/versions"
PATH=$cache/go/$GO_VERSION/bin:$cache/node/$NODE_VERSION/bin:$PATH:/usr/local/go/bin
export PATH

# Everything but the window and the race detector is built without C, so that no compiler is needed.
export CGO_ENABLED=${CGO_ENABLED:-0}

say() { printf 'hearth: %s\n' "$*" >&2; }
die() {
	say "$@"
	exit 1
}

# go_minor prints the minor version of the go on PATH (26 for go1.26.8), 0 when there is none.
# GOTOOLCHAIN=local: the question is what is installed, not what it could fetch.
go_minor() {
	local v
	v=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null) || v=
	v=${v#go1.}
	v=${v%%[!0-9]*}
	echo "${v:-0}"
}

# go_wanted prints the minor version that go.mod asks for.
go_wanted() { awk '$1 == "go" { split($2, v, "."); print v[2]; exit }' "$root/go.mod"; }

# has_node says whether the node on PATH can build the page: 20.19 and later, 22.12 and later, not 21 (frontend/package.json).
has_node() {
	local v major minor
	v=$(node --version 2>/dev/null) || return 1
	v=${v#v}
	major=${v%%.*}
	minor=${v#*.}
	minor=${minor%%.*}
	case $major in
	20) [ "$minor" -ge 19 ] ;;
	22) [ "$minor" -ge 12 ] ;;
	*) [ "$major" -gt 22 ] ;;
	esac
}
