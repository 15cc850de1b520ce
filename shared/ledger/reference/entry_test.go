package reference_test

import (
	"testing"

	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

func TestStandsAndCountsAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		moments reference.Moments
		stands  bool
		at      board.Moment // when it stands
	}{
		{"nothing", reference.Moments{}, false, 0},
		{"undone alone", reference.Moments{Undone: 5}, false, 0},
		{"done once", reference.Moments{First: 5, Last: 5}, true, 5},
		{"done twice counts at the first", reference.Moments{First: 5, Last: 9}, true, 5},
		{"undone before the first", reference.Moments{First: 5, Last: 9, Undone: 4}, true, 5},
		{"undone at the first", reference.Moments{First: 5, Last: 9, Undone: 5}, true, 9},
		{"undone in between counts at the last", reference.Moments{First: 5, Last: 9, Undone: 7}, true, 9},
		{"undone at the last: the undo wins", reference.Moments{First: 5, Last: 9, Undone: 9}, false, 0},
		{"undone after the last", reference.Moments{First: 5, Last: 9, Undone: 10}, false, 0},
		{
			"restored after the undo counts at the first",
			reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 11},
			true,
			5,
		},
		{"restored at the undo: the restore wins", reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 10}, true, 5},
		{"restored before the undo", reference.Moments{First: 5, Last: 9, Undone: 10, Restored: 9}, false, 0},
		{"restored alone", reference.Moments{Restored: 9}, false, 0},
		{"undone at the only moment", reference.Moments{First: 5, Last: 5, Undone: 5}, false, 0},
	} {
		if got := c.moments.Stands(); got != c.stands {
			t.Errorf("%s: Stands() = %v, want %v", c.name, got, c.stands)
		}
		if c.stands && c.moments.CountsAt() != c.at {
			t.Errorf("%s: CountsAt() = %d, want %d", c.name, c.moments.CountsAt(), c.at)
		}
	}
}
