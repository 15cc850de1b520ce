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

// extra is a board or index with users whose pages do not name it.
type extra struct {
	board *BoardAt
	month *MonthAt
}

// checked is a user being checked.
type checked struct {
	Holding
	expected
	question Question
}

// checkUsers checks users; one who changes during that is read again.
func (a *Auditor) checkUsers(ctx context.Context, owners []Owner, also extra) error {
	owners = slices.DeleteFunc(slices.Clone(owners), a.misplaced)
	for try := 0; len(owners) > 0; try++ {
		if try == maxUnsettled {
			for _, o := range owners {
				a.tell(Finding{Kind: Unsettled, User: o.User, Place: "pages", Is: "changed during every check"})
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
			users[i] = a.open(h, also)
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
	})
	return true
}

// open computes a user's expected data and the question: the places where the user should
// be, and the live ones where the user might be.
func (a *Auditor) open(h Holding, also extra) checked {
	u := checked{Holding: h, expected: a.expect(h)}
	u.question = Question{Holding: h, Months: slices.Clone(u.months)}
	ask := map[place]bool{}
	for at := range u.scores {
		ask[at] = true
	}
	for _, l := range a.live[h.Shard] {
		if (u.status.Suppressed() || l.near(u.months)) && !h.Closed.Has(l.at.Board, l.at.Period) {
			ask[place{l.at.Board, l.at.Period}] = true
		}
	}
	if also.board != nil {
		ask[place{also.board.Board, also.board.Period}] = true
	}
	if also.month != nil && !slices.Contains(u.question.Months, also.month.Month) {
		u.question.Months = append(u.question.Months, also.month.Month)
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

// compare compares the answer with the expected data, repairs and reports. done is false if
// the user changed before the repair.
func (a *Auditor) compare(ctx context.Context, u checked, answer Answer) (done bool, err error) {
	repair := Repair{Holding: u.Holding, Pages: u.pages}
	findings := u.findings
	if !u.unknown {
		for i, at := range u.question.Boards {
			f, wrong := u.compareScore(at, answer.Scores[i])
			if wrong {
				findings = append(findings, f)
				repair.Scores = append(repair.Scores,
					ledger.Move{Board: at.Board, Period: at.Period, Packed: u.scores[place{at.Board, at.Period}]})
			}
		}
	}
	for i, m := range u.question.Months {
		has := slices.Contains(u.months, m)
		if monthClosed(u.Closed, m) || has == answer.Indexed[i] {
			continue
		}
		f := Finding{Kind: Index, User: u.User, Place: "users of " + m.String(), Is: "not in it", Should: "in it"}
		if has {
			repair.Enter = append(repair.Enter, m)
		} else {
			f.Is, f.Should = "in it", "not in it: there is no page"
			repair.Strike = append(repair.Strike, m)
		}
		findings = append(findings, f)
	}
	if !u.unknown {
		findings = append(findings, u.comparePerson(answer, &repair)...)
	}
	repaired := false
	if a.Apply && !repair.Empty() {
		if repaired, err = a.Store.Repair(ctx, repair); err != nil || !repaired {
			return false, err
		}
	}
	for _, f := range findings {
		f.Repaired = repaired && (f.Kind == Score || f.Kind == Summary || f.Kind == Index || f.Kind == Follows)
		a.tell(f)
	}
	return true, nil
}

// compareScore compares the user's score on a board with the entries.
func (u checked) compareScore(at BoardAt, is string) (f Finding, wrong bool) {
	p := place{at.Board, at.Period}
	should := u.scores[p]
	var packed board.Packed
	var err error
	if is != "" {
		packed, err = redisstore.ParsePacked(is)
	}
	if err == nil && packed == should && (packed == 0) == (is == "") {
		return Finding{}, false
	}
	f = Finding{Kind: Score, User: u.User, Place: p.String(), Is: shown(packed), Should: shown(should)}
	if err != nil || (packed == 0 && is != "") {
		f.Is = "the number " + is + ", which is no score"
	}
	return f, true
}
