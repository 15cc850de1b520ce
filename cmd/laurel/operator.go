package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"laurel/shared/forum/night"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
	"laurel/shared/store/table/embedded"
)

// operatorFlags name the stores: those of the settings, or those of a function.
type operatorFlags struct {
	Function string `group:"AWS" env:"LAUREL_FUNCTION" placeholder:"NAME"`
	Cursor   string `group:"AWS" placeholder:"FILE"`
	settingFlags
}

// operated is a command of an operator: its flags are the command's own, and those of the stores.
type operated[C operate.Command] struct {
	Command C `embed:""`
	operatorFlags
}

// Run does the command, and shows its result.
func (c operated[C]) Run(ctx context.Context, std streams) error {
	return c.do(ctx, std, c.Command, opening{used: true, fill: true})
}

// repairCommand repairs a stack by its name, too, and opens stores with another number of shards.
type repairCommand struct {
	Stack string `group:"AWS" env:"LAUREL_STACK" placeholder:"NAME"`
	operated[*operate.Repair]
}

// Run repairs. The functions of a stack have no way to its dead-letter queue.
func (c repairCommand) Run(ctx context.Context, std streams) error {
	if c.Stack != "" {
		stack, err := openStack(ctx, c.Stack)
		if err != nil {
			return err
		}
		if c.Function == "" {
			if c.Function, err = stack.output("ArchiveFunctionName"); err != nil {
				return fmt.Errorf("stack %s: %w", c.Stack, err)
			}
		}
		if f, found := night.DeadLetters(stack.deadLetters(ctx)); found {
			c.Command.Outside = append(c.Command.Outside, f)
		}
	}
	if !c.Command.Reshard {
		return c.operated.Run(ctx, std)
	}
	c.Command.Shards, _ = strconv.Atoi(std.flags["shards"]) // only a number is taken
	if c.Function == "" && c.Command.Shards == 0 {
		return operate.Usage("--shards is missing: the number of shards that --reshard makes")
	}
	return c.do(ctx, std, c.Command, opening{used: true, reshard: true}, "shards")
}

type rulesCommand struct {
	Try tryCommand `cmd:""`
}

// tryCommand tries a rules file.
type tryCommand struct {
	File string `arg:""`
	operated[*operate.Try]
}

// Run reads the file and shows the boards by it. It needs no view.
func (c tryCommand) Run(ctx context.Context, std streams) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return operate.Usage("%w", err)
	}
	if c.Command.Rules, err = operate.ReadRules(c.File, text); err != nil {
		return err
	}
	return c.do(ctx, std, c.Command, opening{used: true})
}

// pairCommand makes a pairing code. A stack's secret must have the exchanged secrets, so it is checked first.
type pairCommand struct {
	Secret string `group:"AWS" default:"laurel/tokens" placeholder:"NAME"`
	operated[*operate.Pair]
}

// Run makes a code. It needs no view.
func (c pairCommand) Run(ctx context.Context, std streams) error {
	if c.Function != "" {
		if err := completeSecret(ctx, c.Secret); err != nil {
			return err
		}
	}
	return c.do(ctx, std, c.Command, opening{used: true})
}

// do does a command. With a function, only the named settings may be given.
func (f operatorFlags) do(ctx context.Context, std streams, c operate.Command, o opening,
	settings ...string,
) error {
	r, err := operate.Ask(c)
	if err != nil {
		return err
	}
	var slice operate.Slicer
	if f.Function != "" {
		slice, err = f.invoking(ctx, std, settings...)
	} else if f.Cursor != "" {
		err = operate.Usage("--cursor is for --function; without it there is one slice")
	} else if s, failed := f.open(ctx, std, o); failed == nil {
		defer s.close()
		slice = operate.Here(s.App)
	} else if errors.Is(failed, embedded.ErrInUse) {
		c, _ := f.read(std.flags) // open has read them
		slice = beside(c.Data, failed)
	} else {
		err = failed
	}
	if err != nil {
		return err
	}
	w, stop := std.watch(r.Operation)
	reply, err := f.run(ctx, slice, r, w)
	stop()
	if err == nil && reply.Failure != nil {
		err = reply.Failure
	}
	result := reply.Text
	if std.json {
		result = reply.Object
	}
	if _, writing := io.WriteString(std.out, result); err == nil {
		err = writing
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted; run it again to continue")
	case err == nil && reply.Differs:
		return errFound
	default:
		return err
	}
}

// invoking returns a Slicer that uses the function.
func (f operatorFlags) invoking(ctx context.Context, std streams, settings ...string) (operate.Slicer, error) {
	for _, s := range app.Settings(f.groups...) {
		if _, given := std.flags[s.Flag]; given && !slices.Contains(settings, s.Flag) {
			return nil, operate.Usage("--%s and --function: the function has settings of its own", s.Flag)
		}
	}
	return invoking(ctx, f.Function)
}

// run does a command to its end; --cursor keeps the command to continue with, and run starts there.
func (f operatorFlags) run(ctx context.Context, slice operate.Slicer, r operate.Request, w operate.Watch) (
	reply operate.Reply, err error,
) {
	keep, err := cursor(f.Cursor, &r)
	if err != nil {
		return reply, fmt.Errorf("--cursor %s: %w", f.Cursor, err)
	}
	if reply, err = slice.Run(ctx, r, w, keep); err == nil && reply.Failure == nil {
		if err = os.Remove(f.Cursor); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return reply, err
}

// cursor lets a request continue from a file, by its first arguments, and returns a function that saves the command
// to continue with there. Without a file nothing is saved.
func cursor(file string, r *operate.Request) (keep func(next json.RawMessage) error, err error) {
	asked, kept := r.Operation+" "+string(r.Arguments), map[string]json.RawMessage{}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for command, next := range kept {
		if r.Arguments = next; command != asked {
			return nil, operate.Usage("it is of laurel %s", command)
		}
	}
	return func(next json.RawMessage) error {
		text, err := json.Marshal(map[string]json.RawMessage{asked: next})
		if err != nil || file == "" {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}, nil
}
