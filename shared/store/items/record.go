package items

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// RecordMonths is how many months an act stays in the operators' record.
const RecordMonths = 13

// An Act of the service or an operator, as the operators' record has it: in the words of its command. It names a person
// by key alone, and of an erasure nobody.
type Act struct {
	At      board.Moment `json:"-"`
	ID      string       `json:"-"` // its sort key: in the order of moments
	Command string       `json:"command"`
	Person  string       `json:"person,omitempty"` // the key's text
	Other   string       `json:"other,omitempty"`  // of a void pair or a merge, the other person's key
	Target  string       `json:"target,omitempty"`
	Period  string       `json:"period,omitempty"`
	Award   string       `json:"award,omitempty"`
	Board   string       `json:"board,omitempty"`
	Points  int64        `json:"points,omitempty"`
	Count   int64        `json:"count,omitempty"`
	Reason  string       `json:"reason,omitempty"`
}

const partRecord = "RECORD"

// actIDRandom is how much of a random text tells acts of one nanosecond apart.
const actIDRandom = 4

// Act returns the write of an act of now, for one transaction with the change itself.
func (s *Store) Act(a Act) Change {
	a.At = board.MomentOf(s.clock())
	order := strconv.FormatInt(time.Now().UnixNano(), 36) // of those of one moment
	a.ID = fmt.Sprintf("%0*d-%s%s", momentDigits, a.At, order, strings.ToLower(rand.Text()[:actIDRandom]))
	return Change{Act: &a}
}

func actKey(id string) table.Key { return table.Key{Partition: partRecord, Sort: id} }

func (a *Act) encode(table.Key) []byte { return encodeJSON(a) }

func decodeAct(key table.Key, data []byte) (*Act, error) {
	a := &Act{ID: key.Sort}
	err := json.Unmarshal(data, a)
	if _, failed := fmt.Sscanf(key.Sort, "%d", &a.At); cmp.Or(err, failed) != nil || !a.At.Valid() {
		return nil, fmt.Errorf("items: %s: %w: no act", key, codec.ErrDamaged)
	}
	return a, nil
}

// A Recorded is an act with the ids of its people, "" if there is none, or the person was erased since.
type Recorded struct {
	Act
	User, OtherUser string
}

// Record returns acts of the operators' record, the newest first: those before one of an id, "" for all, at most limit.
func (s *Store) Record(ctx context.Context, before string, limit int) ([]Recorded, error) {
	found, err := s.table.Descend(ctx, partRecord, cmp.Or(before, afterAll), limit)
	if err != nil {
		return nil, wrap("read the record", err)
	}
	all := make([]Recorded, 0, len(found))
	var q Query
	for _, item := range found {
		a, err := decodeAct(item.Key, item.Data)
		if err != nil {
			return nil, err
		}
		all = append(all, Recorded{Act: *a})
		for _, text := range []string{a.Person, a.Other} {
			if key, err := ParseKey(text); err == nil {
				q.People = append(q.People, key)
			}
		}
	}
	people, err := s.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	idOf := func(text string, moment board.Moment) string {
		key, err := ParseKey(text)
		if p := people.People[key].Value; err == nil && p != nil && moment > p.Erased {
			return p.ID
		}
		return ""
	}
	for i := range all {
		all[i].User, all[i].OtherUser = idOf(all[i].Person, all[i].At), idOf(all[i].Other, all[i].At)
	}
	return all, nil
}

// actWithin is how much later than its moment a change is written at most.
const actWithin = 15 * time.Second

// ReasonOf returns the reason of the act of a moment that an answer is true for, "" if the record has none.
func (s *Store) ReasonOf(ctx context.Context, moment board.Moment, is func(*Act) bool) (string, error) {
	first, last := fmt.Sprintf("%0*d", momentDigits, moment), fmt.Sprintf("%0*d", momentDigits, moment.Add(actWithin))
	for {
		found, err := s.table.Ascend(ctx, partRecord, first, last, pageLen)
		if err != nil || len(found) == 0 {
			return "", wrap("read the record", err)
		}
		for _, item := range found {
			if a, err := decodeAct(item.Key, item.Data); err == nil && is(a) {
				return a.Reason, nil
			}
			first = item.Sort
		}
		if len(found) < pageLen {
			return "", nil
		}
	}
}

// ForgetRecord deletes the acts before a moment, and returns how many.
func (s *Store) ForgetRecord(ctx context.Context, now time.Time) (n int64, err error) {
	last := fmt.Sprintf("%0*d", momentDigits, board.MomentOf(now.AddDate(0, -RecordMonths, 0)))
	n, err = s.deleteAll(ctx, partRecord, last)
	return n, wrap("forget the record", err)
}
