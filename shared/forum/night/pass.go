package night

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// peopleAtOnce is how many people are read together by their keys.
const peopleAtOnce = 1_000

// A holder is a user with a ledger in the months of a pass.
type holder struct {
	key    items.Key
	id     string       // "" once nothing of it is to be written: erased, or damaged
	after  board.Moment // the erasure that the ledgers were begun after
	person items.Row[*items.Person]
	on     bool // on a board
	out    bool // on no board: suppressed, erased, or damaged
	hides  bool // out by their own wish alone: counts for a team

	totals []ledger.MonthTotal // of whole months
	votes  []string            // articles of these months for which the holder's vote stands
}

// A place is a holder's place on a board.
type place struct {
	packed board.Packed
	holder *holder
}

// A pass goes over ledgers and gives the boards of periods.
type pass struct {
	Options
	life    *board.Life     // has the final periods
	periods []board.Period  // whose boards are wanted: a few
	whole   []board.MonthOf // months whose totals and votes are wanted
	pairs   bool            // there are void pairs, or merged people

	entries map[board.ID][]place      // in their order; of every place, suppressed users included
	teams   map[board.ID][]board.Team // of boards of teams, whose entries are the members that others may see
	holders []*holder
	damaged int
}

func (o Options) newPass(life *board.Life, periods []board.Period) *pass {
	p := &pass{Options: o, life: life, periods: periods}
	for _, due := range periods {
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
// out. Quarters and years are made of people's totals.
func (p *pass) run(ctx context.Context) error {
	defer p.sort()
	if p.periods[0].Window().OfTotals() {
		return p.buckets(ctx, (*pass).takeTotals)
	}
	months := monthsOf(p.periods)
	err := p.buckets(ctx, func(part *pass, ctx context.Context, bucket int) error {
		for account, err := range p.Items.LedgerPass(ctx, months, bucket, p.pairs) {
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
	parts := make([]pass, items.Buckets)
	err := items.EachBucket(ctx, func(ctx context.Context, bucket int) error {
		parts[bucket] = *p
		parts[bucket].entries = map[board.ID][]place{}
		return do(&parts[bucket], ctx, bucket)
	})
	p.entries = map[board.ID][]place{}
	for _, part := range parts {
		for target, entries := range part.entries {
			p.entries[target] = append(p.entries[target], entries...)
		}
		p.holders = append(p.holders, part.holders...)
		p.damaged += part.damaged
	}
	return err
}

// leaveOut notes a person whose items are damaged.
func (p *pass) leaveOut(ctx context.Context, key items.Key, err error) {
	if err != nil {
		p.damaged++
		p.Log.ErrorContext(ctx, "left out of final boards: damaged", "key", key.String(), "error", err.Error())
	}
}

// take adds the places of an account.
func (p *pass) take(account *items.Account, months []board.MonthOf) error {
	a, err := account.Counting(months...)
	if err != nil {
		return err
	}
	a.Anyone = true // sort asks, when the people are read
	member := &holder{key: account.Key, id: a.User, after: a.Erased}
	var met []ledger.Shown // a week's place may be met in two months
	for _, m := range months {
		if a.Months[m] == nil {
			continue
		}
		shown, err := p.Ledger.Places(a, p.life, p.today(), m)
		if err == nil && slices.Contains(p.whole, m) {
			err = p.takeWhole(member, a, m)
		}
		if err != nil {
			return err
		}
		for _, shownPlace := range shown {
			if shownPlace.Packed != 0 && slices.Contains(p.periods, shownPlace.Period) && !slices.Contains(met, shownPlace) {
				met = append(met, shownPlace)
				target := board.ID{Board: shownPlace.Board, Period: shownPlace.Period}
				p.entries[target] = append(p.entries[target], place{shownPlace.Packed, member})
			}
		}
	}
	if len(met) > 0 || len(p.whole) > 0 {
		p.holders = append(p.holders, member)
	}
	return nil
}

// takeWhole takes the results of a whole month: totals, and votes.
func (p *pass) takeWhole(member *holder, a *ledger.Account, m board.MonthOf) (err error) {
	member.totals, err = p.Ledger.MonthTotals(a, m)
	for id, vote := range a.Months[m].Votes {
		if article.Vote(vote).Stands() {
			member.votes = append(member.votes, id)
		}
	}
	return err
}

// people reads holders' items. A user who was erased since the ledgers were begun, or may be suppressed, is on no
// board.
func (p *pass) people(ctx context.Context, holders []*holder) error {
	var q items.Query
	for _, member := range holders {
		q.People = append(q.People, member.key)
	}
	found, err := p.Items.Read(ctx, q)
	if err != nil {
		return err
	}
	for _, member := range holders {
		member.person = found.People[member.key]
		erased, damaged := board.Moment(0), member.person.Err
		if p.leaveOut(ctx, member.key, damaged); member.person.Value != nil {
			erased = member.person.Value.Erased
			member.suppress(member.person.Value.Status)
		}
		if damaged != nil || erased != member.after {
			member.out, member.hides, member.id, member.votes = true, false, "", nil
		}
	}
	return nil
}

// suppress notes whether the holder's status keeps the holder off boards.
func (h *holder) suppress(status ledger.UserStatus) {
	h.out, h.hides = status.Suppressed(), status.Hidden && !status.Withheld()
}

// takeTotals adds the points of a bucket's people. It keeps only holders with wreaths.
func (p *pass) takeTotals(ctx context.Context, bucket int) error {
	boards := p.boardsOf(p.periods...)
	for row, err := range p.Items.People(ctx, bucket) {
		if err != nil {
			return err
		}
		if p.leaveOut(ctx, row.Key, row.Err); row.Err != nil || row.Value.Tombstone() {
			continue
		}
		person := row.Value
		member := &holder{key: row.Key, id: person.ID, person: row.Row, after: person.Erased}
		member.suppress(person.Status)
		for _, target := range boards {
			if packed := p.sum(person.Totals, target); packed != 0 {
				p.entries[target] = append(p.entries[target], place{packed, member})
			}
		}
	}
	return nil
}

// sum returns the place of a person with totals on a board of a quarter or a year, 0 for none.
func (o Options) sum(totals []ledger.MonthTotal, target board.ID) board.Packed {
	score, reached := int64(0), board.Moment(0)
	for _, t := range totals {
		if t.Board == target.Board && board.PeriodOf(target.Period.Window(), t.Month.First()) == target.Period {
			score, reached = score+t.Score, max(reached, t.Reached)
		}
	}
	return o.Ledger.Pack(target.Period, score, reached)
}

// sort puts the boards into their order, without people who are out or not admitted; boards of teams with
// their sums.
func (p *pass) sort() {
	p.teams = map[board.ID][]board.Team{}
	for target, entries := range p.entries {
		people := p.Ledger.Rules().Board(target.Board).People
		chooses := !people.Everybody()
		if p.Ledger.Rules().OfTeams(target.Board) {
			entries = p.members(target, entries)
		}
		entries = slices.DeleteFunc(entries, func(e place) bool {
			return e.holder.out ||
				chooses && !p.Ledger.Admits(e.holder.person.Value.Asked(), target.Board, target.Period)
		})
		slices.SortFunc(entries, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.packed, b.packed), strings.Compare(a.holder.id, b.holder.id))
		})
		p.entries[target] = entries
	}
}

// members returns the places of a board's people as members of teams, and notes the teams, for which people who hide
// count, too.
func (p *pass) members(target board.ID, entries []place) []place {
	tally, members := board.NewTeamTally(p.Ledger.Rules().Teams()[target.Board]), []place{}
	for _, e := range entries {
		a := e.holder.person.Value.Asked()
		if e.holder.out && !e.holder.hides || !p.Ledger.Admits(a, target.Board, target.Period) {
			continue
		}
		if e.packed = p.Ledger.PackFor(a, target.Board, e.packed); e.packed != 0 {
			tally.AddMember(e.packed, e.holder.hides)
			members = append(members, e)
		}
	}
	p.teams[target] = tally.Ranked()
	return members
}

// stored returns entries of a board as they are stored.
func stored(entries []place) []items.Member {
	all := make([]items.Member, len(entries))
	for i, e := range entries {
		all[i] = items.Member{Key: e.holder.key, Packed: e.packed}
	}
	return all
}
