//go:build linux && (desktop || bindings)

#include "native_linux.h"
#include "_cgo_export.h"

#include <X11/Xlib.h>
#include <gtk/gtk.h>
#include <signal.h>
#include <string.h>
#include <webkit2/webkit2.h>
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

// Where Wails serves the page.
#define HOME "wails://wails/"

static GtkWindow *window;
static WebKitWebView *view;
static GtkWidget *asked; // the dialog that asks, while it does
static gboolean full;    // fills the whole screen

static gboolean on_x11(void) {
#ifdef GDK_WINDOWING_X11
	return GDK_IS_X11_DISPLAY(gdk_display_get_default());
#else
	return FALSE;
#endif
}

// The connection that the display was tried out with. It stays until GTK has its own: a display that nobody else uses (as
// tests have them) starts afresh when its last client goes, and takes nobody while it does.
static Display *tried;

int hearth_display(void) {
	if (tried == NULL) {
		tried = XOpenDisplay(NULL);
	}
	return tried != NULL;
}

int hearth_prepare(const char *storage) {
	// JavaScriptCore takes this signal for itself, and says so on standard error when somebody (Go) had it.
	signal(SIGUSR1, SIG_DFL);
	if (!gtk_init_check(NULL, NULL)) {
		return 0;
	}
	if (tried != NULL) {
		XCloseDisplay(tried);
		tried = NULL;
	}
	// WebKit makes the names of its folders of this. Wails sets the program's real name later.
	g_set_prgname(storage);
	return 1;
}

int hearth_monitors(hearth_rect *areas, int most) {
	GdkDisplay *display = gdk_display_get_default();
	GdkMonitor *primary = gdk_display_get_primary_monitor(display);
	int count = 0;
	for (int first = 1; first >= 0; first--) {
		for (int i = 0; i < gdk_display_get_n_monitors(display) && count < most; i++) {
			GdkMonitor *monitor = gdk_display_get_monitor(display, i);
			if ((monitor == primary) != first) {
				continue;
			}
			GdkRectangle area;
			gdk_monitor_get_workarea(monitor, &area);
			areas[count++] = (hearth_rect){area.x, area.y, area.width, area.height};
		}
	}
	return count;
}

// The window's doings.

static void tell_shown(void) {
	GdkWindow *drawn = gtk_widget_get_window(GTK_WIDGET(window));
	if (drawn == NULL || !gtk_widget_get_visible(GTK_WIDGET(window))) {
		return;
	}
	GdkWindowState state = gdk_window_get_state(drawn);
	if (state & (GDK_WINDOW_STATE_ICONIFIED | GDK_WINDOW_STATE_WITHDRAWN)) {
		return;
	}
	int x = 0, y = 0, width, height;
	gtk_window_get_size(window, &width, &height);
	if (on_x11()) {
		gtk_window_get_position(window, &x, &y);
	}
	full = (state & GDK_WINDOW_STATE_FULLSCREEN) != 0;
	hearthShown(x, y, width, height, on_x11(), (state & GDK_WINDOW_STATE_MAXIMIZED) != 0, full);
}

static gboolean configured(GtkWidget *widget, GdkEvent *event, gpointer data) {
	tell_shown();
	return FALSE;
}

static gboolean wish_to_close(GtkWidget *widget, GdkEvent *event, gpointer data) {
	hearthClose();
	return TRUE;
}

// The keys that a page can't have: they are the window's.
static gboolean key_quit(void) {
	hearthQuit(); // also where closing leaves Hearth in the background
	return TRUE;
}

static gboolean key_full(void) {
	if (full) {
		gtk_window_unfullscreen(window);
	} else {
		gtk_window_fullscreen(window);
	}
	return TRUE;
}

static void zoom_to(double zoom) {
	webkit_web_view_set_zoom_level(view, zoom);
}

static gboolean key_larger(void) {
	zoom_to(hearthZoom(1));
	return TRUE;
}

static gboolean key_smaller(void) {
	zoom_to(hearthZoom(-1));
	return TRUE;
}

