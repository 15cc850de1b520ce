package ledger

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// An Entry is an entry as a page holds it, or a metric of a day. Of a hashed target Target is "#" and the hash in hex.
type Entry struct {
	Action, Target, Ref string
	Scope               activity.Scope // "" of a metric
	Month               board.MonthOf  // of its page
	Day                 board.Date     // of a day's entry and of a metric, else 0
	Moments
	Value int64 // of a metric; its moment is First

	Other codec.PersonHash // the other person of an entry by month, the followed one included; 0: none. No answer has it
	Void  bool             // the pair with that person is void
	Own   bool             // that person is the user, since a merge, and the rule wants another

	Award *Award // nil: it is none; Ref is its id, and First its moment
}

// An EntryState says whether an entry counts.
type EntryState string

// The states of an entry.
const (
	EntryCounted EntryState = "counted"  // within the cap of its day
	EntryOverCap EntryState = "over_cap" // it stands, and its day has its cap of earlier ones
	EntryUndone  EntryState = "undone"   // it does not stand
	EntryVoided  EntryState = "voided"   // it stands, and is of a void pair
	EntryMerged  EntryState = "merged"   // it stands, and its other person is the user since a merge
)

// EntryStates returns every state of an entry.
func EntryStates() []EntryState {
	return []EntryState{EntryCounted, EntryOverCap, EntryUndone, EntryVoided, EntryMerged}
}

// A ListedEntry is an entry, or a metric of a day, with its worth.
type ListedEntry struct {
	Entry
	State  EntryState
	On     board.Date // the day on which it counts; 0 while it does not stand
	Board  string     // that the points are of; "" if there is none
	Points int64
	Hashed bool // its target is kept as a hash alone
}

// SplitTarget returns the target, or the hexadecimal digits of its hash in place of it.
func (e *ListedEntry) SplitTarget() (text, hash string) {
	if e.Hashed {
		return "", strings.TrimPrefix(e.Target, "#")
	}
	return e.Target, ""
}

// SplitRef returns the ref likewise.
func (e *ListedEntry) SplitRef() (text, hash string) {
	if e.Award == nil && len(e.Ref) == hashLen && e.Ref[0] == '#' {
		return "", e.Ref[1:]
	}
	return e.Ref, ""
}

// Latest returns the latest moment of an entry.
func (e *Entry) Latest() board.Moment { return max(e.First, e.Last, e.Undone, e.Restored) }

// ListedOf returns the entries and metrics of an account's ledgers, the newest by their latest moments first, with
// the worth of each: the points of a day's entries on a board add up to its score. An entry of a day whose own
// page is gone has no target. The error is that of DecideAccount.
func (l *Ledger) ListedOf(a *Account) ([]ListedEntry, error) { return l.ListedOn(a, "") }

// ListedOn returns the entries that a board counts, with their worth there; for "" all, each on its action's own board.
func (l *Ledger) ListedOn(a *Account, name string) ([]ListedEntry, error) {
	all, err := l.entriesOf(a)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Latest(), a.Latest()), cmp.Compare(a.Action, b.Action),
			byPerson(&a, &b), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Ref, b.Ref), cmp.Compare(b.Month, a.Month),
			cmp.Compare(b.Day, a.Day),
			cmp.Compare(a.Other, b.Other))
	})
	return l.worth(all, name), nil
}

// byPerson orders two entries with other persons, whose hashes are of a table: the one undone last comes first.
func byPerson(a, b *Entry) int {
	if a.Other == 0 || b.Other == 0 {
		return 0
	}
	return cmp.Compare(b.Undone, a.Undone)
}

// ActsWith returns the entries by month of an account that were done with another person, follows excepted, in no
// order. byOther says of each that the other person did it for the account's.
func (l *Ledger) ActsWith(a *Account) (all []Entry, byOther []bool, err error) {
	entries, err := l.entriesOf(a)
	if err != nil {
		return nil, nil, err
	}
	for i := range entries {
		e := &entries[i]
		if e.Other == 0 || e.Last == 0 {
			continue
		}
		rule := l.rules.On(e.Month.First()).Find(e.Action)
		if rule == nil {
			rule = l.rules.On(l.calendar.Date(e.Last)).Find(e.Action)
		}
		if rule != nil && !rule.TargetIsUser {
			all, byOther = append(all, *e), append(byOther, rule.ByOther)
		}
	}
	return all, byOther, nil
}

