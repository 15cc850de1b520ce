package night

import (
	"context"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
)

// ends writes events of periods that are over, from the view, if that has all that the table has; else a
// later tick does. One that is final by then gets none: the event of the final board says more. Ends that
// no address wants are left out, so that an address that is added later hears nothing of the past.
func (e *telling) ends(ctx context.Context) error {
	wanted := slices.ContainsFunc(e.addresses, func(a activity.EventAddress) bool {
		return a.Takes(activity.EventPeriodEnded, true)
	})
	over := e.ended()
	if wanted && slices.ContainsFunc(over, func(p board.Period) bool { return !e.head.Life.Final(p) }) {
		if own, err := e.own(ctx); err != nil || !own {
			return err
		}
	}
	for _, p := range over {
		if e.over(ctx) {
			break
		}
		if wanted && !e.head.Life.Final(p) {
			if err := e.end(ctx, p); err != nil {
				return e.noView("events", err)
			}
		}
		e.cursor.State.end(p)
	}
	return nil
}

// ended returns the periods that are over and whose ends have no event yet: those of each window in order, then
// contests.
func (e *telling) ended() (over []board.Period) {
	for _, w := range e.toldWindows() {
		for p := e.cursor.State.Ended[w.String()].Next(); e.isOver(p); p = p.Next() {
			over = append(over, p)
		}
	}
	for _, p := range e.cursor.State.Contests {
		if e.isOver(p) {
			over = append(over, p)
		}
	}
	return over
}

// end notes that the end of a period has its event, or needs none.
func (s *toldEvents) end(p board.Period) {
	if p.Window() != board.Contest {
		s.Ended[p.Window().String()] = p
		return
	}
	s.Contests = slices.DeleteFunc(slices.Clone(s.Contests), func(c board.Period) bool { return c == p })
}

// isOver says whether a period ended long enough ago for its event.
func (e *telling) isOver(p board.Period) bool {
	_, end := e.calendar().Bounds(p)
	return !e.Clock().Before(end.Time().Add(toldAfter))
}

// own says whether the view is the table's, and has all of it: it was compared in this tick, since the period was over.
// A table that was restored to an earlier moment is found by that at the latest.
func (e *telling) own(ctx context.Context) (bool, error) {
	if e.whole && !e.compared {
		if _, err := e.compare(ctx, catchup.Request{}); err != nil {
			return false, e.noView("compare", err)
		}
		if e.head.Restored != 0 {
			e.earlierTable(ctx)
		}
	}
	if !e.whole || !e.compared {
		return false, nil
	}
	head, err := e.Items.Peek(ctx)
	return err == nil && head != nil && head.Behind == nil && head.Restored == 0, err
}

// end writes the events of the boards of a period that is over.
func (e *telling) end(ctx context.Context, p board.Period) error {
	var views []board.View
	for _, id := range e.boardsOf(p) {
		views = append(views, board.View{Board: id.Board, Period: p, Limit: items.MaxEventEntries})
	}
	pages, err := e.View.ReadAll(ctx, views)
	if err != nil {
		return err
	}
	_, ended := e.calendar().Bounds(p)
	for i, page := range pages {
		event := items.Event{
			Type: activity.EventPeriodEnded, Board: views[i].Board, Period: p, Total: page.Total,
			EventKey: items.EventKey{At: ended},
		}
		if page.Teams != nil {
			event.OfTeams, event.Teams = true, page.Teams.Page(0, items.MaxEventEntries, board.Team{})
		}
		for _, place := range page.Places {
			event.Entries = append(event.Entries, items.Member{Key: e.head.KeyOf(place.User), Packed: place.Packed})
		}
		if err := e.know(ctx, page.Places); err != nil {
			return err
		}
		if err := e.put(ctx, event, 0); err != nil {
			return err
		}
	}
	return nil
}

// know writes the items of people on some places who have none, as events name people by their keys. A user
// who was ever erased has one, so that nobody comes back by that.
func (e *telling) know(ctx context.Context, places []board.Place) error {
	var q items.Query
	for _, place := range places {
		q.People = append(q.People, e.head.KeyOf(place.User))
	}
	found, err := e.Items.Read(ctx, q)
	if err != nil {
		return err
	}
	var changes []items.Change
	for i, place := range places {
		if row, readable := found.People[q.People[i]]; readable && row.Revision == 0 {
			changes = append(changes, items.NextPerson(q.People[i], row, &items.Person{ID: place.User}))
		}
	}
	return e.Items.WriteUnlessChanged(ctx, changes...)
}
