package projection

import (
	"slices"
	"sync"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// absent are the places of a month without a ledger: none, on each of its boards. They are the same for everybody, as
// long as the forum's life and day are, and most people have no ledger in some live month.
type absent struct {
	mu     sync.Mutex
	life   *board.Life
	today  board.Date
	months map[board.MonthOf][]ledger.Shown
}

// places returns the places of one month of an account. They must not be changed but to 0.
func (p *Projector) places(a *ledger.Account, life *board.Life, today board.Date, m board.MonthOf) (
	[]ledger.Shown, error,
) {
	if a.Months[m] != nil || p.ledger.KeepsLong() {
		return p.ledger.Places(a, life, today, m)
	}
	no := &p.absent
	no.mu.Lock()
	defer no.mu.Unlock()
	if no.life != life || no.today != today || no.months == nil {
		no.life, no.today, no.months = life, today, map[board.MonthOf][]ledger.Shown{}
	}
	places, known := no.months[m]
	if !known {
		var err error
		if places, err = p.ledger.Places(&ledger.Account{}, life, today, m); err != nil {
			return nil, err
		}
		places = slices.Clip(places)
		no.months[m] = places
	}
	return places, nil
}
