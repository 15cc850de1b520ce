package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// extra are boards and indexes with a user whose pages do not name them.
type extra struct {
	boards []BoardAt
	months []MonthAt
}

// with returns what both have.
func (e extra) with(more extra) extra {
	return extra{slices.Concat(e.boards, more.boards), slices.Concat(e.months, more.months)}
}

// checked is a user being checked.
type checked struct {
	Holding
	expected
	question Question
	also     extra
	proof    *proof // nil: there is none, or not yet

	monthsClosed bool // some
}

// checkUsers checks users; one who changes during that is read again.
func (a *Auditor) checkUsers(ctx context.Context, owners []Owner, also extra) error {
	return a.check(ctx, owners, func(Owner) (extra, []ledger.Row, bool) { return also, nil, false })
}

// check is checkUsers with what of gives for each: boards and indexes, and all rows of the
// user if they are known.
func (a *Auditor) check(ctx context.Context, owners []Owner, of func(Owner) (extra, []ledger.Row, bool)) error {
	owners = slices.DeleteFunc(slices.Clone(owners), a.misplaced)
	for try := 0; len(owners) > 0; try++ {
		if try == maxUnsettled {
			for _, o := range owners {
				a.tell(Finding{
					Kind: Unsettled, User: o.User, Place: "pages", Is: "changed during every check",
					Kept: "it was not checked",
				})
			}
			return nil
		}
		holdings, err := a.Store.Holdings(ctx, owners)
		if err != nil {
			return err
		}
		users := make([]checked, len(holdings))
		questions := make([]Question, len(holdings))
		for i, h := range holdings {
			also, rows, proving := of(h.Owner)
			users[i] = a.open(h, also, rows, proving)
			questions[i] = users[i].question
		}
		answers, err := a.Store.Ask(ctx, questions)
		if err != nil {
			return err
		}
		owners = owners[:0]
		for i, user := range users {
			done := !answers[i].Changed
			if done {
				if done, err = a.compare(ctx, user, answers[i]); err != nil {
					return err
				}
			}
			if !done {
				owners = append(owners, user.Owner)
			}
		}
	}
	return nil
}

// misplaced reports a user whose pages are in another shard than the user's.
func (a *Auditor) misplaced(o Owner) bool {
	home := a.Store.Home(o.User)
	if o.Shard == home {
		return false
	}
	a.tell(Finding{
		Kind: Misplaced, User: o.User, Place: fmt.Sprintf("shard %d", o.Shard), Is: "pages of the user",
		Should: fmt.Sprintf("in shard %d of %d; check the number of shards", home, a.Store.Shards()),
		Kept:   "with these settings nothing is repaired",
	})
	return true
}

// open computes a user's expected data and the question: the places where the user should
// be, and the live ones where the user might be.
func (a *Auditor) open(h Holding, also extra, rows []ledger.Row, proving bool) checked {
	u := checked{Holding: h, also: also, expected: a.expect(h), monthsClosed: a.monthsClosed(h.Closed)}
	if proving {
		damaged := u.findings
		u.proof = a.prove(&h, rows)
		u.Holding, u.expected = h, a.expect(h)
		for _, f := range damaged { // those that the rows mend
			if f.Kind == Damaged && !slices.Contains(u.findings, f) {
				f.Kept = ""
				u.findings = append(u.findings, f)
			}
		}
	}
	if a.Evidence != nil && suppresses(a.Evidence.Status(h.User)) && !u.status.Suppressed() {
		u.unknown = true // the status is lost, or about to be set
	}
	u.question = Question{Holding: h, Months: slices.Clone(u.months)}
	ask := map[place]bool{}
	for at := range u.scores {
		ask[at] = true
	}
	for _, l := range a.live[h.Shard] {
		if a.keeps(l.at) && (u.status.Suppressed() || l.near(u.months)) && !h.Closed.Has(l.at.Board, l.at.Period) {
			ask[place{l.at.Board, l.at.Period}] = true
		}
	}
	for _, at := range also.boards {
		ask[place{at.Board, at.Period}] = true
	}
	for _, at := range also.months {
		if !slices.Contains(u.question.Months, at.Month) {
			u.question.Months = append(u.question.Months, at.Month)
		}
	}
	for at := range ask {
		u.question.Boards = append(u.question.Boards, BoardAt{Shard: h.Shard, Board: at.board, Period: at.period})
	}
	slices.SortFunc(u.question.Boards, func(x, y BoardAt) int {
		return cmp.Or(strings.Compare(x.Board, y.Board), x.Period.Compare(y.Period))
	})
	return u
}

// lived is a period in its shard's index, and the months of its days.
type lived struct {
	at     BoardAt
	months []board.MonthOf // none for years and all time
}

