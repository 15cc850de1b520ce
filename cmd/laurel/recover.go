package main

import (
	"cmp"
	"context"
	"fmt"

	"laurel/shared/doctor"
	"laurel/shared/night"
	"laurel/shared/operate"
)

// recoverCommand recovers a stack by its name, too.
type recoverCommand struct {
	Stack string `group:"AWS" env:"LAUREL_STACK" placeholder:"NAME"`
	operated[*operate.Recover]
}

// Run recovers. The functions of a stack have no way to its dead-letter queue.
func (c recoverCommand) Run(ctx context.Context, std streams) error {
	if c.Stack != "" {
		stack, err := openStack(ctx, c.Stack)
		if err != nil {
			return err
		}
		if c.Function = cmp.Or(c.Function, stack.outputs["ArchiveFunctionName"]); c.Function == "" {
			return fmt.Errorf("stack %s: the output ArchiveFunctionName: %w", c.Stack, doctor.ErrNotNamed)
		}
		if f, found := night.DeadLetters(stack.DeadLetters(ctx)); found {
			c.Command.Outside = append(c.Command.Outside, f)
		}
	}
	return c.operated.Run(ctx, std)
}
