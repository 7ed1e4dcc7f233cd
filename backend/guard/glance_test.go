package guard

import (
	"strings"
	"testing"
)

// What models write when they look around.
var only = []string{
	`ls`, `ls -la`, `/bin/ls -la /tmp`, `ls *.go`, `ls $HOME`, `ls "$HOME/x y"`, `cat a.txt b.txt`, `head -n 20 a`, `tail -20 a | wc -l`,
	`git status -s && echo "--- LOG ---" && git log --oneline -10`,
	`ls -la 2>&1 | head -20`,
	`which g++ clang++ 2>&1; echo ---; ls /usr/include`,
	`cd sub && git diff --stat | cat`,
	`command -v go`, `command -v go node python3 || echo none`, `type go`, `which go`,
	`echo 'a > b'`, `echo "rm -rf /"`, `grep -rn 'rm -rf' .`, `git log --grep='>' -5`, `rg 'foo|bar' src`, `rg --files | head`,
	"ls\ngit status", "# what is here\nls", `(cd sub; ls)`, `{ ls; pwd; }`, `! grep -q x y`, `time ls`, `ls > /dev/null`, `ls &>/dev/null`, `ls 2>/dev/null`, `ls >/dev/null 2>&1`,
	`git status`, `git status --porcelain`, `git status --porcelain=v2 --branch`, `git diff`, `git diff HEAD~1 -- src/a.go`, `git diff --name-only main...HEAD`, `git diff --cached`,
	`git log -p -2`, `git log -n 5`, `git log -n5 --format='%h %s'`, `git log --since="2 days ago" --author=aiko`, `git log -S needle`, `git log --all --graph --oneline`, `git log -- path`,
	`git show`, `git show HEAD:README.md`, `git show --stat abc123`, `git blame -L 10,20 a.go`, `git branch`, `git branch -a`, `git branch -vv`, `git branch --show-current`,
	`git branch --contains abc`, `git branch --merged main`, `git branch --list 'feat/*'`, `git tag`, `git tag -l 'v*'`, `git remote`, `git remote -v`, `git remote get-url origin`,
	`git stash list`, `git stash show -p`, `git config user.name`, `git config --get user.name`, `git config --list`, `git config -l`, `git config --global --get-regexp alias`,
	`git symbolic-ref HEAD`, `git worktree list`, `git rev-parse HEAD`, `git rev-parse --show-toplevel`, `git ls-files | wc -l`, `git -C sub status`, `git --no-pager log -3`,
	`git reflog`, `git reflog -5`, `git reflog show HEAD`, `git describe --tags`, `git merge-base main HEAD`, `git grep -n foo`, `git cat-file -p HEAD`, `git ls-remote --heads origin`,
	`find . -name '*.go' -not -path './vendor/*'`, `find . -type f -size +1M`, `find src/* -maxdepth 1`, `find . \( -name a -o -name b \) -print`, `find . -newer a.txt`, `find . -printf '%p\n'`,
	`sort a.txt`, `sort -u -k2,2n a.txt | uniq -c | sort -rn | head`, `uniq -c a`, `sed -n '1,50p' a.go`, `sed -n 10,20p a.go`, `sed -n '/^func/p' a.go`, `sed 's/a/b/g' a`, `sed -E 's|x|y|' a`,
	`sed -n -e 1p -e '5,$p' a`, `sed '/x/d;s/ //g' a`, `awk '{print $1}' a`, `awk -F: '{ print $1, $2 }' /etc/passwd`, `awk -F'|' 'NR>=5 && $1 == "x" || $2' a`, `awk 'NR==1{print "a\tb"}' a`,
	`wc -l < /dev/null`[:5], `date`, `date +%s`, `date -u +%F`, `date -d '2 days ago'`, `hostname`, `hostname -f`, `env`, `env | grep PATH`, `printenv PATH`, `tree -L 2`, `tree -a -I node_modules`,
	`printf '%s\n' a b`, `[ -f go.mod ] && echo yes`, `test -d src`, `stat a`, `file a`, `du -sh *`, `df -h`, `ps aux | grep node`, `pgrep -fl node`, `jq -r '.a[]' a.json`, `xxd a | head`,
	`node --version`, `python3 -V; go version`, `go env GOPATH`, `diff a b`, `md5sum a`, `uname -a`, `cat "a b" 'c d' e\ f`, `cut -d: -f1 /etc/passwd`, `tr a b`, `ls -- -x`, `rg -n foo -g '*.go' src`,
	`ls 한국어/`, `cat 'हिन्दी.txt'`, `echo العربية`, `echo 🎉`,
}