// near reports whether a user with pages of the months may be on the board.
func (l lived) near(months []board.MonthOf) bool {
	return len(months) > 0 &&
		(len(l.months) == 0 || slices.ContainsFunc(l.months,
			func(m board.MonthOf) bool { return slices.Contains(months, m) }))
}

// keeps says whether the rules keep a board.
func (a *Auditor) keeps(at BoardAt) bool {
	return slices.Contains(a.Ledger.Rules().Windows(at.Board), at.Period.Window())
}

// compare compares the answer with the expected data, repairs and reports; a user of whom
// it would remove something that is not proved is left for checkDoubts. done is false if the
// user changed before the repair.
func (a *Auditor) compare(ctx context.Context, u checked, answer Answer) (done bool, err error) {
	repair := Repair{Holding: u.Holding, Pages: u.pages}
	findings, doubtful := u.findings, u.damaged
	add := func(some []difference) {
		for _, d := range some {
			if d.doubt {
				doubtful, d.Kept = true, cmp.Or(d.Kept, unproved)
			} else if d.write != nil {
				d.write(&repair)
			}
			findings = append(findings, d.Finding)
		}
	}
	if !u.unknown {
		add(u.compareScores(answer))
	}
	add(u.compareMonths(answer))
	if !u.unknown {
		add(u.comparePerson(answer))
	}
	if doubtful && a.Evidence != nil && u.proof == nil {
		a.doubts[u.Owner] = a.doubts[u.Owner].with(u.also)
		return true, nil
	}
	repaired := false
	if a.Apply && !repair.Empty() {
		if repaired, err = a.Store.Repair(ctx, repair); err != nil || !repaired {
			return false, err
		}
	}
	for _, f := range findings {
		f.Repaired = repaired && f.Kept == ""
		a.tell(f)
	}
	return true, nil
}

// unproved is why something is kept.
const unproved = "neither the pages nor what was accepted prove that it is wrong"

// difference is a finding with what repairs it.
type difference struct {
	Finding
	doubt bool          // it would remove something, and nothing proves that
	write func(*Repair) // nil: nothing does
}

// compareScores compares the user's scores with the entries.
func (u checked) compareScores(answer Answer) (differences []difference) {
	for i, at := range u.question.Boards {
		f, wrong, takes := u.compareScore(at, answer.Scores[i])
		if !wrong {
			continue
		}
		p := place{at.Board, at.Period}
		d := difference{Finding: f, doubt: takes && !u.proved(p), write: func(r *Repair) {
			r.Scores = append(r.Scores, ledger.Move{Board: at.Board, Period: at.Period, Packed: u.scores[p]})
		}}
		if !takes && answer.Suppressed && !u.status.Suppressed() && !u.shown() {
			d.doubt = true // the status may be lost
		}
		differences = append(differences, d)
	}
	return differences
}

// compareMonths compares the indexes of months with the pages. Whom a board of the month lists
// need not be in its index.
func (u checked) compareMonths(answer Answer) (differences []difference) {
	for i, m := range u.question.Months {
		has := slices.Contains(u.months, m)
		if monthClosed(u.Closed, m) || has == answer.Indexed[i] || (has && u.onBoard(m, answer)) {
			continue
		}
		d := difference{Finding: Finding{
			Kind: Index, User: u.User, Place: "users of " + m.String(), Is: inIt(!has), Should: inIt(has),
		}}
		if has {
			d.write = func(r *Repair) { r.Enter = append(r.Enter, m) }
		} else {
			d.Should, d.doubt = "not in it: there is no page", !u.gone()
			d.write = func(r *Repair) { r.Strike = append(r.Strike, m) }
		}
		differences = append(differences, d)
	}
	return differences
}

// onBoard says whether a board of a month lists the user, or does when the scores are repaired.
func (u checked) onBoard(m board.MonthOf, answer Answer) bool {
	for i, at := range u.question.Boards {
		if at.Period != board.PeriodOf(board.Month, m.First()) {
			continue
		}
		if u.scores[place{at.Board, at.Period}] != 0 || (u.unknown && answer.Scores[i] != "") {
			return true
		}
	}
	return false
}

// compareScore compares the user's score on a board with the entries; takes says that
// writing what they say would remove points.
func (u checked) compareScore(at BoardAt, is string) (f Finding, wrong, takes bool) {
	p := place{at.Board, at.Period}
	should := u.scores[p]
	var packed board.Packed
	var err error
	if is != "" {
		packed, err = redisstore.ParsePacked(is)
	}
	if err == nil && packed == should && (packed == 0) == (is == "") {
		return Finding{}, false, false
	}
	f = Finding{Kind: Score, User: u.User, Place: p.String(), Is: shown(packed), Should: shown(should)}
	if err != nil || (packed == 0 && is != "") {
		f.Is = "the number " + is + ", which is no score"
		return f, true, should == 0
	}
	return f, true, packed.Score() > should.Score()
}
