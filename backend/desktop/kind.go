package desktop

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// isText says whether a file is a text, by how it begins: as everywhere, a zero byte
// tells that it is none.
func isText(head []byte) bool { return bytes.IndexByte(head, 0) < 0 }

// programs are how programs and what starts them begin.
var programs = []string{
	"#!", "\x7fELF", "MZ", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "[Desktop Entry]",
}

// starters are the ends of names that some desktop runs, installs, or follows to where
// they lead.
var starters = []string{
	".desktop", ".appimage", ".run", ".bin", ".sh", ".bash", ".zsh", ".fish", ".csh", ".command", ".tool", ".terminal", ".app", ".workflow", ".scpt", ".scptd", ".applescript",
	".jar", ".jnlp", ".exe", ".com", ".bat", ".cmd", ".msi", ".ps1", ".vbs", ".lnk", ".url", ".webloc", ".inetloc", ".fileloc", ".deb", ".rpm", ".pkg", ".dmg", ".mpkg",
	".flatpakref", ".flatpak", ".snap", ".py", ".pyw", ".pyc", ".pl", ".rb", ".php", ".lua", ".tcl", ".action", ".kdelnk", ".service",
}

// runnable says why a file might be run when it is opened; "" when it would not.
func runnable(f File) string {
	switch extension := strings.ToLower(filepath.Ext(f.Path)); {
	case f.Executable:
		return "may be run"
	case slices.Contains(starters, extension):
		return "is called like a program"
	}
	head := bytes.TrimLeft(f.Head, "\xef\xbb\xbf \t\r\n")
	for _, begin := range programs {
		if bytes.HasPrefix(head, []byte(begin)) {
			return "begins like a program"
		}
	}
	if bytes.Contains(head, []byte("[Desktop Entry]")) { // behind comments
		return "begins like a program"
	}
	return ""
}
