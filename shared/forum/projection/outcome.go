package projection

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// An Outcome is the result of a report for a person's items.
type Outcome struct {
	*items.Account                      // with the ledgers as they were read
	Written        []view.MonthRevision // the ledgers that the report has written
	Decided        ledger.Decided
	Own            []board.MonthOf // months whose ledgers it may change, even if it has not
	Days           view.Days       // those whose places in windows that roll were decided
	Votes          []board.MonthOf // months in whose ledgers it has votes, even if these are not new

	Articles map[string]items.Row[*article.Page] // those among its targets

	Ranks [][]ledger.Score // after the showing, by receipt, if they are wanted: those that are known, by window
}

// revision returns the revision of a month's ledger.
func (o *Outcome) revision(m board.MonthOf) view.MonthRevision {
	if i := slices.IndexFunc(o.Written, func(w view.MonthRevision) bool { return w.Month == m }); i >= 0 {
		return o.Written[i]
	}
	return view.MonthRevision{Month: m, Revision: o.Ledgers[m].Revision}
}

// A Reported is the outcomes of reports of a day, which were decided at one head.
type Reported struct {
	Head     *items.Head
	Today    board.Date
	Outcomes []*Outcome
	Ranks    bool // they are wanted, as far as the same trip returns them
}

// ShowReported shows the outcomes of reports, also of those that have changed nothing: a retry shows again. Users whose
// units are refused are read again. If it fails, the head says that the view is behind.
func (p *Projector) ShowReported(ctx context.Context, r Reported) {
	if p.view == nil {
		return
	}
	within, cancel := context.WithTimeout(ctx, Wait)
	defer cancel()
	if err := p.showReported(within, r); err != nil {
		p.Behind(ctx, fmt.Sprintf("a report could not be shown: %v", err))
	}
}

func (p *Projector) showReported(ctx context.Context, r Reported) error {
	u, ranks := &Units{}, ranks{ledger: p.ledger, today: r.Today, index: map[rankOf]int{}}
	shown := make([]*Outcome, 0, len(r.Outcomes)) // by unit
	for _, o := range r.Outcomes {
		added, err := p.addOutcome(u, r.Head, o)
		if err != nil {
			return err
		}
		if added {
			shown = append(shown, o)
		}
		if added && r.Ranks {
			ranks.ask(o)
		}
	}
	if len(u.Units)+len(u.Votes)+len(u.Again) == 0 {
		return nil
	}
	u.Ranks = ranks.views
	showed, again, err := p.Show(ctx, r.Head, u)
	for i, o := range shown {
		if len(showed.Ranks) > 0 && showed.Units[i] == view.ShowApplied {
			ranks.give(o, showed.Ranks)
		}
	}
	if err == nil && len(again) > 0 {
		err = p.ShowUsers(ctx, again)
	}
	return err
}

// addOutcome adds the units of a person after a report, and reports whether there is one: none if nothing was kept. A
// person is to be read again if further ledgers are needed.
func (p *Projector) addOutcome(u *Units, head *items.Head, o *Outcome) (added bool, err error) {
	unit, err := p.unitOfOutcome(head, o)
	switch {
	case errors.Is(err, table.ErrConflict):
		u.Again = append(u.Again, o.ID)
		return false, nil
	case err != nil || len(unit.Months) == 0:
		return false, err
	}
	u.Units = append(u.Units, unit)
	for _, m := range o.Votes {
		votes := votesOf(o.Key, o.revision(m), o.Decided.Account.Months[m])
		for i := range votes.Articles {
			votes.Articles[i].Page = o.Articles[votes.Articles[i].ID].Value
		}
		u.AddVotes(o.ID, votes)
	}
	return true, nil
}

// unitOfOutcome returns the unit of the changes of a report. It omits the name if a board of people has it already.
// Where boards are over several months, it has the revisions of all ledgers that count for these: of two writers at
// once the view has seen a later revision than the second one's unit says, and refuses that.
func (p *Projector) unitOfOutcome(head *items.Head, o *Outcome) (view.Unit, error) {
	u := unitOf(o.Key, o.ID, o.Person)
	u.Months = make([]view.MonthUnit, 0, len(o.Months))
	for _, m := range o.Months {
		if slices.Contains(o.Own, m) || slices.Contains(o.Decided.Changed, m) {
			u.Months = append(u.Months, view.MonthUnit{
				MonthRevision: o.revision(m), Was: o.Ledgers[m].Revision, Changed: true,
				Places: make([]ledger.Shown, 0, len(o.Decided.Moved)),
			})
		} else if p.ledger.KeepsLong() {
			u.Others = append(u.Others, o.revision(m))
		}
	}
	named := false
	for _, place := range o.Decided.Moved { // each once, in the first month that it touches
		if place.Period.Window().Rolls() { // of a day that rolls the view may have no place yet
			u.Rolling = append(u.Rolling, place.Shown)
			continue
		}
		i := slices.IndexFunc(u.Months, func(m view.MonthUnit) bool { return place.Period.Touches(m.Month) })
		u.Months[i].Places = append(u.Months[i].Places, place.Shown)
		named = named || place.Was != 0 && !p.ledger.Rules().OfTeams(place.Board)
	}
	if !named {
		u.Name = nameOf(o.Person, p.ledger.Guests())
	}
	var err error
	if p.ledger.Rolls() && len(o.Decided.Changed) > 0 {
		u.Days, err = o.Days, p.reaches(head, o.Days, o.Months)
	}
	return p.suppress(u, o.Person), err
}

// ranks are the ranks of scores in receipts that a showing asks for along.
type ranks struct {
	ledger *ledger.Ledger
	today  board.Date
	views  []board.View
	index  map[rankOf]int // in views
}

// A rankOf names a rank that is wanted.
type rankOf struct {
	user string
	board.ID
}

// rankOf names the rank of a score in a receipt.
func (r *ranks) rankOf(user string, receipt ledger.Receipt, w board.Window) rankOf {
	period := r.ledger.PeriodOn(receipt.Board, w, receipt.Day, r.today)
	return rankOf{user, board.ID{Board: receipt.Board, Period: period}}
}

// ask asks for the ranks of the scores in receipts; on a board of teams a person has none.
func (r *ranks) ask(o *Outcome) {
	for _, receipt := range o.Decided.Receipts {
		if r.ledger.Rules().OfTeams(receipt.Board) {
			continue
		}
		for _, score := range receipt.Scores {
			key := r.rankOf(o.ID, receipt, score.Window)
			if _, asked := r.index[key]; !asked {
				r.index[key] = len(r.views)
				r.views = append(r.views, board.View{Board: key.Board, Period: key.Period, User: key.user})
			}
		}
	}
}

// give gives the receipts of an outcome the ranks that are known.
func (r *ranks) give(o *Outcome, known []int64) {
	o.Ranks = make([][]ledger.Score, len(o.Decided.Receipts))
	for i, receipt := range o.Decided.Receipts {
		for _, score := range receipt.Scores {
			n, asked := r.index[r.rankOf(o.ID, receipt, score.Window)]
			if asked && known[n] > 0 {
				o.Ranks[i] = append(o.Ranks[i], ledger.Score{Window: score.Window, Score: known[n]})
			}
		}
	}
}
