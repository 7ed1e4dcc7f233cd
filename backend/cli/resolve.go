package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hearth/backend/api"
	"hearth/backend/chat"
)

type channelList struct {
	Channels []api.Channel `json:"channels"`
}

type bindingList struct {
	Bindings []api.Binding `json:"bindings"`
}

// channel finds the channel that a person named: by its id, by its name, or by
// the name of one that is archived.
func (c *client) channel(ctx context.Context, typed string) (api.Channel, error) {
	name := chat.CleanName(typed)
	if name == "" {
		return api.Channel{}, usagef("A channel's name can't be empty. `hearth channels` lists them.")
	}
	if isID(typed) {
		var found api.Channel
		_, err := c.get(ctx, at("/api/channels/%s", typed), &found)
		if err == nil || status(err) != http.StatusNotFound {
			return found, err
		}
	}
	var named channelList
	if _, err := c.get(ctx, "/api/channels?name="+url.QueryEscape(name), &named); err != nil {
		return api.Channel{}, err
	}
	if len(named.Channels) > 0 {
		return named.Channels[0], nil
	}
	var all channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &all); err != nil {
		return api.Channel{}, err
	}
	var found api.Channel
	var names []string
	for _, one := range all.Channels {
		if chat.Fold(one.Name) == chat.Fold(name) {
			found = one // the newest counts
		}
		if one.ArchivedAt.IsZero() {
			names = append(names, "#"+one.Name)
		}
	}
	switch {
	case found.ID != "":
		return found, nil
	case len(names) == 0:
		return found, fmt.Errorf("there is no channel #%s, nor any other: make one with `hearth channels create NAME`", name)
	}
	return found, fmt.Errorf("there is no channel #%s; there are %s", name, list(names, 10))
}

// archivedChannel finds the channel that a person wants back: an archived one
// goes before one of the same name that is not.
func (c *client) archivedChannel(ctx context.Context, typed string) (api.Channel, error) {
	var all channelList
	if _, err := c.get(ctx, "/api/channels?archived=true", &all); err != nil {
		return api.Channel{}, err
	}
	for _, one := range slices.Backward(all.Channels) { // the newest counts
		if !one.ArchivedAt.IsZero() && chat.Fold(one.Name) == chat.Fold(chat.CleanName(typed)) {
			return one, nil
		}
	}
	return c.channel(ctx, typed)
}

// isID says whether a text looks like one of Hearth's ids: 26 characters of
// Crockford's base 32.
func isID(s string) bool {
	return len(s) == 26 && strings.Trim(s, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
}

// list names the first few of many.
func list(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// binding finds the agent that a person named in a channel. Without a handle it
// is the channel's only agent.
func (c *client) binding(ctx context.Context, channel api.Channel, handle string) (api.Binding, error) {
	var all bindingList
	if _, err := c.get(ctx, at("/api/channels/%s/bindings", channel.ID), &all); err != nil {
		return api.Binding{}, err
	}
	handles := make([]string, len(all.Bindings))
	for i, b := range all.Bindings {
		handles[i] = "@" + b.Handle
		if handle != "" && chat.Fold(b.Handle) == chat.Fold(chat.CleanHandle(handle)) {
			return b, nil
		}
	}
	switch {
	case len(all.Bindings) == 0:
		return api.Binding{}, fmt.Errorf("there is no agent in #%s: bind one with `hearth bindings add`", channel.Name)
	case handle != "":
		return api.Binding{}, fmt.Errorf("there is no @%s in #%s; there are %s", chat.CleanHandle(handle), channel.Name, list(handles, 10))
	case len(all.Bindings) == 1:
		return all.Bindings[0], nil
	}
	return api.Binding{}, usagef("There are %s in #%s. Say which one you mean.", list(handles, 10), channel.Name)
}

// handles maps the ids of a channel's bindings to handles.
func (c *client) handles(ctx context.Context, channelID string) (map[string]string, error) {
	var all bindingList
	if _, err := c.get(ctx, at("/api/channels/%s/bindings", channelID), &all); err != nil {
		return nil, err
	}
	out := make(map[string]string, len(all.Bindings))
	for _, b := range all.Bindings {
		out[b.ID] = b.Handle
	}
	return out, nil
}

// agentName is an agent's handle, or for one that was taken out of the channel
// its binding's id.
func agentName(handles map[string]string, bindingID string) string {
	if handle := handles[bindingID]; handle != "" {
		return "@" + handle
	}
	return bindingID
}