// What writes, runs something else, or can't be told.
var more = []string{
	``, ` `, "\n", `#`, `rm x`, `rm -rf /`, `foo`, `./ls`, `sub/ls`, `/tmp/bin/ls`, `$CMD`, `l$X`, `"$X" a`, `l*`,
	"ls\nrm -rf x", `ls; rm x`, `ls && rm x`, `ls || rm x`, `ls | rm x`, `ls & rm x`, `ls &`, `(rm x)`, `{ rm x; }`, `! rm x`, `time rm x`, `command rm x`, `command -p rm`, `command ls`,
	`ls > out`, `ls >> out`, `ls >| out`, `ls 1>&2`, `ls 2>&1 > out`, `ls 3>&1`, `ls > "/dev/null/../x"`, `ls > $X`, `ls > /dev/nul*`, `ls {fd}>/dev/null`, `cat < a`, `cat <<E
x
E`, `cat <<< x`, `> out`, `> /dev/null`, `exec > /dev/null`, `ls <> a`, `ls &> out`, `ls >& out`,
	`echo $(rm x)`, "echo `rm x`", `echo "$(rm x)"`, `cat <(rm x)`, `ls >(cat)`, `echo ${X:=y}`, `echo ${X:-$(rm x)}`, `echo $((x=1))`, `echo ${!X}`, `echo ${a[$(rm x)]}`, `echo $'\x41'`, `echo ${X@P}`,
	`X=1 ls`, `X=1`, `PATH=. ls`, `export X=1`, `declare X=1`, `readonly X=1`, `local X`, `let x=1`, `unset X`, `read x`, `mapfile x`, `set -e`, `alias ls=rm`, `source x`, `. x`, `eval ls`, `exec ls`, `trap ls EXIT`,
	`f() { ls; }`, `function f { ls; }`, `for f in *; do cat $f; done`, `while true; do ls; done`, `if ls; then ls; fi`, `case x in *) ls;; esac`, `[[ -f x ]]`, `((x++))`, `coproc ls`, `select x in a; do ls; done`,
	`xargs rm`, `ls | xargs cat`, `tee a`, `ls | tee out`, `env X=1 ls`, `env ls`, `env -i sh`, `nohup ls`, `sudo ls`, `nice ls`, `timeout 5 ls`, `bash -c ls`, `sh x`, `python3 -c 'x'`, `node x.js`, `perl -e x`,
	`date -s x`, `date 010112002026`, `date --set=x`, `date $X`, `hostname new`, `hostname -F f`, `hostname -b x`,
	`sort -o out a`, `sort -oout a`, `sort --output=out a`, `sort --outp=out a`, `sort --compress-program=sh a`, `sort -uo out a`, `sort *`, `sort $X`, `sort -k $X a`, `sort {-o,x}`, `sort -T /x a`,
	`uniq in out`, `uniq -c in out`, `tree -o out`, `tree -R -L 1 -H x`, `xxd -r a b`, `xxd a b`, `file -C -m x`, `rg --pre sh x`, `rg --pre=sh x`, `rg --hostname-bin x y`, `rg -z x`, `fd -x rm`, `fd -X rm`, `fd --exec rm`,
	`printf -v X y`, `printf $X`, `test -v 'a[$(rm x)]'`, `[ -v 'a[$(rm x)]' ]`, `bat cache --build`, `less a`, `man ls`, `journalctl -n --vacuum-size=1`, `lsof -i -D b`,
	`find . -delete`, `find . -exec rm {} +`, `find . -execdir rm {} \;`, `find . -ok rm {} \;`, `find . -okdir rm {} \;`, `find . -fls x`, `find . -fprint x`, `find . -fprintf x y`, `find . -name *.go`, `find *`, `find $X`, `find . -name x -delete`, `find . -files0-from x`, `find -D exec .`,
	`sed -i s/a/b/ f`, `sed -i.bak s/a/b/ f`, `sed -ni p f`, `sed --in-place s/a/b/ f`, `sed 's/a/b/w out' f`, `sed 's/a/b/e' f`, `sed 's/a/b/ge' f`, `sed 'w out' f`, `sed 'e rm x' f`, `sed '1e' f`, `sed -f x f`, `sed -e p -e 'w x' f`, `sed -- -e`, `sed 'r x' f`, `sed $X f`, `sed "s/a/$X/" f`, `sed -n '1p;w out' f`, `sed -s -n`, `sed '1!{w x
}' f`,
	`awk 'BEGIN{system("rm x")}'`, `awk '{print > "out"}' a`, `awk '{print >> "out"}' a`, `awk '{print | "sh"}' a`, `awk '"ls" | getline' a`, `awk '{ "ls" |& getline }' a`, `awk -f x a`, `awk -i inplace x a`, `awk '@load "x"' a`, `awk $X a`, `awk '{f="system"; @f("rm")}' a`, `awk`,
	`git`, `git commit -m x`, `git add .`, `git push`, `git pull`, `git fetch`, `git checkout x`, `git switch x`, `git reset --hard`, `git clean -fd`, `git stash`, `git stash pop`, `git stash push`, `git stash drop`, `git stash clear`,
	`git -c core.pager=sh log`, `git -c alias.x='!rm' x`, `git --exec-path=. log`, `git -p log`, `git --git-dir=x log`, `git diff --output=F`, `git diff --output F`, `git diff --outp=F`, `git log --output=F`, `git show --output=F`, `git diff --ext-diff`, `git diff -O$X`,
	`git branch NAME`, `git branch -d x`, `git branch -D x`, `git branch -m a b`, `git branch -v NAME`, `git branch -l NAME`, `git branch -u x`, `git branch --edit-description`, `git branch $X`, `git branch -f x`, `git tag v1`, `git tag -d v1`, `git tag -a v1 -m x`, `git tag -i v1`,
	`git remote add x y`, `git remote remove x`, `git remote set-url x y`, `git remote update`, `git remote prune x`, `git remote -v add x y`, `git remote show ext::sh`, `git config K V`, `git config --unset K`, `git config -e`, `git config edit`, `git config set K V`, `git config --add K V`, `git config unset K`, `git config --global K V`, `git config rename-section a b`,
	`git symbolic-ref HEAD X`, `git symbolic-ref -d X`, `git symbolic-ref -m x HEAD X`, `git worktree add x`, `git worktree prune`, `git submodule update`, `git submodule foreach rm`, `git reflog expire --all`, `git reflog delete x`, `git notes add x`, `git bisect start`, `git rebase`, `git merge x`, `git cherry-pick x`, `git grep -Ovim x`, `git grep --open-files-in-pager=sh x`, `git ls-remote --upload-pack=sh x`, `git ls-remote ext::sh`, `git cat-file --textconv x`, `git help log`, `git x`, `git $X`, `git l*`, `git reflog ex*`, `git fsck --lost-found`, `git gc`, `git archive x`, `git bundle create x`, `git format-patch -1`, `git am x`, `git apply x`, `git update-ref x y`, `git hash-object -w x`,
	`go build`, `go test ./...`, `go env -w X=1`, `go list ./...`, `go run .`, `npm test`, `npm ls`, `make`, `make --version all`, `docker ps`, `curl x`, `wget x`, `touch x`, `[ 'a[$(touch x)]' -eq 1 ]`, `test 'a[$(touch x)]' -eq 1`, `printf %d 'a[$(touch x)]'`, `mkdir x`, `mv a b`, `cp a b`, `ln -s a b`, `chmod +x a`, `kill 1`, `pkill x`, `dd if=a of=b`, `tar xf a`, `zip a b`, `truncate -s 0 a`, `install a b`, `sleep 5`, `yes`, `vim x`, `pushd x`, `history -c`, `ss -K`, `ss -D x`,
	"ls\x00", "ls \xff", "ls\r\nrm x", `ls "unterminated`, `ls (`, `ls )`, `ls |`, `ls &&`, strings.Repeat("(", 100) + "ls" + strings.Repeat(")", 100), "ls " + strings.Repeat("x", maxCommand),
}

