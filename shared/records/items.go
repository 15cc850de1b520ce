package records

import (
	"encoding/json"
	"fmt"
	"slices"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// A FollowPart is a sixteenth of a follow list: the ids of its targets with their moments.
type FollowPart struct {
	Targets []Followed // by the hash of the id, then id
}

// A Followed is a target of a follow list.
type Followed struct {
	ID           string
	Last, Undone board.Moment
}

// An Article is an article as it is kept: its page, and the votes once they are final.
type Article struct {
	article.Page
}

func (a *Article) encode(key table.Key) []byte {
	page := a.Page
	page.ID = key.Sort
	return []byte(page.EncodeKept())
}

func decodeArticle(key table.Key, data []byte) (*Article, error) {
	page, err := article.DecodeKept(key.Sort, string(data))
	if err != nil {
		return nil, wrap("read", err)
	}
	return &Article{page}, nil
}

// A VoidState is how far a void is carried out.
type VoidState string

// The states of a void.
const (
	VoidWaiting   VoidState = "waiting"
	VoidRunning   VoidState = "running"
	VoidDone      VoidState = "done"
	VoidWithdrawn VoidState = "withdrawn"
)

// voidStates returns the states by the byte that stands for each.
func voidStates() []VoidState {
	return []VoidState{VoidWaiting, VoidRunning, VoidDone, VoidWithdrawn}
}

// A Void says until when a target is void, and how far that is carried out.
type Void struct {
	Target      string
	Until       board.Moment
	Begun, Done board.Moment // up to when what arrives is undone, and up to when everything is; 0: none is
	State       VoidState
	Since       board.Moment // when it came into its state, by real time
	Cursor      string       // the pass that carries it out, "" for none
}

func (v *Void) encode(key table.Key) []byte {
	state := max(slices.Index(voidStates(), v.State), 0)
	b := appendMoment(append(begin(), byte(state)), v.Until)
	b = appendMoment(appendMoment(appendMoment(b, v.Begun), v.Done), v.Since)
	return seal(codec.AppendText(b, v.Cursor), key)
}

func decodeVoid(key table.Key, data []byte) (*Void, error) {
	r, err := open(key, data)
	if err != nil {
		return nil, err
	}
	v, states, state := &Void{Target: key.Sort}, voidStates(), int(r.Byte())
	r.Check(state < len(states), outOfRange)
	v.State = states[min(state, len(states)-1)]
	v.Until, v.Begun, v.Done = readMoment(&r), readMoment(&r), readMoment(&r)
	v.Since, v.Cursor = readMoment(&r), r.Text()
	if err := done(key, &r); err != nil {
		return nil, err
	}
	return v, nil
}

// An Erasure is how far the erasure of a person is; it has no id.
type Erasure struct {
	State   string           `json:"state"` // running, done
	Asked   board.Moment     `json:"asked,omitempty"`
	At      board.Moment     `json:"at,omitempty"`    // the tombstone's moment
	Since   board.Moment     `json:"since,omitempty"` // when the first half ended, by real time
	Step    string           `json:"step,omitempty"`
	Cursor  string           `json:"cursor,omitempty"`
	Removed map[string]int64 `json:"removed"`
}

func decodeErasure(key table.Key, data []byte) (*Erasure, error) {
	e := &Erasure{}
	if err := json.Unmarshal(data, e); err != nil {
		return nil, fmt.Errorf("records: %s: %w: %w", key, codec.ErrDamaged, err)
	}
	return e, nil
}

func decodeLedger(key table.Key, data []byte) (*ledger.MonthLedger, error) {
	m, err := ledger.DecodeMonthLedger(data)
	if err != nil {
		return nil, fmt.Errorf("records: %s: %w", key, err)
	}
	return m, nil
}

// rowOf reads an item.
func rowOf[T any](item table.Item, decode func(table.Key, []byte) (T, error)) Row[T] {
	value, err := decode(item.Key, item.Data)
	if err != nil {
		return Row[T]{Err: err}
	}
	return Row[T]{Value: value, Revision: item.Revision}
}
