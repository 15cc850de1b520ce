package night

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

const (
	bucketsAtOnce = 8
	peopleAtOnce  = 1_000 // that are read by their keys
)

// A place is a period's board.
type place struct {
	board  string
	period board.Period
}

// A holder is a user with a ledger in the months of a pass.
type holder struct {
	key    records.Key
	id     string       // "" once nothing of it is to be written: erased, or damaged
	after  board.Moment // the erasure that the ledgers were begun after
	person records.Row[*records.Person]
	on     bool // on a board
	out    bool // on no board: suppressed, erased, or damaged

	totals []ledger.MonthTotal // of whole months
	votes  []string            // articles of these months for which the holder's vote stands
}

// An entry is a holder's place on a board.
type entry struct {
	packed board.Packed
	who    *holder
}

// A pass goes over ledgers and gives the boards of periods.
type pass struct {
	Options
	life  *board.Life     // has the final periods
	of    []board.Period  // whose boards are wanted: a few
	whole []board.MonthOf // months whose totals and votes are wanted

	entries map[place][]entry // in their order; of every place, suppressed users included
	holders []*holder
	damaged int
}

func (o Options) newPass(life *board.Life, of []board.Period) *pass {
	p := &pass{Options: o, life: life, of: of}
	for _, due := range of {
		if due.Window() == board.Month {
			p.whole = append(p.whole, due.First().Month())
		}
	}
	return p
}

// monthsOf returns the months that periods have days of.
func monthsOf(periods []board.Period) (months []board.MonthOf) {
	for _, p := range periods {
		for m := p.First().Month(); m <= p.Last().Month(); m++ {
			months = append(months, m)
		}
	}
	slices.Sort(months)
	return slices.Compact(months)
}

// run goes over the ledgers of the periods' months, then reads the people: users erased since are
// out. Years are made of people's totals.
func (p *pass) run(ctx context.Context) error {
	defer p.sort()
	if p.of[0].Window() == board.Year {
		return p.buckets(ctx, (*pass).takeYears)
	}
	months := monthsOf(p.of)
	err := p.buckets(ctx, func(part *pass, ctx context.Context, bucket int) error {
		for account, err := range p.Records.LedgerPass(ctx, months, bucket) {
			if err != nil {
				return err
			}
			part.leaveOut(ctx, account.Key, part.take(account, months))
		}
		return nil
	})
	for some := range slices.Chunk(p.holders, peopleAtOnce) {
		if err == nil {
			err = p.people(ctx, some)
		}
	}
	return err
}