static gboolean key_usual(void) {
	zoom_to(hearthZoom(0));
	return TRUE;
}

static void add_keys(void) {
	static const struct {
		guint key;
		GdkModifierType with;
		gboolean (*act)(void);
	} keys[] = {
		{GDK_KEY_q, GDK_CONTROL_MASK, key_quit},
		{GDK_KEY_F11, 0, key_full},
		{GDK_KEY_plus, GDK_CONTROL_MASK, key_larger},
		{GDK_KEY_equal, GDK_CONTROL_MASK, key_larger},
		{GDK_KEY_KP_Add, GDK_CONTROL_MASK, key_larger},
		{GDK_KEY_minus, GDK_CONTROL_MASK, key_smaller},
		{GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, key_smaller},
		{GDK_KEY_0, GDK_CONTROL_MASK, key_usual},
		{GDK_KEY_KP_0, GDK_CONTROL_MASK, key_usual},
	};
	GtkAccelGroup *group = gtk_accel_group_new();
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		gtk_accel_group_connect(group, keys[i].key, keys[i].with, 0, g_cclosure_new(G_CALLBACK(keys[i].act), NULL, NULL));
	}
	gtk_window_add_accel_group(window, group);
	g_object_unref(group);
}

// The page's doings.

static gboolean decide(WebKitWebView *v, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer data) {
	if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) {
		return FALSE;
	}
	WebKitNavigationAction *action =
		webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	gboolean home = g_str_has_prefix(uri, HOME) || strcmp(uri, "about:blank") == 0;
	if (home && type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION) {
		return FALSE;
	}
	webkit_policy_decision_ignore(decision);
	if (home) { // a second window of ours: there is one
		webkit_web_view_load_uri(v, uri);
	} else if (webkit_navigation_action_is_user_gesture(action)) {
		hearthFollow((char *)uri);
	}
	return TRUE;
}

// The menu of a text field or a selection; nothing that leads away from the page.
static gboolean menu(WebKitWebView *v, WebKitContextMenu *items, GdkEvent *event, WebKitHitTestResult *hit, gpointer data) {
	gboolean separate = FALSE; // a separator may stand here
	GList *copy = g_list_copy(webkit_context_menu_get_items(items));
	WebKitContextMenuItem *last = NULL;
	for (GList *i = copy; i != NULL; i = i->next) {
		WebKitContextMenuItem *item = i->data;
		if (webkit_context_menu_item_is_separator(item)) {
			if (separate) {
				separate = FALSE;
				last = item;
			} else {
				webkit_context_menu_remove(items, item);
			}
			continue;
		}
		switch (webkit_context_menu_item_get_stock_action(item)) {
		case WEBKIT_CONTEXT_MENU_ACTION_COPY:
		case WEBKIT_CONTEXT_MENU_ACTION_CUT:
		case WEBKIT_CONTEXT_MENU_ACTION_PASTE:
		case WEBKIT_CONTEXT_MENU_ACTION_PASTE_AS_PLAIN_TEXT:
		case WEBKIT_CONTEXT_MENU_ACTION_DELETE:
		case WEBKIT_CONTEXT_MENU_ACTION_SELECT_ALL:
		case WEBKIT_CONTEXT_MENU_ACTION_COPY_LINK_TO_CLIPBOARD:
		case WEBKIT_CONTEXT_MENU_ACTION_COPY_IMAGE_TO_CLIPBOARD:
		case WEBKIT_CONTEXT_MENU_ACTION_INPUT_METHODS:
		case WEBKIT_CONTEXT_MENU_ACTION_INSERT_EMOJI:
		case WEBKIT_CONTEXT_MENU_ACTION_SPELLING_GUESS:
		case WEBKIT_CONTEXT_MENU_ACTION_NO_GUESSES_FOUND:
		case WEBKIT_CONTEXT_MENU_ACTION_IGNORE_SPELLING:
		case WEBKIT_CONTEXT_MENU_ACTION_LEARN_SPELLING:
			separate = TRUE;
			last = NULL;
			break;
		default:
			webkit_context_menu_remove(items, item);
		}
	}
	g_list_free(copy);
	if (last != NULL) {
		webkit_context_menu_remove(items, last);
	}
	return webkit_context_menu_get_n_items(items) == 0;
}

