package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/shared/board"
)

// ErrNoErasure is wrapped when a user has not been erased.
var ErrNoErasure = errors.New("archive: the user was not erased")

// The states of an erasure.
const (
	ErasureRunning = "running"
	ErasureDone    = "done"
)

// An Erasure is how far a user's erasure is, and what it removed where. It is kept
// under a hash of the user's id, which is not in it.
type Erasure struct {
	State   string           `json:"state"`
	Step    string           `json:"step,omitempty"`    // what it is at, in the words of who does it
	Cursor  string           `json:"cursor,omitempty"`  // how far it is in that step, likewise
	Mark    Mark             `json:"mark,omitzero"`     // how far it is in the final boards
	Waiting []Waiting        `json:"waiting,omitempty"` // boards that were closed and not final yet
	Asked   board.Moment     `json:"asked,omitempty"`   // when the last message that asked for it was sent; 0: none did
	Removed map[string]int64 `json:"removed"`           // how many of what

	read []byte // the item's data as it was read; nil: there was none
}

// A Waiting is a board that the user is to be erased from once it is final.
type Waiting struct {
	Board  string       `json:"board"`
	Window board.Window `json:"window"`
	Period string       `json:"period"`
}

// encode gives an erasure's bytes: the same for the same erasure.
func (e Erasure) encode() []byte {
	if e.Removed == nil {
		e.Removed = map[string]int64{}
	}
	data, err := json.Marshal(e)
	if err != nil {
		panic("archive: " + err.Error()) // the struct has nothing that could fail
	}
	return data
}

func decodeErasure(key Key, data []byte) (Erasure, error) {
	e := Erasure{read: data}
	if err := json.Unmarshal(data, &e); err != nil {
		return Erasure{}, damaged(key, err.Error())
	}
	if e.State != ErasureRunning && e.State != ErasureDone {
		return Erasure{}, damaged(key, fmt.Sprintf("state %q", e.State))
	}
	return e, nil
}

// erasureKey is that of a user's erasure: a partition of its own, so that none is
// hot, with a name that no board's can have, as those are in lower case.
func erasureKey(user string) Key { return Key{"ERASURE#" + userHash(user), "erasure"} }

// userHash is what stands for a user where the id must not.
func userHash(user string) string {
	sum := sha256.Sum256([]byte(user))
	return hex.EncodeToString(sum[:])
}

// Erasure reads a user's erasure. The error wraps ErrNoErasure when there was none.
func (a *Archive) Erasure(ctx context.Context, user string) (Erasure, error) {
	key := erasureKey(user)
	items, err := a.store.Get(ctx, key)
	if err != nil {
		return Erasure{}, fmt.Errorf("archive: read %s: %w", key, err)
	}
	if len(items) == 0 {
		return Erasure{}, fmt.Errorf("%w: %s", ErrNoErasure, key.Partition)
	}
	return decodeErasure(key, items[0].Data)
}

// SaveErasure writes a user's erasure in the place of the one that it was made of
// by changing its fields, or where there is none for a new one. It returns the one
// to go on with. The error wraps ErrExists when another is there by now: somebody
// else is at it.
func (a *Archive) SaveErasure(ctx context.Context, user string, e Erasure) (Erasure, error) {
	item := Item{Key: erasureKey(user), Data: e.encode()}
	if err := a.store.Replace(ctx, item, e.read); err != nil {
		return Erasure{}, fmt.Errorf("archive: save an erasure: %w", err)
	}
	e.read = item.Data
	return e, nil
}