// buckets has each bucket gone over by a part of the pass of its own, and joins them.
func (p *pass) buckets(ctx context.Context, do func(*pass, context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(bucketsAtOnce)
	parts := make([]pass, records.Buckets)
	for bucket := range parts {
		parts[bucket] = *p
		parts[bucket].entries = map[place][]entry{}
		group.Go(func() error { return do(&parts[bucket], ctx, bucket) })
	}
	err := group.Wait()
	p.entries = map[place][]entry{}
	for _, part := range parts {
		for at, entries := range part.entries {
			p.entries[at] = append(p.entries[at], entries...)
		}
		p.holders = append(p.holders, part.holders...)
		p.damaged += part.damaged
	}
	return err
}

// leaveOut notes a person whose items are damaged.
func (p *pass) leaveOut(ctx context.Context, key records.Key, err error) {
	if err != nil {
		p.damaged++
		p.Log.ErrorContext(ctx, "left out of final boards: damaged", "key", key.String(), "error", err.Error())
	}
}

// take adds the places of an account.
func (p *pass) take(of *records.Account, months []board.MonthOf) error {
	a, err := of.Counting(months...)
	if err != nil {
		return err
	}
	who := &holder{key: of.Key, id: a.User, after: a.Erased}
	var met []ledger.Shown // a week's place may be met in two months
	for _, m := range months {
		if a.Months[m] == nil {
			continue
		}
		shown, err := p.Ledger.Places(a, p.life, p.today(), m)
		if err == nil && slices.Contains(p.whole, m) {
			err = p.takeWhole(who, a.Months[m], m)
		}
		if err != nil {
			return err
		}
		for _, at := range shown {
			if at.Packed != 0 && slices.Contains(p.of, at.Period) && !slices.Contains(met, at) {
				met = append(met, at)
				to := place{at.Board, at.Period}
				p.entries[to] = append(p.entries[to], entry{at.Packed, who})
			}
		}
	}
	if len(met) > 0 || len(p.whole) > 0 {
		p.holders = append(p.holders, who)
	}
	return nil
}

// takeWhole takes the results of a whole month: totals, and votes.
func (p *pass) takeWhole(who *holder, of *ledger.MonthLedger, m board.MonthOf) (err error) {
	who.totals, err = p.Ledger.MonthTotals(of, m)
	for id, vote := range of.Votes {
		if article.Vote(vote).Stands() {
			who.votes = append(who.votes, id)
		}
	}
	return err
}

// people reads holders' items. A user who was erased since the ledgers were begun, or may be suppressed, is on no
// board.
func (p *pass) people(ctx context.Context, holders []*holder) error {
	var q records.Query
	for _, who := range holders {
		q.People = append(q.People, who.key)
	}
	found, err := p.Records.Read(ctx, q)
	if err != nil {
		return err
	}
	for _, who := range holders {
		who.person = found.People[who.key]
		erased, damaged := board.Moment(0), who.person.Err
		if p.leaveOut(ctx, who.key, damaged); who.person.Value != nil {
			erased, who.out = who.person.Value.Erased, who.person.Value.Status.Suppressed()
		}
		if damaged != nil || erased != who.after {
			who.out, who.id, who.votes = true, "", nil
		}
	}
	return nil
}

// takeYears adds the years' points of a bucket's people. It keeps only holders with wreaths.
func (p *pass) takeYears(ctx context.Context, bucket int) error {
	for row, err := range p.Records.People(ctx, bucket) {
		if err != nil {
			return err
		}
		if p.leaveOut(ctx, row.Key, row.Err); row.Err != nil || row.Value.Tombstone() {
			continue
		}
		person := row.Value
		who := &holder{key: row.Key, id: person.ID, person: row.Row, after: person.Erased, out: person.Status.Suppressed()}
		for _, year := range p.of {
			for _, name := range p.boards(board.Year) {
				if packed := p.sum(person.Totals, place{name, year}); packed != 0 {
					p.entries[place{name, year}] = append(p.entries[place{name, year}], entry{packed, who})
				}
			}
		}
	}
	return nil
}

// sum returns the place of who has totals on a year's board, 0 for who is not on it.
func (p *pass) sum(totals []ledger.MonthTotal, at place) board.Packed {
	score, reached := int64(0), board.Moment(0)
	for _, t := range totals {
		if t.Board == at.board && board.PeriodOf(board.Year, t.Month.First()) == at.period {
			score, reached = score+t.Score, max(reached, t.Reached)
		}
	}
	if score == 0 {
		return 0
	}
	return board.Pack(score, p.calendar().Ticks(at.period, reached))
}

// sort puts the boards into their order, without those who are out.
func (p *pass) sort() {
	for at, entries := range p.entries {
		entries = slices.DeleteFunc(entries, func(e entry) bool { return e.who.out })
		slices.SortFunc(entries, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.packed, b.packed), strings.Compare(a.who.id, b.who.id))
		})
		p.entries[at] = entries
	}
}

// stored returns entries of a board as they are stored.
func stored(entries []entry) []final.Entry {
	all := make([]final.Entry, len(entries))
	for i, e := range entries {
		all[i] = final.Entry{Key: e.who.key, Packed: e.packed}
	}
	return all
}
