package guard

import (
	"fmt"
	"strings"
)

// lookGit judges git: -C, --no-pager and the commands below. Its -c sets what can
// run programs, and so does a pager.
func lookGit(args []word) string {
	for len(args) > 0 {
		switch {
		case !args[0].plain():
			return fmt.Sprintf("%q is not known before it runs", args[0].text)
		case args[0].text == "--no-pager" || args[0].text == "-P" || args[0].text == "--no-optional-locks":
			args = args[1:]
		case args[0].text == "-C" && len(args) > 1 && args[1].operand():
			args = args[2:]
		case len(args) == 1 && (args[0].text == "--version" || args[0].text == "-v"):
			return ""
		default:
			return gitLooks.look(args)
		}
	}
	return "it has no command"
}

// Flags that git's commands share.
const (
	gitDiffFlags = `patch no-patch raw patch-with-raw minimal patience histogram diff-algorithm= stat? numstat shortstat dirstat? cumulative summary
		patch-with-stat name-only name-status submodule? color? no-color color-moved? no-color-moved word-diff? word-diff-regex= color-words? no-renames
		rename-empty no-rename-empty check full-index binary abbrev? break-rewrites? find-renames? find-copies? find-copies-harder irreversible-delete
		diff-filter= pickaxe-all pickaxe-regex skip-to= rotate-to= relative? text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space
		ignore-blank-lines inter-hunk-context= function-context exit-code quiet no-ext-diff textconv no-textconv ignore-submodules? src-prefix= dst-prefix=
		no-prefix default-prefix unified= cached staged merge-base cc combined-all-paths`
	gitDiffShort = "psuzabwRMCDBWq"
	gitLogFlags  = gitDiffFlags + ` follow no-decorate decorate? decorate-refs= decorate-refs-exclude= source mailmap no-mailmap log-size max-count= skip= since= after=
		until= before= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges
		no-merges min-parents= max-parents= no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches? tags? remotes? glob= exclude=
		reflog cherry-mark cherry-pick left-only right-only cherry merge left-right boundary simplify-by-decoration show-pulls full-history dense sparse
		simplify-merges ancestry-path? walk-reflogs date-order author-date-order topo-order reverse no-walk? pretty? format= abbrev-commit no-abbrev-commit
		oneline encoding= expand-tabs? no-expand-tabs notes? no-notes relative-date date= parents children show-linear-break? graph no-graph count
		diff-merges= no-diff-merges`
)

// gitLooks are the commands of git that only look, with the flags they may have.
var gitLooks = first{
	"status":      flags{short: "sbvzu", long: "short branch show-stash porcelain? long verbose untracked-files? ignored? ignore-submodules? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?", operands: unlimited}.look,
	"diff":        flags{short: gitDiffShort, valued: "USG", long: gitDiffFlags, operands: unlimited}.look,
	"log":         flags{short: gitDiffShort + "cmtgiEFPr", valued: "nLGSU", long: gitLogFlags, number: true, operands: unlimited}.look,
	"show":        flags{short: gitDiffShort + "cmt", valued: "nL", long: gitLogFlags, number: true, operands: unlimited}.look,
	"whatchanged": flags{short: gitDiffShort + "cmt", valued: "nL", long: gitLogFlags, number: true, operands: unlimited}.look,
	"shortlog":    flags{short: "snec", valued: "", long: "numbered summary email committer group= no-merges merges since= until= author= all", operands: unlimited}.look,
	"reflog":      gitReflog,
	"blame":       flags{short: "bcsltfnpwewkMC", valued: "LS", long: "root show-stats reverse first-parent line-porcelain porcelain incremental show-name show-number show-email color-lines color-by-age date= abbrev= ignore-rev= ignore-revs-file=", operands: unlimited}.look,
	"branch":      gitBranch,
	"tag":         gitTag,
	"remote":      gitRemote,
	"stash": first{
		"list": flags{short: gitDiffShort, valued: "n", long: gitLogFlags, number: true}.look,
		"show": flags{short: gitDiffShort, long: gitDiffFlags + " include-untracked only-untracked", operands: 1}.look,
	}.look,
	"config":       gitConfig,
	"symbolic-ref": flags{short: "q", long: "quiet short no-recurse", operands: 1}.look,
	"worktree":     first{"list": flags{short: "vz", long: "verbose porcelain"}.look}.look,
	"submodule":    first{"status": flags{long: "recursive cached", operands: unlimited}.look, "summary": flags{long: "cached files", operands: unlimited}.look}.look,
	"notes":        first{"list": flags{operands: 1}.look, "show": flags{operands: 1}.look}.look,
	"bisect":       first{"log": flags{}.look}.look,

	"rev-parse": harmless, "rev-list": flags{short: gitDiffShort + "cmt", valued: "n", long: gitLogFlags + " objects disk-usage? timestamp header bisect missing=", number: true, operands: unlimited}.look,
	"ls-files": harmless, "ls-tree": harmless, "describe": flags{long: "all tags contains abbrev= candidates= exact-match debug long match= exclude= always first-parent dirty? broken?", operands: unlimited}.look,
	"show-ref": flags{short: "dsq", long: "heads branches tags head dereference hash? verify quiet", operands: unlimited}.look, "for-each-ref": harmless,
	"merge-base": harmless, "name-rev": harmless, "count-objects": harmless, "check-ignore": harmless, "check-attr": harmless, "check-mailmap": harmless,
	"cherry": harmless, "version": harmless, "var": harmless, "show-branch": harmless,
	"cat-file":   flags{short: "tsep", long: "", operands: unlimited}.look,
	"diff-tree":  flags{short: gitDiffShort + "rtmc", valued: "SG", long: gitDiffFlags + " root no-commit-id pretty? format=", operands: unlimited}.look,
	"diff-index": flags{short: gitDiffShort + "m", valued: "SG", long: gitDiffFlags, operands: unlimited}.look,
	"diff-files": flags{short: gitDiffShort, valued: "SG", long: gitDiffFlags, operands: unlimited}.look,
	"ls-remote":  flags{short: "htq", long: "heads branches tags refs quiet get-url sort= symref", operands: 1, refuse: helper}.look,
	"grep": flags{short: "aiIwvhHEGPFnlLcqWprz", valued: "efmABC", long: `cached untracked no-index ignore-case text invert-match word-regexp extended-regexp basic-regexp
		perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color? no-color break heading
		show-function context= after-context= before-context= function-context max-count= and or not all-match quiet max-depth= recursive no-recursive full-name`, operands: unlimited}.look,
}

