package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"laurel/shared/operate"
)

type eraseCommand struct {
	User string `required:"" placeholder:"ID" help:"Whom to erase."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (eraseCommand) Help() string {
	return `Erases a user everywhere, as DELETE /v1/users/{user} does. Boards that are closed and not final yet are left
to the nightly run that makes them final; the erasure is running until then. It can be interrupted and run again.

  laurel erase --user ada --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run erases the user.
func (c eraseCommand) Run(ctx context.Context, std streams, flags given) error {
	if c.User == "" {
		return usageError{textError("--user is empty")}
	}
	o, err := c.operator(ctx, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var done erased
	err = o.perform(ctx, std, performance{name: "erase", arguments: operate.User{ID: c.User}}, &done.Erased)
	if err != nil {
		return err
	}
	return std.show(done)
}

// erased is how far an erasure is.
type erased struct{ operate.Erased }

func (e erased) write(out io.Writer) error {
	for _, what := range slices.Sorted(maps.Keys(e.Removed)) {
		_, _ = fmt.Fprintf(out, "%s: %d\n", what, e.Removed[what])
	}
	text := "the user is erased"
	if e.State != "done" {
		text = "the erasure goes on when the nightly run has made the closed periods final"
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
