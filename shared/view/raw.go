package view

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// A raw is a reply in the form that Redis sent it in, RESP2 or RESP3, being read. What it
// returns are parts of one text: a long reply takes no allocation for each of its elements.
// Once something is not as expected, everything that follows is empty, and Err says so.
type raw struct {
	rest string
	bad  bool
}

// rawCmd puts a command into a transaction whose reply is read by a raw. In a plain pipeline
// it would hide from the client that a cluster's node has moved.
func rawCmd(ctx context.Context, tx redis.Pipeliner, args ...any) *redis.RawCmd {
	cmd := redis.NewRawCmd(ctx, args...)
	_ = tx.Process(ctx, cmd) // it has no error before the transaction is run
	return cmd
}

// readRaw reads the reply to a command that has been run.
func readRaw(cmd *redis.RawCmd) *raw { return &raw{rest: string(cmd.Val())} }

// Err returns what is wrong with the reply as far as it was read.
func (r *raw) Err() error {
	if r.bad {
		return unreadable("a reply of an unexpected form")
	}
	return nil
}

// head reads a line: what kind of value it begins, and the rest of it.
func (r *raw) head() (kind byte, line string) {
	line, rest, whole := strings.Cut(r.rest, "\r\n")
	if !whole || line == "" || r.bad {
		r.bad = true
		return 0, ""
	}
	r.rest = rest
	return line[0], line[1:]
}

// Len reads how many elements an array has.
func (r *raw) Len() int {
	kind, line := r.head()
	n, err := strconv.Atoi(line)
	if r.bad = r.bad || kind != '*' || err != nil || n < 0 || n > len(r.rest); r.bad {
		return 0
	}
	return n
}

// Nested reports whether an array comes next.
func (r *raw) Nested() bool { return strings.HasPrefix(r.rest, "*") }

// Text reads a string or a number; false says that it is null.
func (r *raw) Text() (text string, there bool) {
	kind, line := r.head()
	switch kind {
	case ',', ':', '+':
		return line, true
	case '_':
		return "", false
	case '$':
		n, err := strconv.Atoi(line)
		if n == -1 {
			return "", false
		}
		if err == nil && n >= 0 && n <= len(r.rest)-len("\r\n") {
			text, r.rest = r.rest[:n], r.rest[n+len("\r\n"):]
			return text, true
		}
	}
	r.bad = true
	return "", false
}