func TestWhatOnlyLooksIsEphemeral(t *testing.T) {
	for _, command := range only {
		if e := Explain(command); !e.Ephemeral {
			t.Errorf("%q: %s (%s)", command, e.Reason, e.Part)
		}
	}
}

func TestWhatDoesMoreIsNot(t *testing.T) {
	for _, command := range more {
		e := Explain(command)
		if e.Ephemeral {
			t.Errorf("%q only looks, it says", command)
		}
		if e.Reason == "" || !strings.Contains(command, e.Part) {
			t.Errorf("%q: reason %q, part %q", command, e.Reason, e.Part)
		}
	}
}

// Whatever looks looks together with others that do, and never with one that
// does not.
func TestEveryPartDecides(t *testing.T) {
	for _, command := range only {
		if !IsEphemeral("ls\n" + command + "\nls") {
			t.Errorf("%q does not look among others", command)
		}
		for _, with := range []string{"%s\nrm -rf x", "%s; rm x", "rm x && %s", "%s | tee x", "(%s) > out", "(%s\n) &", "X=1; %s", "f() { %s\n}", "echo $(%s\n)"} {
			if whole := strings.Replace(with, "%s", command, 1); IsEphemeral(whole) {
				t.Errorf("%q only looks, it says", whole)
			}
		}
	}
}

func FuzzExplain(f *testing.F) {
	for _, command := range only {
		f.Add(command)
	}
	for _, command := range more {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		e := Explain(command)
		if e.Reason == "" {
			t.Fatalf("%q: no reason", command)
		}
		open := strings.HasSuffix(command, "\\") // what follows belongs to its last word
		if e.Ephemeral && !open && (IsEphemeral(command+"\nrm -rf x") || IsEphemeral(command+" &") && !strings.Contains(command, "#")) {
			t.Fatalf("%q hides what follows it", command)
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	b.ReportAllocs()
	all := append(append([]string{}, only...), more...)
	for i := 0; b.Loop(); i++ {
		Explain(all[i%len(all)])
	}
}
