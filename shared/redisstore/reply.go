package redisstore

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// Unreadable makes the error about an answer of a script that cannot be read.
func Unreadable(what string) error { return fmt.Errorf("%w: %s", ErrStored, what) }

// FirstError returns the first error of commands, none for what is missing.
func FirstError(cmds ...redis.Cmder) error {
	for _, c := range cmds {
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
	}
	return nil
}

// Texts reads an array of strings.
func Texts(reply any) []string {
	array, _ := reply.([]any)
	all := make([]string, len(array))
	for i, v := range array {
		all[i], _ = v.(string)
	}
	return all
}

// PackedArg writes a score for a script, "" for none.
func PackedArg(p board.Packed) string {
	if p == 0 {
		return ""
	}
	return strconv.FormatInt(int64(p), 10)
}

// ParsePacked reads a packed score as servers write it: a whole number, some
// with an exponent.
func ParsePacked(text string) (board.Packed, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return board.Packed(n), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int64(f)) {
		return 0, fmt.Errorf("redisstore: %q is not a packed score", text)
	}
	return board.Packed(f), nil
}
