package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

// A page of a later or an earlier format is not damaged: the error names the formats.
func TestPageOfAnotherFormatIsRefused(t *testing.T) {
	t.Parallel()
	l, pages, _ := userMonth(t, 3)
	for key, page := range pages {
		for _, number := range []string{"\x01", "\x09"} {
			_, err := l.Decide(ledger.Pages{key: seal(number + page[1:len(page)-4])}, nil, nil, nil, ledger.Arrival{})
			if !errors.Is(err, ledger.ErrFormat) || errors.Is(err, codec.ErrDamaged) ||
				!strings.Contains(err.Error(), "page has format ") {
				t.Errorf("page %s of format %q: %v", key, number, err)
			}
		}
	}
	_, err := ledger.OpenFollows(seal("\x03"))
	if want := "ledger: page has format 3, this program reads 6"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A raised format: pages of the formats before are read through their upgrades, one
// after the other, and are written in the new one. The program before refuses those.
func TestRaisedFormatUpgradesPages(t *testing.T) {
	t.Parallel()
	l, pages, now := userMonth(t, 40)
	like := activity.Activity{User: "1", Action: "like", Target: "new", At: now}
	want := decide(t, l, pages, nil, ledger.Arrival{Now: now}, like).Pages
	type upgrades = map[byte]func(codec.Reader) (codec.Reader, error)
	later := l.WithFormat(9, upgrades{
		8: func(r codec.Reader) (codec.Reader, error) { return codec.NewReader("\x09" + rest(r)), nil },
		7: func(r codec.Reader) (codec.Reader, error) { // has a text before all else
			r.Text()
			return codec.NewReader("\x08" + rest(r)), nil
		},
	})
	for name, before := range map[string]string{"the one before": "\x08", "two before": "\x07\x03abc"} {
		old := ledger.Pages{}
		for key, page := range pages {
			old[key] = seal(before + page[1:len(page)-4])
		}
		got := decide(t, later, old, nil, ledger.Arrival{Now: now}, like).Pages
		if len(got) != len(want) || len(got) == 0 {
			t.Fatalf("%s: %d pages, want %d", name, len(got), len(want))
		}
		for i, p := range got {
			if w := want[i].Data; p.Data != seal("\x09"+w[1:len(w)-4]) {
				t.Errorf("%s: page %s is %q after the upgrade, of %q", name, p.Key, p.Data, w)
			}
			if _, err := l.Entries(p.Key, p.Data); !errors.Is(err, ledger.ErrFormat) {
				t.Errorf("%s: the program before reads page %s: %v", name, p.Key, err)
			}
		}
	}
	fails := l.WithFormat(9, upgrades{8: func(r codec.Reader) (codec.Reader, error) { return r, codec.ErrDamaged }})
	if _, err := fails.Entries(want[0].Key, want[0].Data); !errors.Is(err, codec.ErrDamaged) {
		t.Errorf("an upgrade that fails: %v", err)
	}
}

// rest returns what a reader has not read yet.
func rest(r codec.Reader) string { return r.Take(uint64(r.Len())) }
