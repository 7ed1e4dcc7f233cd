package api

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"hearth/backend/chat"
	"hearth/backend/event"
	"hearth/backend/run"
)

type listChannelsInput struct {
	Archived bool   `query:"archived" doc:"The archived ones too."`
	Name     string `query:"name" doc:"Only the channel of this name, with or without #, if there is one that is not archived."`
}

type channelsOutput struct {
	Body struct {
		Channels []Channel `json:"channels" doc:"Oldest first."`
	}
}

type channelInput struct {
	ID string `path:"id" doc:"The channel's id."`
}

type channelOutput struct{ Body Channel }

type createChannelInput struct {
	Body struct {
		Name      string `json:"name" doc:"At most 80 characters."`
		Topic     string `json:"topic,omitempty" doc:"At most 500 characters."`
		Workspace string `json:"workspace,omitempty" doc:"An absolute folder that is there; left out: Hearth's default."`
		Direct    bool   `json:"direct,omitempty" doc:"A direct line; bind one agent to it. POST /api/direct does both at once."`
		GitIgnore string `json:"git_ignore,omitempty" enum:"all,output,nothing" default:"all" doc:"What git is told to ignore of the workbench when Hearth makes it: all of it, all but scripts and notes, nothing."`

		SpendLimitUSD Dollars `json:"spend_limit_usd,omitempty" minimum:"0" maximum:"1000000" doc:"What its agents may cost a day, in dollars, before a person is asked; 0: no limit."`
	}
}

type updateChannelInput struct {
	ID   string `path:"id" doc:"The channel's id."`
	Body struct {
		Name      *string `json:"name,omitempty"`
		Topic     *string `json:"topic,omitempty"`
		Workspace *string `json:"workspace,omitempty" doc:"Its agents' processes are ended: they can't move."`
		GitIgnore *string `json:"git_ignore,omitempty" enum:"all,output,nothing" doc:"It counts when a workbench is made; one that is there keeps its own."`

		SpendLimitUSD *Dollars `json:"spend_limit_usd,omitempty" minimum:"0" maximum:"1000000" doc:"0: no limit. Runs that wait for a person's word on it go on when it allows them."`
	}
}

type deleteChannelOutput struct {
	Body struct {
		Rows int `json:"rows" doc:"How many rows went with it."`
	}
}

func (s *server) registerChannels(operations huma.API) {
	tags := []string{"channels"}
	register(s, operations, huma.Operation{
		OperationID: "list-channels", Method: http.MethodGet, Path: "/api/channels", Summary: "List the channels", Tags: tags,
	}, s.listChannels)
	register(s, operations, huma.Operation{
		OperationID: "create-channel", Method: http.MethodPost, Path: "/api/channels", Summary: "Make a channel", Tags: tags, DefaultStatus: http.StatusCreated,
	}, s.createChannel)
	register(s, operations, huma.Operation{
		OperationID: "get-channel", Method: http.MethodGet, Path: "/api/channels/{id}", Summary: "Read a channel", Tags: tags,
	}, func(ctx context.Context, in *channelInput) (*channelOutput, error) {
		c, err := s.Store.Channel(ctx, in.ID)
		return &channelOutput{toChannel(c)}, err
	})
	register(s, operations, huma.Operation{
		OperationID: "update-channel", Method: http.MethodPatch, Path: "/api/channels/{id}", Summary: "Change a channel", Tags: tags,
	}, s.updateChannel)
	register(s, operations, huma.Operation{
		OperationID: "delete-channel", Method: http.MethodDelete, Path: "/api/channels/{id}", Summary: "Delete a channel with all that is in it", Tags: tags,
	}, s.deleteChannel)
	register(s, operations, huma.Operation{
		OperationID: "archive-channel", Method: http.MethodPost, Path: "/api/channels/{id}/archive", Summary: "Put a channel away", Tags: tags,
		Description: "Its agents are ended and nobody can post to it. Does nothing to one that is archived.",
	}, s.archiveChannel)
	register(s, operations, huma.Operation{
		OperationID: "unarchive-channel", Method: http.MethodPost, Path: "/api/channels/{id}/unarchive", Summary: "Bring an archived channel back", Tags: tags,
		Description: "Does nothing to one that is not archived. A conflict when another channel has its name by now: rename one of the two first.",
	}, s.unarchiveChannel)
}

