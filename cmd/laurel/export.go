package main

import (
	"context"
	"encoding/json"
	"io"

	"laurel/shared/board"
	"laurel/shared/export"
)

type exportCommand struct {
	User string `required:"" placeholder:"ID" help:"Whose data to write."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (exportCommand) Help() string {
	return `All that is kept of a user, for that user: what GET /v1/users/{user}/export answers, without its limits, and
the number of follow lists that have the user, what is pending, and what the journal has: of sealed days their
seals, of the others what arrived. An id that is kept as a hash is # and the hash in hex. Nothing is changed.

  laurel export --user ada --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run writes the user's data.
func (c exportCommand) Run(ctx context.Context, std streams, flags given) error {
	if c.User == "" {
		return usageError{textError("--user is empty")}
	}
	s, err := c.open(ctx, flags)
	if err != nil {
		return err
	}
	defer s.close()
	whole, err := s.Kept.Export.Whole(ctx, c.User, board.MomentOf(s.Clock()))
	if err != nil {
		return err
	}
	return std.show(exported{whole})
}

// exported is a user's data.
type exported struct{ export.WholeData }

func (e exported) write(to io.Writer) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(e)
}
