//go:build lean

package app

import "errors"

// ErrLean is the error of all that a program with the tag lean has no client for: it compiles in half the time.
var ErrLean = errors.New("this program was built with the tag lean, without clients of Redis, DynamoDB and AWS: " +
	"build it without the tag, as go run ./cmd/laurel does")

func checkRedis(string, bool) error { return ErrLean }

func checkDynamoDB() error { return ErrLean }
