package items_test

import (
	"errors"
	"strings"
	"testing"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// Of people who are saved at once each stands for itself: changes that belong together are made all or none, those of
// a person apart by themselves, and only after the former.
func TestPeopleAreSavedEachByItself(t *testing.T) {
	t.Parallel()
	s := memory(t)
	keys := []items.Key{keyOf(0, 1), keyOf(1, 1), keyOf(2, 1), keyOf(3, 1), keyOf(4, 1)}
	write(t, s, newPerson(keys[0], 1)) // so that another new one is a conflict
	all := []items.Saving{
		{
			Together: []items.Change{newPerson(keys[0], 2), newPerson(keys[1], 2)},
			Apart:    []items.Change{newPerson(keys[2], 2)},
		},
		{Apart: []items.Change{newPerson(keys[0], 3), newPerson(keys[3], 3)}},
		{Together: []items.Change{newPerson(keys[4], 4)}, Apart: []items.Change{{}}},
		{},
	}
	if err := s.Save(t.Context(), func() bool { return false }, all); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(all[0].Err, table.ErrConflict) || len(all[0].Written) != 0 {
		t.Errorf("together on another revision: %+v", all[0])
	}
	if w := all[1].Written; !errors.Is(all[1].Err, table.ErrConflict) || w[0].Err == nil || w[1].Revision == 0 {
		t.Errorf("apart: %+v", all[1])
	}
	w, err := all[2].Written, all[2].Err
	if err == nil || errors.Is(err, table.ErrConflict) || w[0].Revision == 0 || w[1].Err == nil {
		t.Errorf("a change of nothing after a good one: %+v", all[2])
	}
	if all[3].Err != nil {
		t.Errorf("without changes: %v", all[3].Err)
	}
	f := read(t, s, items.Query{People: keys})
	for i, want := range []string{"user-1", "", "", "user-3", "user-4"} {
		if p := f.People[keys[i]].Value; p.Copy().ID != want {
			t.Errorf("person %d is %+v, want %q", i, p, want)
		}
	}
}

// No write begins once the read is too old: a person whose writes were not all made by then is read again.
func TestNothingIsSavedByAnOldRead(t *testing.T) {
	t.Parallel()
	for fresh, want := range []string{"", "", "together", "together apart"} {
		s := memory(t)
		one, other := keyOf(0, 1), keyOf(1, 1)
		all := []items.Saving{{Together: []items.Change{newPerson(one, 1)}, Apart: []items.Change{newPerson(other, 2)}}}
		asked := 0
		if err := s.Save(t.Context(), func() bool { asked++; return asked > fresh }, all); err != nil {
			t.Fatal(err)
		}
		written := read(t, s, items.Query{People: []items.Key{one, other}}).People
		got := ""
		if written[one].Revision != 0 {
			got = "together"
		}
		if written[other].Revision != 0 {
			got += " apart"
		}
		if conflict := errors.Is(all[0].Err, table.ErrConflict); got != want || conflict != (fresh < 3) {
			t.Errorf("fresh %d times: %q is written, %v", fresh, got, all[0].Err)
		}
		if made := len(all[0].Written); made != len(strings.Fields(got)) {
			t.Errorf("fresh %d times: %d results of %q", fresh, made, got)
		}
	}
}