static void died(WebKitWebView *v, WebKitWebProcessTerminationReason reason, gpointer data) {
	hearthPageDied((int)reason);
}

static gboolean reload(gpointer data) {
	webkit_web_view_reload(view);
	return G_SOURCE_REMOVE;
}

void hearth_reload(void) { g_idle_add(reload, NULL); }

static gboolean show_text(gpointer data) {
	webkit_web_view_load_alternate_html(view, data, HOME, NULL);
	g_free(data);
	return G_SOURCE_REMOVE;
}

void hearth_show_text(const char *html) { g_idle_add(show_text, g_strdup(html)); }

// Finding the window.

static WebKitWebView *find_view(GtkWidget *widget) {
	if (WEBKIT_IS_WEB_VIEW(widget)) {
		return WEBKIT_WEB_VIEW(widget);
	}
	WebKitWebView *found = NULL;
	if (GTK_IS_CONTAINER(widget)) {
		GList *children = gtk_container_get_children(GTK_CONTAINER(widget));
		for (GList *i = children; i != NULL && found == NULL; i = i->next) {
			found = find_view(i->data);
		}
		g_list_free(children);
	}
	return found;
}

typedef struct {
	double zoom;
	int least_width, least_height;
} adoption;

static gboolean adopt(gpointer data) {
	adoption *how = data;
	GList *all = gtk_window_list_toplevels();
	for (GList *i = all; i != NULL && view == NULL; i = i->next) {
		view = find_view(i->data);
		window = view == NULL ? NULL : GTK_WINDOW(i->data);
	}
	g_list_free(all);
	if (view == NULL) {
		g_critical("hearth: Wails has made no window");
	} else {
		GdkGeometry least = {.min_width = how->least_width, .min_height = how->least_height};
		gtk_window_set_geometry_hints(window, NULL, &least, GDK_HINT_MIN_SIZE);
		zoom_to(how->zoom);
		add_keys();
		// Wails' own handler can't be told from one for a signal by what comes of it.
		g_signal_handlers_disconnect_matched(window, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
			g_signal_lookup("delete-event", GTK_TYPE_WIDGET), 0, NULL, NULL, NULL);
		g_signal_connect(window, "delete-event", G_CALLBACK(wish_to_close), NULL);
		g_signal_connect(window, "configure-event", G_CALLBACK(configured), NULL);
		g_signal_connect(window, "window-state-event", G_CALLBACK(configured), NULL);
		g_signal_connect(view, "decide-policy", G_CALLBACK(decide), NULL);
		g_signal_connect(view, "context-menu", G_CALLBACK(menu), NULL);
		g_signal_connect(view, "web-process-terminated", G_CALLBACK(died), NULL);
		gtk_widget_grab_focus(GTK_WIDGET(view)); // typing goes to the page from the first key on
	}
	g_free(how);
	return G_SOURCE_REMOVE;
}

void hearth_adopt(double zoom, int least_width, int least_height) {
	adoption *how = g_new(adoption, 1);
	*how = (adoption){zoom, least_width, least_height};
	// Wails centres the window at the default priority of idle time.
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE + 1, adopt, how, NULL);
}

static gboolean move(gpointer data) {
	hearth_rect *to = data;
	if (window != NULL) {
		gtk_window_move(window, to->x, to->y);
	}
	g_free(to);
	return G_SOURCE_REMOVE;
}

void hearth_move(int x, int y) {
	hearth_rect *to = g_new0(hearth_rect, 1);
	to->x = x;
	to->y = y;
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE + 1, move, to, NULL);
}

// Going and coming back.

static int hidden_x, hidden_y;

