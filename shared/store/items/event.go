package items

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// MaxEventEntries is how many places of a board an event tells.
const MaxEventEntries = 10

// eventIDBytes is how much of a hash an event's id is.
const eventIDBytes = 18

// An EventKey names an event to send: its address, its moment, by which those of one address are sent in
// order, and its id.
type EventKey struct {
	Address string
	At      board.Moment
	ID      string
}

// An Event is an event to send, with the progress of sending it. It has nobody's id: the ids of its people are read
// when it is sent, so an erasure need not change it.
type Event struct {
	EventKey

	Type    string
	Board   string       // "" with Taken
	Period  board.Period // with Taken the day of the act
	Total   int64
	Entries []Member     // the first of the board
	OfTeams bool         // Teams are the first, in place of Entries
	Teams   []board.Team // ranked
	Taken   *Taken       // in place of a board; else nil

	Since    board.Moment // when it was written
	Attempts int
	Next     board.Moment // the time before which it is not sent; 0: it was never tried
	Trouble  string       // of the last attempt, without anybody's id
}

// A Member is a person on a board, by key.
type Member struct {
	Key    Key
	Packed board.Packed
}

// EventID returns the id of an event: always the same for the same thing told to one address. A period that is made
// final once more has another closing; for events from before it is final, closing is 0.
func (h *Head) EventID(address, kind, name string, p board.Period, closing int64) string {
	b := binary.AppendUvarint(nil, uint64(closing))
	for _, text := range []string{h.Table, address, kind, name, p.String()} {
		b = codec.AppendText(b, text)
	}
	sum := sha256.Sum256(b)
	return "evt_" + base64.RawURLEncoding.EncodeToString(sum[:eventIDBytes])
}

func events(address string) string { return "EVENTS#" + address }

// momentDigits is the number of digits of a moment in a sort key. They suffice until the year 2286.
const momentDigits = 13

func (k EventKey) item() table.Key {
	return table.Key{Partition: events(k.Address), Sort: fmt.Sprintf("%0*d#%s", momentDigits, k.At, k.ID)}
}

// parseEventKey reads a key that item returned.
func parseEventKey(key table.Key) (k EventKey, err error) {
	address, named := strings.CutPrefix(key.Partition, events(""))
	digits, id, cut := strings.Cut(key.Sort, "#")
	moment := int64(0)
	if _, err = fmt.Sscan(strings.TrimLeft(digits, "0"), &moment); err == nil {
		k = EventKey{address, board.Moment(moment), id}
	}
	if err != nil || !named || !cut || k.item() != key {
		return EventKey{}, fmt.Errorf("%w: not the key of an event", codec.ErrDamaged)
	}
	return k, nil
}

// encode writes: type, board, period, total, the number of entries, each with its key and packed score; of a board of
// teams 1 more than the number of teams, each with its group, sum and members, of another one 0; 1 and the points that
// were taken, or 0; then since when, the number of attempts, the next one, and the trouble of the last.
func (e *Event) encode(key table.Key) []byte {
	b := codec.AppendText(codec.AppendText(begin(), e.Type), e.Board)
	b = binary.AppendUvarint(codec.AppendText(b, e.Period.String()), uint64(e.Total))
	b = binary.AppendUvarint(b, uint64(len(e.Entries)))
	for _, entry := range e.Entries {
		b = binary.AppendVarint(append(b, entry.Key[:]...), int64(entry.Packed))
	}
	b = appendTeams(b, e)
	b = e.Taken.append(b)
	b = binary.AppendUvarint(appendMoment(b, e.Since), uint64(e.Attempts))
	return seal(codec.AppendText(appendMoment(b, e.Next), e.Trouble), key)
}

func appendTeams(b []byte, e *Event) []byte {
	if !e.OfTeams {
		return binary.AppendUvarint(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Teams))+1)
	for _, t := range e.Teams {
		b = binary.AppendUvarint(binary.AppendUvarint(codec.AppendText(b, t.Group), uint64(t.Sum)), uint64(t.Members))
	}
	return b
}