func (s *server) listChannels(ctx context.Context, in *listChannelsInput) (*channelsOutput, error) {
	out := &channelsOutput{}
	if in.Name != "" {
		out.Body.Channels = []Channel{}
		c, err := s.Store.ChannelByName(ctx, chat.CleanName(in.Name))
		if chat.CodeOf(err) == chat.CodeNotFound {
			return out, nil
		}
		out.Body.Channels = append(out.Body.Channels, toChannel(c))
		return out, err
	}
	channels, err := s.Store.Channels(ctx, in.Archived)
	out.Body.Channels = each(channels, toChannel)
	return out, err
}

func (s *server) createChannel(ctx context.Context, in *createChannelInput) (*channelOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	c, err := s.newChannel(ctx, chat.Channel{Name: in.Body.Name, Topic: in.Body.Topic, Workspace: in.Body.Workspace, Direct: in.Body.Direct, Ignore: fromIgnore(in.Body.GitIgnore), SpendLimit: float64(in.Body.SpendLimitUSD)})
	return &channelOutput{toChannel(c)}, err
}

// newChannel checks and stores a channel; arranging is held.
func (s *server) newChannel(ctx context.Context, c chat.Channel) (chat.Channel, error) {
	c.Name, c.Topic = chat.CleanName(c.Name), strings.TrimSpace(c.Topic)
	if c.Workspace == "" {
		c.Workspace = s.DefaultWorkspace
	}
	if err := checkChannel(&c); err != nil {
		return chat.Channel{}, err
	}
	c, err := s.Store.CreateChannel(ctx, c)
	if err != nil {
		return chat.Channel{}, err
	}
	s.publishChannel(run.EventChannelCreated, c)
	return c, nil
}

func (s *server) updateChannel(ctx context.Context, in *updateChannelInput) (*channelOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	before, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	c := before
	if in.Body.Name != nil {
		c.Name = chat.CleanName(*in.Body.Name)
	}
	if in.Body.Topic != nil {
		c.Topic = strings.TrimSpace(*in.Body.Topic)
	}
	if in.Body.Workspace != nil {
		c.Workspace = *in.Body.Workspace
	}
	if in.Body.GitIgnore != nil {
		c.Ignore = fromIgnore(*in.Body.GitIgnore)
	}
	if in.Body.SpendLimitUSD != nil {
		c.SpendLimit = float64(*in.Body.SpendLimitUSD)
	}
	// A channel whose folder has gone can still be renamed.
	if c.Workspace == before.Workspace {
		err = c.Check()
	} else {
		err = checkChannel(&c)
	}
	if err != nil {
		return nil, err
	}
	if c == before {
		return &channelOutput{toChannel(c)}, nil
	}
	if err := s.nameIsFree(ctx, c); err != nil {
		return nil, err
	}
	if c.Workspace == before.Workspace {
		out, err := s.storeChannel(ctx, c)
		if err == nil && c.SpendLimit != before.SpendLimit {
			// The change stands; who still waits can be answered.
			if err := s.Runs.LimitChanged(ctx, c.ID); err != nil {
				s.Log.Error("let runs go on under another spending limit", "channel", c.ID, "error", err)
			}
		}
		return out, err
	}
	out := &channelOutput{}
	err = s.arrange(ctx, c.ID, run.BecauseMoved, func(ctx context.Context) ([]run.Run, error) {
		out, err = s.storeChannel(ctx, c)
		return nil, err
	})
	return out, err
}

