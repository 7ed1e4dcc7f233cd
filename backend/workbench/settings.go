package workbench

// Settings are what a person chooses for the workbenches of all channels.
type Settings struct {
	// Editor is the command that files are opened with, a program and its first
	// arguments; "" is the person's graphical $VISUAL or $EDITOR, or the system's own.
	Editor string
	// TrashDays is for how many days what was deleted can be restored, 1 to
	// MaxTrashDays.
	TrashDays int
}

const (
	// DefaultTrashDays is how long what was deleted is kept when nobody says otherwise.
	DefaultTrashDays = 7
	// MaxTrashDays is the longest that it can be kept.
	MaxTrashDays = 365
)