static gboolean hide(gpointer data) {
	gtk_window_get_position(window, &hidden_x, &hidden_y);
	gtk_widget_hide(GTK_WIDGET(window));
	return G_SOURCE_REMOVE;
}

void hearth_hide(void) { g_idle_add(hide, NULL); }

static gboolean present(gpointer data) {
	char *token = data;
	if (window != NULL) {
		if (token[0] != '\0') {
			gtk_window_set_startup_id(window, token);
		}
		if (!gtk_widget_get_visible(GTK_WIDGET(window))) {
			gtk_widget_show(GTK_WIDGET(window));
			if (on_x11()) { // a window that comes back is placed anew
				gtk_window_move(window, hidden_x, hidden_y);
			}
		}
		gtk_window_deiconify(window);
		guint32 now = GDK_CURRENT_TIME;
#ifdef GDK_WINDOWING_X11
		if (on_x11()) { // else it would count as a wish of long ago, and the desktop would only make it blink
			now = gdk_x11_get_server_time(gtk_widget_get_window(GTK_WIDGET(window)));
		}
#endif
		gtk_window_present_with_time(window, now);
		if (asked != NULL) {
			gtk_window_present_with_time(GTK_WINDOW(asked), now);
		}
	}
	g_free(token);
	return G_SOURCE_REMOVE;
}

void hearth_present(const char *token) {
	g_idle_add_full(G_PRIORITY_DEFAULT_IDLE + 1, present, g_strdup(token), NULL);
}

// Asking.

typedef struct {
	char *text, *detail, *quit, *background, *cancel;
} question;

static void answered(GtkDialog *dialog, int response, gpointer data) {
	gtk_widget_destroy(GTK_WIDGET(dialog));
	asked = NULL;
	hearthAnswered(response == HEARTH_QUIT || response == HEARTH_BACKGROUND ? response : HEARTH_CANCEL);
}

static gboolean ask(gpointer data) {
	question *q = data;
	asked = gtk_message_dialog_new(window, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
		GTK_BUTTONS_NONE, "%s", q->text);
	gtk_message_dialog_format_secondary_text(GTK_MESSAGE_DIALOG(asked), "%s", q->detail);
	gtk_window_set_title(GTK_WINDOW(asked), gtk_window_get_title(window));
	GtkDialog *dialog = GTK_DIALOG(asked);
	gtk_dialog_add_button(dialog, q->cancel, HEARTH_CANCEL);
	GtkWidget *quit = gtk_dialog_add_button(dialog, q->quit, HEARTH_QUIT);
	gtk_style_context_add_class(gtk_widget_get_style_context(quit), GTK_STYLE_CLASS_DESTRUCTIVE_ACTION);
	gtk_dialog_add_button(dialog, q->background, HEARTH_BACKGROUND);
	gtk_dialog_set_default_response(dialog, HEARTH_BACKGROUND); // what ends nothing
	g_signal_connect(dialog, "response", G_CALLBACK(answered), NULL);
	gtk_widget_show(asked);
	gtk_window_present(GTK_WINDOW(asked));
	g_free(q->text);
	g_free(q->detail);
	g_free(q->quit);
	g_free(q->background);
	g_free(q->cancel);
	g_free(q);
	return G_SOURCE_REMOVE;
}

void hearth_ask(const char *text, const char *detail, const char *quit, const char *background, const char *cancel) {
	question *q = g_new(question, 1);
	*q = (question){g_strdup(text), g_strdup(detail), g_strdup(quit), g_strdup(background), g_strdup(cancel)};
	g_idle_add(ask, q);
}

static gboolean close_dialogs(gpointer data) {
	GList *all = gtk_window_list_toplevels();
	for (GList *i = all; i != NULL; i = i->next) {
		if (GTK_IS_DIALOG(i->data)) {
			gtk_dialog_response(GTK_DIALOG(i->data), GTK_RESPONSE_CANCEL);
		}
	}
	g_list_free(all);
	return G_SOURCE_REMOVE;
}

void hearth_close_dialogs(void) { g_idle_add(close_dialogs, NULL); }