// worth returns the entries that a board counts, or all for "", with the worth of each.
func (l *Ledger) worth(all []Entry, name string) []ListedEntry {
	listed, standing := make([]ListedEntry, 0, len(all)), map[actionDay][]*ListedEntry{}
	for i := range all {
		e := ListedEntry{Entry: all[i], State: EntryUndone}
		if e.Award != nil {
			if l.worthOfAward(&e, name) {
				listed = append(listed, e)
			}
			continue
		}
		if e.Scope == "" || e.Stands() {
			e.On = cmp.Or(e.Day, l.calendar.Date(e.CountsAt()))
		}
		rule := l.rules.On(cmp.Or(e.On, e.Day, l.calendar.Date(e.Latest()))).Find(e.Action)
		var weight *activity.Weight
		if rule != nil {
			e.Board = cmp.Or(name, rule.Board)
			weight = rule.On(e.Board)
		}
		if name != "" && weight == nil {
			continue
		}
		if e.Scope == "" { // a metric
			if e.State = EntryCounted; weight != nil {
				e.Points = weight.Worth(e.Value)
			}
		}
		e.Hashed = strings.HasPrefix(e.Target, "#") && (len(e.Target) == hashLen || rule != nil && rule.TargetIsUser)
		switch {
		case e.Own && e.Stands():
			e.State = EntryMerged
		case e.Void && e.Stands():
			e.State = EntryVoided
		}
		listed = append(listed, e)
		if e.Scope != "" && e.Stands() && !e.Void && !e.Own {
			day := actionDay{e.Action, e.On}
			standing[day] = append(standing[day], &listed[len(listed)-1])
		}
	}
	for day, entries := range standing {
		slices.SortStableFunc(entries, func(a, b *ListedEntry) int { return cmp.Compare(a.CountsAt(), b.CountsAt()) })
		var weight *activity.Weight // one for all: they are of an action and a day
		if rule := l.rules.On(day.day).Find(day.action); rule != nil {
			weight = rule.On(entries[0].Board)
		}
		for i, e := range entries {
			if e.State = EntryCounted; weight == nil {
				continue
			}
			e.Points = weight.Worth(int64(i+1)) - weight.Worth(int64(i))
			if weight.Cap > 0 && i >= weight.Cap {
				e.State = EntryOverCap
			}
		}
	}
	return listed
}

// entriesOf returns the entries of an account's ledgers.
func (l *Ledger) entriesOf(a *Account) (all []Entry, err error) {
	for _, m := range a.sorted() {
		source := a.ledger(m)
		if source == nil {
			continue
		}
		start := len(all)
		if all, err = l.entriesIn(all, source, source.Month, Entry{Scope: activity.PerMonth, Month: m}); err != nil {
			return nil, fmt.Errorf("ledger of %s: %w", m, err)
		}
		for i := range all[start:] {
			e := &all[start+i]
			e.Void = e.Other != 0 && slices.Contains(a.VoidWith, e.Other)
			e.Own = l.isOwn(a, e)
		}
		for _, day := range slices.Sorted(maps.Keys(source.Days)) {
			own := Entry{Scope: activity.PerDay, Month: m, Day: day}
			if all, err = l.entriesIn(all, source, source.Days[day], own); err != nil {
				return nil, fmt.Errorf("ledger of %s: page %s: %w", m, day, err)
			}
		}
		all = append(all, entriesOfAwards(source, m)...)
	}
	return all, nil
}

// isOwn says whether the other person of an entry by month is the account's, and the rule wants another.
func (l *Ledger) isOwn(a *Account, e *Entry) bool {
	if e.Other == 0 || !slices.Contains(a.Own, e.Other) {
		return false
	}
	return wantsAnother(l.rules.On(l.calendar.Date(e.earliest())).Find(e.Action))
}

// entriesIn appends the contents of a page: entries, which are like own, metrics, and those of the
// summaries of days whose pages are gone.
func (l *Ledger) entriesIn(all []Entry, source *MonthLedger, page string, own Entry) ([]Entry, error) {
	if page == "" {
		return all, nil
	}
	groups, err := readPage(new(room), page)
	if err != nil {
		return nil, err
	}
	for _, g := range groups {
		for _, rec := range g.records {
			e := own
			e.Action, e.Moments = g.action, rec.Moments
			e.Target, e.Ref = codec.SplitKey(rec.key)
			if own.Scope == activity.PerMonth {
				e.Other = rec.person()
			}
			all = append(all, e)
		}
		for _, s := range g.summaries {
			e := Entry{Action: g.action, Month: own.Month, Day: own.Month.First() + board.Date(s.day)}
			switch rule := l.rules.On(e.Day).Find(g.action); {
			case rule == nil:
			case rule.Metric:
				e.First, e.Value = s.moments[0], s.n
				all = append(all, e)
			case source.Days[e.Day] == "":
				e.Scope = activity.PerDay
				for i := range s.n {
					e.First = s.moments[min(int(i), len(s.moments)-1)]
					if len(s.caps) > 0 {
						e.First = s.moments[len(s.moments)-1]
					}
					e.Last = e.First
					all = append(all, e)
				}
			}
		}
	}
	return all, nil
}

// hashLen is the length of a target or a ref that is listed as "#" and its hash in hex.
const hashLen = len("#") + 2*16
