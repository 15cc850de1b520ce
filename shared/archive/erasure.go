package archive

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"laurel/shared/board"
)

// ErrNoErasure is wrapped if a user was not erased.
var ErrNoErasure = errors.New("archive: the user was not erased")

// The states of an erasure.
const (
	ErasureRunning = "running"
	ErasureDone    = "done"
)

// An Erasure is the state of a user's erasure and the counts of what it removed. It is
// stored under a hash of the user's id and does not have the id.
type Erasure struct {
	State   string           `json:"state"`
	Step    string           `json:"step,omitempty"`    // the current step, as package erasure names it
	Cursor  string           `json:"cursor,omitempty"`  // the position in that step
	Mark    Mark             `json:"mark,omitzero"`     // the position in the final boards
	Waiting []Waiting        `json:"waiting,omitempty"` // boards that are closed and not final yet
	Asked   board.Moment     `json:"asked,omitempty"`   // when the last message for it was sent; 0 without one
	At      board.Moment     `json:"at,omitempty"`      // the tombstone's; 0 before there is one
	Removed map[string]int64 `json:"removed"`           // counts by kind

	Expires int64 `json:"-"` // when the state itself expires, in Unix seconds; 0: never. It is not read back.

	read []byte // the item's data as it was read; nil if there was none
}

// A Waiting is a board from which the user will be erased when it is final.
type Waiting struct {
	Board  string       `json:"board"`
	Window board.Window `json:"window"`
	Period string       `json:"period"`
}

// Erasures counts the erasures that were continued.
type Erasures struct {
	Done  int          `json:"done"`
	Left  int          `json:"left"`
	Since board.Moment `json:"since,omitempty"` // since when the oldest of those that are left is under way; 0 for none
}

// Add counts an erasure after it was continued.
func (e *Erasures) Add(state Erasure) {
	if state.State == ErasureDone {
		e.Done++
		return
	}
	e.Left++
	if began := cmp.Or(state.At, state.Asked); began > 0 && (e.Since == 0 || began < e.Since) {
		e.Since = began
	}
}

// encode returns the erasure's bytes: the same for the same erasure.
func (e Erasure) encode() []byte {
	if e.Removed == nil {
		e.Removed = map[string]int64{}
	}
	data, err := json.Marshal(e)
	if err != nil {
		panic("archive: " + err.Error()) // never: the struct has only strings and numbers
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
// hot, with a name that no board can have: names of boards are in lower case.
func erasureKey(user string) Key { return Key{Partition: "ERASURE#" + userHash(user), Sort: "erasure"} }

// userHash returns the hash that stands for a user's id.
func userHash(user string) string {
	sum := sha256.Sum256([]byte(user))
	return hex.EncodeToString(sum[:])
}

// Erasure reads a user's erasure. The error wraps ErrNoErasure if there was none.
func (a *Archive) Erasure(ctx context.Context, user string) (Erasure, error) {
	key := erasureKey(user)
	items, err := read(ctx, a.store, key)
	if err != nil {
		return Erasure{}, err
	}
	if len(items) == 0 {
		return Erasure{}, fmt.Errorf("%w: %s", ErrNoErasure, key.Partition)
	}
	return decodeErasure(key, items[0].Data)
}

// SaveErasure writes a user's erasure over the one that was read, or a new one if there
// was none, and returns the one to continue with. The error wraps ErrExists if the stored
// one changed since: another process works on it.
func (a *Archive) SaveErasure(ctx context.Context, user string, e Erasure) (Erasure, error) {
	item := Item{Key: erasureKey(user), Data: e.encode(), Expires: e.Expires}
	if err := a.store.Replace(ctx, item, e.read); err != nil {
		return Erasure{}, fmt.Errorf("archive: save an erasure: %w", err)
	}
	e.read = item.Data
	return e, nil
}

// runningErasures is the partition of running erasures, with an item for each under the
// hash of its user. The data is the id, which is needed to continue.
const runningErasures = "ERASING"

func runningKey(user string) Key { return Key{Partition: runningErasures, Sort: userHash(user)} }

// List adds a user to the list of running erasures. It can be repeated.
func (a *Archive) List(ctx context.Context, user string) error {
	item := Item{Key: runningKey(user), Data: []byte(user)}
	if err := a.store.Put(ctx, item); err != nil && !errors.Is(err, ErrExists) {
		return fmt.Errorf("archive: list an erasure: %w", err)
	}
	return nil
}

// Listed says whether a user is on the list of running erasures.
func (a *Archive) Listed(ctx context.Context, user string) (bool, error) {
	items, err := read(ctx, a.store, runningKey(user))
	return len(items) > 0, err
}

// Unlist removes a user from the list of running erasures. It can be repeated.
func (a *Archive) Unlist(ctx context.Context, user string) error {
	if err := a.store.Delete(ctx, runningKey(user)); err != nil {
		return fmt.Errorf("archive: unlist an erasure: %w", err)
	}
	return nil
}

// Erasing returns the users of running erasures, in no order.
func (a *Archive) Erasing(ctx context.Context) ([]string, error) {
	var users []string
	for below := "g"; ; { // after every hash
		items, err := a.list(ctx, runningErasures, below, 100)
		if err != nil || len(items) == 0 {
			return users, err
		}
		for _, item := range items {
			users = append(users, string(item.Data))
			below = item.Sort
		}
	}
}
