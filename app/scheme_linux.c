//go:build linux && (desktop || bindings)

// Light or dark, as the desktop is set.
//
// Problem: GNOME and others say so by the settings portal, and GTK 3 does not ask it.
// Why it matters: the page follows what GTK believes, so "as the system" would be light on a dark desktop.
// Solution: ask the portal, listen to it, and tell GTK.

#include "native_linux.h"

#include <gtk/gtk.h>

#define NAMESPACE "org.freedesktop.appearance"
#define KEY "color-scheme"

// What the portal answers; 0 is no preference.
enum { PREFER_DARK = 1, PREFER_LIGHT = 2 };

static gboolean own_choice; // what GTK's own settings say

static void follow(GVariant *value) {
	// Read wraps its answer once more than the signal does.
	GVariant *inner = g_variant_ref(value);
	while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
		GVariant *next = g_variant_get_variant(inner);
		g_variant_unref(inner);
		inner = next;
	}
	if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32)) {
		guint32 scheme = g_variant_get_uint32(inner);
		gboolean dark = scheme == PREFER_DARK ? TRUE : scheme == PREFER_LIGHT ? FALSE : own_choice;
		g_object_set(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", dark, NULL);
	}
	g_variant_unref(inner);
}

static void changed(GDBusProxy *portal, const char *sender, const char *name, GVariant *arguments, gpointer data) {
	if (g_strcmp0(name, "SettingChanged") != 0 || !g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)"))) {
		return;
	}
	const char *space, *key;
	GVariant *value;
	g_variant_get(arguments, "(&s&sv)", &space, &key, &value);
	if (g_strcmp0(space, NAMESPACE) == 0 && g_strcmp0(key, KEY) == 0) {
		follow(value);
	}
	g_variant_unref(value);
}

static void answered(GObject *portal, GAsyncResult *result, gpointer data) {
	GVariant *answer = g_dbus_proxy_call_finish(G_DBUS_PROXY(portal), result, NULL);
	if (answer == NULL) { // no portal, or one that does not know: GTK's own settings stand
		return;
	}
	if (g_variant_is_of_type(answer, G_VARIANT_TYPE("(v)"))) {
		GVariant *value = g_variant_get_child_value(answer, 0);
		follow(value);
		g_variant_unref(value);
	}
	g_variant_unref(answer);
}

static void found(GObject *source, GAsyncResult *result, gpointer data) {
	GDBusProxy *portal = g_dbus_proxy_new_for_bus_finish(result, NULL); // lives as long as the window
	if (portal == NULL) {
		return;
	}
	g_signal_connect(portal, "g-signal", G_CALLBACK(changed), NULL);
	g_dbus_proxy_call(portal, "Read", g_variant_new("(ss)", NAMESPACE, KEY), G_DBUS_CALL_FLAGS_NONE, -1, NULL, answered, NULL);
}

void hearth_follow_scheme(void) {
	g_object_get(gtk_settings_get_default(), "gtk-application-prefer-dark-theme", &own_choice, NULL);
	g_dbus_proxy_new_for_bus(G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES, NULL, "org.freedesktop.portal.Desktop",
		"/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", NULL, found, NULL);
}
