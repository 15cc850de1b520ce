package redisview

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// allowOOM begins a script that runs in a full Redis, from Redis 7 on.
const allowOOM = "#!lua flags=allow-oom\n"

// A script is a Lua script, hashed once: as it is, and as it runs in a full Redis.
type script struct{ plain, full form }

// form is a text and its hash.
type form struct{ text, hash string }

//go:embed *.lua
var sources embed.FS

// newScript returns the script of files beside this one: functions that scripts share, then the script.
func newScript(files ...string) *script {
	var text strings.Builder
	for _, file := range files {
		source, err := sources.ReadFile(file)
		if err != nil {
			panic(err)
		}
		text.Write(source)
	}
	return &script{formOf(text.String()), formOf(allowOOM + text.String())}
}

func formOf(text string) form { return form{text, redis.NewScript(text).Hash()} }

// A call is one run of a script: its input, the command that answers, and the function that takes the
// answer in. The shape of an answer is the script's, as its header says; data that Redis holds may be
// anything.
type call struct {
	script   *script
	keys     []string
	args     []string
	whenFull bool // it runs in a full Redis too: it only removes
	cmd      *redis.Cmd
	take     func(reply []any) error // of those that ask runs
}

// ask runs scripts and takes their answers in.
func (s *Store) ask(ctx context.Context, operation string, calls ...*call) error {
	s.run(ctx, calls)
	return takeAll(operation, calls)
}

// takeAll takes the answers of scripts in.
func takeAll(operation string, calls []*call) error {
	for _, c := range calls {
		reply, err := c.cmd.Slice()
		if err != nil {
			return unavailable(operation, err)
		}
		if err := c.take(reply); err != nil {
			return err
		}
	}
	return nil
}

// number runs a script that answers with a number.
func (s *Store) number(ctx context.Context, operation string, c *call) (int64, error) {
	s.run(ctx, []*call{c})
	n, err := c.cmd.Int64()
	if err != nil {
		return 0, unavailable(operation, err)
	}
	return n, nil
}

// run runs scripts, all in one pipeline. A server that does not know one (it was restarted, or its cache was
// flushed) gets those again with their text: an exception of one round trip. Errors are the calls' own, in their cmd.
func (s *Store) run(ctx context.Context, calls []*call) {
	if len(calls) == 0 {
		return
	}
	pipe := s.client.Pipeline()
	for _, c := range calls {
		c.evalIn(ctx, pipe, "evalsha", &s.form(c).hash)
	}
	_, _ = pipe.Exec(ctx)
	s.runAgain(ctx, calls, func(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "NOSCRIPT") })
	if slices.ContainsFunc(calls, func(c *call) bool { return isUnflagged(c.cmd.Err()) }) {
		s.unflagged.Store(true)
		s.runAgain(ctx, calls, isUnflagged)
	}
}

// form returns the form of a call's script that is run.
func (s *Store) form(c *call) *form {
	if c.whenFull && !s.unflagged.Load() {
		return &c.script.full
	}
	return &c.script.plain
}

// evalIn puts the call into a pipeline. It copies no text.
func (c *call) evalIn(ctx context.Context, pipe redis.Pipeliner, command string, script *string) {
	args := append(make([]any, 0, 3+len(c.keys)+len(c.args)), command, script, len(c.keys))
	for i := range c.keys {
		args = append(args, &c.keys[i])
	}
	for i := range c.args {
		args = append(args, &c.args[i])
	}
	c.cmd = redis.NewCmd(ctx, args...)
	c.cmd.SetFirstKeyPos(3)
	_ = pipe.Process(ctx, c.cmd)
}

// runAgain runs the calls with an error of a kind again, with the script's text.
func (s *Store) runAgain(ctx context.Context, calls []*call, kind func(error) bool) {
	pipe := s.client.Pipeline()
	for _, c := range calls {
		if kind(c.cmd.Err()) {
			c.evalIn(ctx, pipe, "eval", &s.form(c).text)
		}
	}
	if pipe.Len() > 0 {
		_, _ = pipe.Exec(ctx)
	}
}

