package records

import (
	"encoding/json"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// Format is the number of the formats of all items; a table of a greater one is from the
// future: nothing is written to it.
const Format = 1

// A Head is the state of the forum, one item, which is read with every report. It is written
// rarely, by ChangeHead.
type Head struct {
	Format int    `json:"format"`
	Zone   string `json:"zone"`   // IANA name; it never changes
	Table  string `json:"table"`  // random id of the table; another one makes every view a stranger
	Secret []byte `json:"secret"` // 32 random bytes, by which people's keys are made

	Begun board.Moment  `json:"begun"`          // when the table was first used
	From  board.MonthOf `json:"from,omitempty"` // the first month of which there is a ledger; 0: none
	Life  *board.Life   `json:"life,omitempty"` // of periods that are not live; with the months held by imports

	Voids    bool       `json:"voids,omitempty"`    // there are items of void targets
	Imports  []Import   `json:"imports,omitempty"`  // in progress
	Erasures int64      `json:"erasures,omitempty"` // how many have begun since none was at work; 0: none is
	Behind   *Behind    `json:"behind,omitempty"`   // the view is behind the table: to be compared; nil: it is not
	Beat     int64      `json:"beat,omitempty"`     // of the last tick; every slot of the view has at least it
	Night    board.Date `json:"night,omitempty"`    // the day of the last night that left nothing; 0: none
}

// An Import is one in progress. Its months are held in Life.
type Import struct {
	ID     string          `json:"id"`
	Name   string          `json:"name"` // of the input, for people
	Since  board.Moment    `json:"since"`
	Months []board.MonthOf `json:"months"`
}

// Behind says since when, and why, the view may lack something.
type Behind struct {
	Since  board.Moment `json:"since"`
	Reason string       `json:"reason"`
	Number int64        `json:"number"`          // new each time somebody says so; who has caught up clears its own
	Begun  int64        `json:"begun,omitempty"` // the number that a comparison began with last
}

func (h *Head) encode() ([]byte, error) {
	data, err := json.Marshal(h) //nolint:gosec // the table has the forum's key
	return data, wrap("encode the head", err)
}

func (h *Head) copy() (*Head, error) {
	data, err := h.encode()
	if err != nil {
		return nil, err
	}
	return decodeHead(data)
}

// decodeHead reads the head's item. The error wraps ErrFormat or codec.ErrDamaged.
func decodeHead(data []byte) (*Head, error) {
	var format struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &format); err != nil {
		return nil, fmt.Errorf("records: %w: the head: %w", codec.ErrDamaged, err)
	}
	if format.Format > Format {
		return nil, fmt.Errorf("%w: %d, this program knows %d", ErrFormat, format.Format, Format)
	}
	h := &Head{}
	if err := json.Unmarshal(data, h); err != nil {
		return nil, fmt.Errorf("records: %w: the head: %w", codec.ErrDamaged, err)
	}
	if format.Format < 1 || h.Zone == "" || h.Table == "" || len(h.Secret) == 0 {
		return nil, fmt.Errorf("records: %w: the forum's head is incomplete", codec.ErrDamaged)
	}
	return h, nil
}
