package main

import (
	"context"
	"encoding/json"
	"io"

	"laurel/shared/operate"
	"laurel/shared/people"
)

type exportCommand struct {
	User string `required:"" placeholder:"ID" help:"Whose data to write."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (exportCommand) Help() string {
	return `All that is kept of a user, for that user: what GET /v1/users/{user}/export answers, without its limits, and
the number of follow lists that have the user. An id that is kept as a hash is # and the hash in hex. Nothing is
changed.

  laurel export --user ada --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run writes the user's data.
func (c exportCommand) Run(ctx context.Context, std streams, flags given) error {
	if c.User == "" {
		return usageError{textError("--user is empty")}
	}
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var whole exported
	err = o.perform(ctx, std, performance{name: "export", arguments: operate.User{ID: c.User}}, &whole.WholeData)
	if err != nil {
		return err
	}
	return std.show(whole)
}

// exported is a user's data.
type exported struct{ people.WholeData }

func (e exported) write(to io.Writer) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(e)
}
