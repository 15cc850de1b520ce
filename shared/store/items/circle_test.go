package items_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
)

// A lagging table answers eventual reads as it did the first time, and counts reads.
type lagging struct {
	items.Table
	first            []table.Item
	strong, eventual int
	beside           func() // runs during the next eventual read
}

func (t *lagging) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	t.strong++
	return t.Table.Get(ctx, keys...)
}

func (t *lagging) GetEventually(ctx context.Context, keys ...table.Key) (rows []table.Item, err error) {
	if t.eventual++; t.first == nil {
		t.first, err = t.Table.GetEventually(ctx, keys...)
	}
	if t.beside != nil {
		t.beside()
		t.beside = nil
	}
	return t.first, err
}

// follows returns the change by which a person follows n people, all of one sixteenth.
func follows(key items.Key, was int64, part byte, n int) items.Change {
	list := &items.FollowPart{}
	for i := range n {
		list.Targets = append(list.Targets, items.Followed{ID: fmt.Sprint(part, "-", i), Last: now})
	}
	return items.Change{Was: was, Follows: &items.FollowsChange{
		Key: items.FollowsKey{Person: key, Part: part}, Value: list,
	}}
}

// A circle is kept for a minute and read for half of the units; but changes by this process are seen at once, though
// copies of the table lag and though the circle is changed during a read.
func TestCircles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := embedded.New(time.Now)
		defer rows.Close()
		counted, ann := &lagging{Table: rows}, keyOf(3, 1)
		mine, other := begun(t, counted), items.New(rows, "UTC", now.Time)
		check := func(when string, follows, strong, eventual int) {
			t.Helper()
			time.Sleep(time.Millisecond) // since the write
			counted.strong, counted.eventual = 0, 0
			c, err := mine.CircleOf(t.Context(), ann)
			if err != nil || len(c.Users) != follows || counted.strong != strong || counted.eventual != eventual {
				t.Errorf("%s: follows %d, want %d; %d strong and %d eventual reads, %v", when, len(c.Users), follows,
					counted.strong, counted.eventual, err)
			}
		}
		check("at first", 0, 0, 1)
		check("then", 0, 0, 0)
		written := write(t, mine, follows(ann, 0, 1, 1), newPerson(ann, 1))
		check("followed here", 1, 1, 0)
		check("then", 1, 0, 0)
		write(t, other, follows(ann, written[0].Revision, 1, 2))
		check("followed elsewhere", 1, 0, 0)
		time.Sleep(time.Minute)
		counted.first = nil
		check("a minute later", 2, 0, 1)
		time.Sleep(time.Minute)
		if _, err := mine.Together(t.Context(), follows(ann, 0, 2, 1)); err != nil {
			t.Fatal(err)
		}
		check("in a transaction", 3, 1, 0)
		time.Sleep(time.Minute)
		counted.beside = func() {
			time.Sleep(time.Millisecond)
			p := personOf(1)
			p.Status.Hidden = true
			write(t, mine, items.Change{Was: written[1].Revision, Person: &items.PersonChange{Key: ann, Value: p}})
		}
		check("changed during the read", 2, 0, 1)
		check("then", 3, 1, 0)
		if c, err := mine.CircleOf(t.Context(), ann); err != nil || !c.Status.Hidden {
			t.Errorf("the status is %+v, %v", c.Status, err)
		}
	})
}

// Of many long lists as many are kept as there is room for.
func TestCirclesAreBounded(t *testing.T) {
	t.Parallel()
	rows := embedded.New(time.Now)
	defer rows.Close()
	counted := &lagging{Table: rows}
	s, first := begun(t, counted), keyOf(0, 0)
	for n := range 41 {
		var changes []items.Change
		for part := range byte(items.FollowParts) {
			changes = append(changes, follows(keyOf(0, n), 0, part, 312))
		}
		write(t, items.New(rows, "UTC", now.Time), changes...)
		counted.first = nil
		if c, err := s.CircleOf(t.Context(), keyOf(0, n)); err != nil || len(c.Users) != 16*312 || !slices.IsSorted(c.Users) {
			t.Fatal(len(c.Users), err)
		}
		if n == 39 {
			before := counted.strong + counted.eventual
			if _, err := s.CircleOf(t.Context(), first); err != nil || counted.strong+counted.eventual > before {
				t.Errorf("%d lists are not kept: %v", n, err)
			}
		}
	}
	before := counted.strong
	if _, err := s.CircleOf(t.Context(), first); err != nil || counted.strong == before {
		t.Errorf("too many are kept, or it is not known any more who was changed: %v", err)
	}
}
