// What the window needs of GTK and WebKit beyond what Wails offers. Every function may be called from any thread, after
// hearth_prepare, unless it says otherwise; what it does happens on GTK's thread a little later.
#ifndef HEARTH_NATIVE_LINUX_H
#define HEARTH_NATIVE_LINUX_H

typedef struct {
	int x, y, width, height;
} hearth_rect;

// What a question was answered with; window.go has the same numbers.
enum { HEARTH_CANCEL = 0, HEARTH_BACKGROUND = 1, HEARTH_QUIT = 2 };

// hearth_display says whether the X display can be used, with its authorisation. Call it on one thread, before
// hearth_prepare, as it is.
int hearth_display(void);

// hearth_prepare starts GTK on this thread, which is GTK's from now on. The name is where WebKit keeps what pages store,
// below the user's folders for data and for caches. It answers 0 when there is no display.
int hearth_prepare(const char *storage);

// hearth_follow_scheme follows the desktop's choice of light or dark, if there is a session bus. Call it on GTK's thread,
// and only where there is one: looking for it may start another.
void hearth_follow_scheme(void);

// hearth_monitors fills in the usable areas of the monitors, the primary one first, and says how many there are. Call it
// on GTK's thread.
int hearth_monitors(hearth_rect *areas, int most);

// hearth_adopt finds the window that Wails has made and listens to it. It comes after what Wails does at the start.
void hearth_adopt(double zoom, int least_width, int least_height);

void hearth_move(int x, int y);
void hearth_hide(void);
void hearth_present(const char *token);
void hearth_ask(const char *text, const char *detail, const char *quit, const char *background, const char *cancel);
// hearth_close_dialogs answers whatever asks with "cancel".
void hearth_close_dialogs(void);
void hearth_reload(void);
void hearth_show_text(const char *html);

#endif
