package guard

import (
	"fmt"
	"strings"
)

// What find may be told: tests and actions without and with a value.
var (
	findWords = setOf(`-H -L -P -O1 -O2 -O3 ! -not -a -and -o -or , ( ) -depth -d -follow -mount -xdev -noleaf -daystart -true -false -empty -executable -readable
		-writable -nouser -nogroup -prune -print -print0 -ls -quit -warn -nowarn -ignore_readdir_race -noignore_readdir_race`)
	findValued = setOf(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -perm -user -group -uid -gid -links
		-inum -samefile -newer -anewer -cnewer -newermt -newerat -newerct -newerBt -newermm -mtime -atime -ctime -mmin -amin -cmin -used -maxdepth -mindepth -fstype
		-printf -context`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// lookFind judges find: folders, then its own expression language.
func lookFind(args []word) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case findWords[a.text] && a.plain():
		case findValued[a.text] && a.plain():
			if i++; i == len(args) {
				return fmt.Sprintf("%s lacks its value", a.text)
			}
			if !args[i].plain() {
				return fmt.Sprintf("the value of %s is not known before it runs", a.text)
			}
		case a.operand():
		default:
			return fmt.Sprintf("%s is not known to only look", a.text)
		}
	}
	return ""
}