// helper refuses addresses of git whose transport is a program of the caller's.
func helper(operand string) string {
	if strings.Contains(operand, "::") {
		return "a transport can run a program"
	}
	return ""
}

// gitBranch lists: with a name and no word that asks for a list it makes one.
func gitBranch(args []word) string {
	operands, why := flags{
		short: "arvl", long: "all remotes verbose list show-current contains? no-contains? merged? no-merged? points-at? sort= format= color? no-color column? no-column abbrev? no-abbrev ignore-case omit-empty",
		operands: unlimited,
	}.split(args)
	return orLists("branch", args, operands, why, "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")
}

// gitTag lists, like gitBranch.
func gitTag(args []word) string {
	operands, why := flags{
		short: "lin", long: "list contains? no-contains? merged? no-merged? points-at? sort= format= color? column? no-column ignore-case omit-empty", operands: unlimited,
	}.split(args)
	return orLists("tag", args, operands, why, "-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")
}

// orLists refuses operands unless a flag among the arguments makes them patterns.
func orLists(what string, args, operands []word, why string, lists ...string) string {
	if why != "" || len(operands) == 0 {
		return why
	}
	for _, a := range args {
		name, _, _ := strings.Cut(a.text, "=")
		for _, list := range lists {
			if name == list && a.plain() {
				return ""
			}
		}
	}
	return fmt.Sprintf("it makes a %s %q", what, operands[0].text)
}

func gitRemote(args []word) string {
	for len(args) > 0 && args[0].plain() && (args[0].text == "-v" || args[0].text == "--verbose") {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	return first{
		"show":    flags{short: "n", operands: unlimited, refuse: helper}.look,
		"get-url": flags{long: "push all", operands: 1}.look,
	}.look(args)
}

func gitReflog(args []word) string {
	shows := flags{short: gitDiffShort, valued: "n", long: gitLogFlags, number: true, operands: unlimited}
	if len(args) == 0 || args[0].plain() && strings.HasPrefix(args[0].text, "-") {
		return shows.look(args)
	}
	return first{"show": shows.look, "list": shows.look, "HEAD": shows.look}.look(args)
}

// gitConfig reads: with a name alone, or with a flag that asks for reading. A
// second operand sets.
func gitConfig(args []word) string {
	if len(args) > 0 && args[0].plain() && (args[0].text == "list" || args[0].text == "get") {
		return flags{short: "z", long: "global system local worktree show-origin show-scope name-only null type= all regexp default= value= fixed-value url=", operands: 1}.look(args[1:])
	}
	operands, why := flags{
		short: "lz", long: "global system local worktree list get get-all get-regexp get-urlmatch show-origin show-scope name-only null type= bool int path default= includes no-includes",
		operands: 2,
	}.split(args)
	if why != "" || len(operands) < 2 {
		if len(operands) == 1 && (operands[0].text == "edit" || operands[0].text == "set" || operands[0].text == "unset") {
			return operands[0].text + " is not known to only look"
		}
		return why
	}
	for _, a := range args {
		if a.plain() && (a.text == "--get" || a.text == "--get-all" || a.text == "--get-regexp" || a.text == "--get-urlmatch") {
			return ""
		}
	}
	return "with a value it sets"
}