// isUnflagged says whether a server does not know the flags of a script, and took their line for Lua: the embedded
// one, or a Redis before 7. It has run nothing.
func isUnflagged(err error) bool {
	return err != nil && strings.Contains(err.Error(), "ompiling script")
}

// Answers of scripts for a slot that is not the one that was declared: it has another identity, which the caller may
// know from the table; it is being filled, or has none; the board is not whole in it, or the rolling period, with the
// oldest day that it keeps and the newest whole one.
const (
	strangeReply = "STRANGE"
	fillingReply = "FILLING"
	unreadyReply = "UNREADY"
)

// An unready is the error of a board that is not whole.
type unready struct{ days view.Rolling }

// Error says that the board is not whole.
func (u unready) Error() string { return view.ErrUnready.Error() }

// Unwrap returns the errors that it stands for.
func (u unready) Unwrap() []error {
	return []error{view.ErrUnavailable, view.ErrFilling, view.ErrUnready}
}

// unreadyOf reads the error of a board that is not whole.
func unreadyOf(reply string) unready {
	var u unready
	_, numbers, _ := strings.Cut(reply, unreadyReply)
	_, _ = fmt.Sscan(numbers, &u.days.Oldest, &u.days.Whole) // there are none if the whole window is not
	return u
}

// unavailable wraps the error of an operation on Redis.
func unavailable(operation string, err error) error {
	switch {
	case errors.Is(err, view.ErrUnavailable), errors.Is(err, ErrStored):
		return err
	case redis.IsOOMError(err):
		return fmt.Errorf("%w: %w: %s: %w", view.ErrUnavailable, view.ErrFull, operation, err)
	case strings.Contains(err.Error(), strangeReply):
		return fmt.Errorf("%w: %w: %s: %w", view.ErrUnavailable, view.ErrFilling, operation, view.ErrStrange)
	case strings.Contains(err.Error(), unreadyReply):
		return unreadyOf(err.Error())
	case strings.Contains(err.Error(), fillingReply):
		return fmt.Errorf("%w: %w: %s", view.ErrUnavailable, view.ErrFilling, operation)
	}
	return fmt.Errorf("%w: %s: %w", view.ErrUnavailable, operation, err)
}

// plain reads slots by the plain commands that ask puts into a pipeline with their markers. Slots that
// are being filled are read only with filling. As identity does, it may do all of that twice.
func (s *Store) plain(ctx context.Context, operation string, slots []view.Slot, filling bool, ask func(redis.Pipeliner),
) error {
	if len(slots) == 0 {
		return nil
	}
	return s.identity(ctx, func(identity string) error {
		pipe := s.client.Pipeline()
		markers := make([]*redis.SliceCmd, len(slots))
		for i, slot := range slots {
			markers[i] = pipe.HMGet(ctx, s.markerKey(slot), "is", "fill")
		}
		ask(pipe)
		cmds, _ := pipe.Exec(ctx) // commands have their own errors
		for _, cmd := range markers {
			values, err := cmd.Result()
			if err != nil {
				return unavailable(operation, err)
			}
			switch fields := texts(values); {
			case fields[0] == identity && (filling || fields[1] == ""):
			case fields[0] == identity, fields[0] == "":
				return unavailable(operation, errors.New(fillingReply))
			default:
				return unavailable(operation, errors.New(strangeReply))
			}
		}
		for _, cmd := range cmds {
			if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
				return unavailable(operation, err)
			}
		}
		return nil
	})
}

// texts reads an array of strings, "" for other values.
func texts(reply any) []string {
	array, _ := reply.([]any)
	all := make([]string, len(array))
	for i, v := range array {
		all[i], _ = v.(string)
	}
	return all
}

// packedArg writes a packed score for a script, "" for none.
func packedArg(p board.Packed) string {
	if p == 0 {
		return ""
	}
	return strconv.FormatInt(int64(p), 10)
}

// parsePacked reads a packed score as servers write it: a whole number, some with an exponent.
func parsePacked(text string) (board.Packed, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return board.Packed(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) {
		return 0, unreadable(fmt.Sprintf("packed score %q", text))
	}
	return board.Packed(f), nil
}
