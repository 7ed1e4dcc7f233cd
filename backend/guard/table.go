package guard

import (
	"strings"
	"sync"
)

// looks are the commands that can only look, with what their flags may be.
//
// The flags are those of the GNU, BSD and macOS manuals that neither write, nor
// run anything, nor change the machine. Commands whose every flag is like that are
// harmless; they are few, and each was looked up.
var looks = sync.OnceValue(table) // made when first asked: a program that never asks starts sooner

func table() map[string]look {
	t := map[string]look{
		"git":  lookGit,
		"find": lookFind,
		"sed":  lookSed,
		"awk":  lookAwk, "gawk": lookAwk, "mawk": lookAwk,

		"date": flags{short: "uRnj", valued: "drvf", long: "utc universal rfc-email iso-8601? rfc-3339= date= reference= debug", operands: 1,
			refuse: func(s string) string {
				if strings.HasPrefix(s, "+") {
					return ""
				}
				return "with an operand that is no format it sets the clock"
			}}.look,
		"hostname": flags{short: "fsiIdAy", long: "fqdn long short ip-address all-ip-addresses domain all-fqdns"}.look,
		"env":      flags{short: "0", long: "null"}.look,
		"sort":     flags{short: "bdfgiMhnRrVcCmsuz", valued: "ktS", long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check? merge stable unique zero-terminated key= field-separator= buffer-size= parallel=", operands: unlimited}.look,
		"uniq":     flags{short: "cdDiuz", valued: "fsw", long: "count repeated all-repeated? skip-fields= ignore-case skip-chars= unique zero-terminated check-chars= group?", operands: 1}.look,
		"tree":     flags{short: "adflxiqNQpsughDFrtcUvACnSXJ", valued: "LPI", long: "gitignore dirsfirst filesfirst noreport prune du si charset= filelimit= timefmt= matchdirs ignore-case sort= metafirst inodes device info nolinks fromfile", operands: unlimited}.look,
		"rg":       flags{short: "abcFhHiIlLnNopPqsSuUvVwx0.", valued: "ABCdeEfgjmMrtT", long: "after-context= before-context= context= context-separator= color= colors= column count count-matches crlf debug dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= file= files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive heading hidden iglob= ignore-case ignore-file= include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-column no-config no-filename no-heading no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap null null-data one-file-system only-matching passthru path-separator= pcre2 pretty quiet regexp= replace= smart-case sort= sortr= stats text threads= trim type= type-list type-not= unrestricted version vimgrep with-filename word-regexp", operands: unlimited}.look,
		"fd":       flags{short: "HIsgFapL0lu1qhV", valued: "dEtecSjm", long: "hidden no-ignore no-ignore-vcs case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= exclude= type= extension= size= changed-within= changed-before= color= max-results= quiet strip-cwd-prefix? prune unrestricted version", operands: unlimited}.look,
		"file":     flags{short: "bihkLNnprsvzZ0", valued: "eFP", long: "brief mime mime-type mime-encoding extension dereference no-dereference no-pad uncompress version print0 raw", operands: unlimited}.look,
		"xxd":      flags{short: "abceEipu", valued: "cglos", operands: 1}.look,
		"printf":   lookPrintf,
		"command":  lookCommand,
		"test":     lookTest, "[": lookTest,
		"which": harmless, "type": harmless, "whereis": harmless,
		"jq":    flags{short: "nrjascCMSeRh", valued: "fL", long: "null-input raw-input slurp compact-output raw-output raw-output0 join-output ascii-output sort-keys color-output monochrome-output tab indent= unbuffered stream stream-errors seq from-file= exit-status version", operands: unlimited}.look,
		"ss":    flags{short: "tulnpaxwesioHr46", long: "tcp udp listening numeric processes all unix summary no-header resolve", operands: unlimited}.look,
		"pgrep": harmless, "ps": harmless,

		"node": version("-v", "--version"), "npm": version("-v", "--version"), "npx": version("-v", "--version"), "pnpm": version("-v", "--version"),
		"yarn": version("-v", "--version"), "deno": version("-V", "--version"), "bun": version("-v", "--version"), "tsc": version("-v", "--version"),
		"python": version("-V", "--version"), "python3": version("-V", "--version"), "pip": version("-V", "--version"), "pip3": version("-V", "--version"),
		"ruby": version("-v", "--version"), "perl": version("-v", "--version"), "php": version("-v", "--version"), "lua": version("-v"),
		"gcc": version("-v", "--version"), "g++": version("-v", "--version"), "cc": version("-v", "--version"), "c++": version("-v", "--version"),
		"clang": version("-v", "--version"), "clang++": version("-v", "--version"), "ld": version("-v", "--version"), "make": version("-v", "--version"),
		"cmake": version("--version"), "ninja": version("--version"), "meson": version("-v", "--version"), "bazel": version("--version"),
		"rustc": version("-V", "--version"), "cargo": version("-V", "--version"), "rustup": version("-V", "--version"),
		"java": version("-version", "--version"), "javac": version("-version", "--version"), "mvn": version("-v", "--version"), "gradle": version("-v", "--version"),
		"docker": version("-v", "--version"), "kubectl": version("version"), "terraform": version("-v", "--version", "version"), "gh": version("--version"),
		"bash": version("--version"), "zsh": version("--version"), "fish": version("-v", "--version"), "vim": version("--version"),
		"go": first{
			"version": flags{short: "mv", operands: unlimited}.look,
			"env":     flags{long: "", operands: unlimited}.look,
		}.look,
		"claude": version("-v", "--version"),
	}
	for name := range strings.FieldsSeq(`ls cat head tail wc echo pwd cd nl tac rev cut paste tr fold fmt expand unexpand comm join cmp diff
		grep egrep fgrep zgrep zcat basename dirname realpath readlink stat du df od hexdump hd strings seq true false : printenv
		md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5 whoami id groups users who w uname arch nproc
		uptime free lscpu lsblk lsusb lspci locale tty getconf column numfmt factor tsort pathchk sw_vers`) {
		t[name] = harmless
	}
	return t
}

// lookPrintf knows that -v assigns a variable.
func lookPrintf(args []word) string {
	if len(args) > 0 && (!args[0].plain() && !args[0].operand() || strings.HasPrefix(args[0].text, "-v")) {
		return "-v assigns a variable"
	}
	return subscript(args)
}

// subscript says that an argument could be read as arithmetic with a subscript,
// which runs what it holds. bash does not read test and printf so; zsh does, and may
// be the shell of whoever runs the agent.
func subscript(args []word) string {
	for _, a := range args {
		if strings.Contains(a.text, "[") && strings.ContainsAny(a.text, "$`") {
			return "it can evaluate a subscript"
		}
	}
	return ""
}

// lookTest knows that -v and -R evaluate the subscript of a name, which can run
// anything.
func lookTest(args []word) string {
	for _, a := range args {
		if a.value && a.fixed >= 0 || a.text == "-v" || a.text == "-R" {
			return "it can evaluate a subscript"
		}
	}
	return subscript(args)
}

// lookCommand lets command tell what a name stands for, and nothing else.
func lookCommand(args []word) string {
	if len(args) >= 1 && args[0].plain() && (args[0].text == "-v" || args[0].text == "-V") {
		return ""
	}
	return "it runs its arguments"
}
