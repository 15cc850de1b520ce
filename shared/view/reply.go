package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// A check is a marker that is read along with what plain commands read in a slot.
type check struct{ cmd *redis.SliceCmd }

// checkIn puts the reading of a slot's marker into a pipeline.
func (s *Store) checkIn(ctx context.Context, pipe redis.Pipeliner, slot Slot) check {
	return check{pipe.HMGet(ctx, s.markerKey(slot), "is", "fill")}
}

// err returns what is wrong with the slot for who declares an identity: a slot that is being
// filled is read only with filling.
func (c check) err(is string, filling bool) error {
	values, err := c.cmd.Result()
	if err != nil {
		return unavailable("read a marker", err)
	}
	switch fields := texts(values); {
	case fields[0] == is && (filling || fields[1] == ""):
		return nil
	case fields[0] == is, fields[0] == "":
		return fmt.Errorf("%w: %w", ErrUnavailable, ErrFilling)
	default:
		return fmt.Errorf("%w: %w: %w", ErrUnavailable, ErrFilling, errStrange)
	}
}

// firstError returns the first error of commands, none for what is missing.
func firstError[C redis.Cmder](cmds ...C) error {
	for _, c := range cmds {
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	return nil
}

// texts reads an array of strings, "" for what is none.
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