// arrange stores a change of a channel while nothing goes on in it; arranging is
// held, so that no agent joins meanwhile.
func (s *server) arrange(ctx context.Context, channelID, reason string, change func(context.Context) ([]run.Run, error)) error {
	bindings, err := s.Store.Bindings(ctx, channelID)
	if err != nil {
		return err
	}
	return s.Runs.Arrange(ctx, each(bindings, run.KeyOf), reason, change)
}

// nameIsFree is asked before agents are ended for a change; the store decides.
func (s *server) nameIsFree(ctx context.Context, c chat.Channel) error {
	other, err := s.Store.ChannelByName(ctx, c.Name)
	switch {
	case chat.CodeOf(err) == chat.CodeNotFound, err == nil && (other.ID == c.ID || c.Archived()):
		return nil
	case err != nil:
		return err
	}
	return chat.Errorf(chat.CodeConflict, "There is a channel #%s already. Choose another name.", other.Name)
}

func (s *server) archiveChannel(ctx context.Context, in *channelInput) (*channelOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil || c.Archived() {
		return &channelOutput{toChannel(c)}, err
	}
	err = s.arrange(ctx, c.ID, "the channel was archived", func(ctx context.Context) (cleared []run.Run, err error) {
		c, cleared, err = s.Store.ArchiveChannel(ctx, c.ID)
		return cleared, err
	})
	if err != nil {
		return nil, err
	}
	s.publishChannel(run.EventChannelUpdated, c)
	return &channelOutput{toChannel(c)}, nil
}

func (s *server) unarchiveChannel(ctx context.Context, in *channelInput) (*channelOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil || !c.Archived() {
		return &channelOutput{toChannel(c)}, err
	}
	c.ArchivedAt = time.Time{}
	if err := s.nameIsFree(ctx, c); err != nil {
		return nil, err
	}
	return s.storeChannel(ctx, c)
}

func (s *server) storeChannel(ctx context.Context, c chat.Channel) (*channelOutput, error) {
	c, err := s.Store.UpdateChannel(ctx, c)
	if err != nil {
		return nil, err
	}
	s.publishChannel(run.EventChannelUpdated, c)
	return &channelOutput{toChannel(c)}, nil
}

func (s *server) deleteChannel(ctx context.Context, in *channelInput) (*deleteChannelOutput, error) {
	s.arranging.Lock()
	defer s.arranging.Unlock()
	c, err := s.Store.Channel(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &deleteChannelOutput{}
	err = s.arrange(ctx, c.ID, "the channel was deleted", func(ctx context.Context) ([]run.Run, error) {
		out.Body.Rows, err = s.Store.DeleteChannel(ctx, c.ID)
		return nil, err
	})
	if err != nil {
		return nil, err
	}
	s.publishChannel(run.EventChannelDeleted, c)
	return out, nil
}

func (s *server) publishChannel(kind string, c chat.Channel) {
	s.Bus.Publish(event.Event{Type: kind, ChannelID: c.ID, Data: c})
}

// checkChannel says what is wrong with a channel, and whether its workspace is a
// folder; it cleans the path.
func checkChannel(c *chat.Channel) error {
	if err := c.Check(); err != nil {
		return err
	}
	c.Workspace = filepath.Clean(c.Workspace)
	info, err := os.Stat(c.Workspace)
	switch {
	case os.IsNotExist(err):
		return chat.Errorf(chat.CodeInvalid, "There is no folder %q. Make it first, or choose another workspace.", c.Workspace)
	case err != nil:
		return chat.Errorf(chat.CodeInvalid, "%s", fmt.Sprintf("The workspace %q can't be looked at (%s) Choose one that can be read.", c.Workspace, sentence(err.Error())))
	case !info.IsDir():
		return chat.Errorf(chat.CodeInvalid, "%q is a file. Choose a folder as the workspace.", c.Workspace)
	}
	return nil
}