func readTeams(r *codec.Reader, e *Event) {
	n := r.Uvarint()
	r.Check(n <= MaxEventEntries+1, outOfRange)
	if e.OfTeams = n > 0; !e.OfTeams || r.Failed() {
		return
	}
	for i := range n - 1 {
		t := board.Team{Rank: int64(i) + 1, Group: r.Text()}
		t.Sum, t.Members = int64(min(r.Uvarint(), math.MaxInt64)), int64(min(r.Uvarint(), math.MaxInt64))
		e.Teams = append(e.Teams, t)
	}
}

func decodeEvent(key table.Key, data []byte) (*Event, error) {
	named, err := parseEventKey(key)
	if err != nil {
		return nil, err
	}
	return decode(key, data, func(r *codec.Reader, e *Event) {
		e.EventKey, e.Type, e.Board = named, r.Text(), r.Text()
		bad := e.Period.UnmarshalText([]byte(r.Text()))
		r.Check(bad == nil, outOfRange)
		e.Period = e.Period.Of(e.Board)
		e.Total = int64(min(r.Uvarint(), math.MaxInt64))
		e.Entries = make([]Member, r.Count(len(Key{})+1))
		for i := range e.Entries {
			copy(e.Entries[i].Key[:], r.Take(uint64(len(Key{}))))
			e.Entries[i].Packed = board.Packed(r.Varint())
		}
		readTeams(r, e)
		e.Taken = readTaken(r)
		e.Since, e.Attempts = readMoment(r), int(min(r.Uvarint(), math.MaxInt32))
		e.Next, e.Trouble = readMoment(r), r.Text()
	})
}

// An EventRow is an event with its revision, which one that is damaged has, too.
type EventRow struct {
	Row[*Event]
	item table.Key
}

// Events returns the first events of an address in the order in which they are sent, at most so many.
func (s *Store) Events(ctx context.Context, address string, limit int) ([]EventRow, error) {
	items, err := s.table.Ascend(ctx, events(address), "", afterAll, limit)
	if err != nil {
		return nil, wrap("read events", err)
	}
	all, row := make([]EventRow, len(items)), rowBy(decodeEvent)
	for i, item := range items {
		all[i] = EventRow{row(item), item.Key}
		all[i].Revision = item.Revision
	}
	return all, nil
}

// DropEvent deletes an event as it was read. The error wraps table.ErrConflict if it was changed since;
// one that is gone is none.
func (s *Store) DropEvent(ctx context.Context, row EventRow) error {
	w := table.Write{Item: table.Item{Key: row.item}, Was: row.Revision, Gone: true}
	return wrap("delete an event", s.table.Write(ctx, w)[0].Err)
}

// DropEvents deletes all events of an address and returns how many there were.
func (s *Store) DropEvents(ctx context.Context, address string) (int64, error) {
	n, err := s.deleteAll(ctx, events(address), afterAll)
	return n, wrap("delete the events of "+address, err)
}

// maxWaiting is how many events of an address are counted.
const maxWaiting = 1_000

// An EventQueue has the number of events that wait for an address, and the state of the first.
type EventQueue struct {
	Address  string
	Waiting  int          // 1,000 stands for that many or more
	Since    board.Moment // when the first was written; 0: nothing waits, or it is damaged
	Attempts int          // to send it
	Next     board.Moment // the time before which it is not tried again; 0: it was never tried
	Trouble  string       // of the last attempt
}

// EventQueue reads the queue of an address.
func (s *Store) EventQueue(ctx context.Context, address string) (EventQueue, error) {
	rows, err := s.Events(ctx, address, maxWaiting)
	q := EventQueue{Address: address, Waiting: len(rows)}
	if len(rows) > 0 && rows[0].Err == nil {
		first := rows[0].Value
		q.Since, q.Attempts, q.Next, q.Trouble = first.Since, first.Attempts, first.Next, first.Trouble
	}
	return q, err
}
