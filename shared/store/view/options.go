package view

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
)

// Options describe a view. Shards, Zone and the table are its identity: a slot of any other is not read.
type Options struct {
	Shards   int           // how many parts boards and users are in, at least 1
	Zone     string        // IANA name of the forum's time zone
	Articles article.Rules // the rules of their ranks
	Prefix   string        // of all keys; "" is KeyPrefix

	// Boards has for each board its name in keys, with the digest of its question (activity.Rules.Digests), and Kept
	// the list of all with their windows (activity.Rules.Kept). Without them every board counts as whole.
	Boards map[string]string
	Kept   string

	Teams map[string][]string // the groups of the teams of each board of teams (activity.Rules.Teams)

	Contests []board.Period // of the rules: those that are not final keep the revisions seen of their months

	// Table returns the table's id, as the head has it. again says that the known id may be out of date.
	Table func(ctx context.Context, again bool) (id string, err error)
}

// Lacks says whether the slot that has the marker is not whole by the boards of these options.
func (o Options) Lacks(m Marker) bool { return m.Boards != o.Kept }

// Is says whether the slot that has the marker is of a view with these options and of a table, complete or not.
func (o Options) Is(m Marker, table string) bool {
	return m.Format == Format && m.Zone == o.Zone && m.Shards == o.Shards && m.Table == table
}

// Identify calls do with the table's id, and once more with the id that the table says now if the error wraps
// ErrStrange.
func (o Options) Identify(ctx context.Context, do func(table string) error) error {
	id, err := o.Table(ctx, false)
	if err != nil {
		return fmt.Errorf("view: the table's id: %w", err)
	}
	err = do(id)
	if !errors.Is(err, ErrStrange) {
		return err
	}
	now, again := o.Table(ctx, true)
	if again != nil || now == id {
		return err
	}
	return do(now)
}

// KeyPrefix begins every key, unless Options say otherwise. A shard's number or a name in braces follows.
const KeyPrefix = "laurel"

// Format is the number of the formats of all values. A slot of another one is filled again.
const Format = 1

// KeepRecent is the number of entries that a list of recent ones keeps.
const KeepRecent = 50

// MaxShards is the largest number of shards.
const MaxShards = 64
