package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"laurel/shared/operate"
	"laurel/shared/people"
)

type eraseCommand struct {
	User string `required:"" placeholder:"ID" help:"Whom to erase."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (eraseCommand) Help() string {
	return `Erases a user everywhere, as DELETE /v1/users/{user} does. What is left at first, such as the id in others'
follow lists, goes with one of the next ticks; the erasure is running until then. It can be run again.

  laurel erase --user ada --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run erases the user.
func (c eraseCommand) Run(ctx context.Context, std streams, flags given) error {
	if c.User == "" {
		return usageError{textError("--user is empty")}
	}
	o, err := c.operator(ctx, std, flags)
	if err != nil {
		return err
	}
	defer o.close()
	var done erased
	err = o.perform(ctx, std, performance{name: "erase", arguments: operate.User{ID: c.User}}, &done.ErasureData)
	if err != nil {
		return err
	}
	return std.show(done)
}

// erased is how far an erasure is.
type erased struct{ people.ErasureData }

func (e erased) write(out io.Writer) error {
	for _, what := range slices.Sorted(maps.Keys(e.Removed)) {
		_, _ = fmt.Fprintf(out, "%s: %d\n", what, e.Removed[what])
	}
	text := "the user is erased"
	if e.State != "done" {
		text = "the erasure is running: one of the next ticks removes the rest"
	}
	_, err := fmt.Fprintln(out, text)
	return err
}
