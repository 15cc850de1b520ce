package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// plain reads slots by plain commands, in one pipeline with their markers: for who declares an identity. Slots
// that are being filled are read only with filling.
func (s *Store) plain(ctx context.Context, is string, slots []Slot, filling bool, ask func(redis.Pipeliner)) error {
	if len(slots) == 0 {
		return nil
	}
	pipe := s.client.Pipeline()
	markers := make([]*redis.SliceCmd, len(slots))
	for i, slot := range slots {
		markers[i] = pipe.HMGet(ctx, s.markerKey(slot), "is", "fill")
	}
	ask(pipe)
	_, _ = pipe.Exec(ctx) // commands have their own errors
	for _, cmd := range markers {
		values, err := cmd.Result()
		if err != nil {
			return unavailable("read a marker", err)
		}
		switch fields := texts(values); {
		case fields[0] == is && (filling || fields[1] == ""):
		case fields[0] == is, fields[0] == "":
			return fmt.Errorf("%w: %w", ErrUnavailable, ErrFilling)
		default:
			return fmt.Errorf("%w: %w: %w", ErrUnavailable, ErrFilling, errStrange)
		}
	}
	return nil
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
