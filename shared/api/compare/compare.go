// Package compare compares the rows of a forum's own database with Laurel's entries: member by member, entry by
// entry, for one month. It is pure: a forum's plugin sends the rows, or laurel compare reads them.
package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// hashDigits is the number of digits of a hash that are compared: Laurel keeps no fewer of any.
const hashDigits = 16

// A Text is a target or a ref of Laurel's: Hash has the hexadecimal digits of a text that is kept only as a hash.
type Text struct{ Text, Hash string }

// An Entry is one of Laurel's.
type Entry struct {
	Action      string
	Target, Ref Text
	Month       board.MonthOf
	Day         board.Date // the day on which it counts; 0 for none
	Points      int64
	Undone      bool
	Latest      board.Moment // the time of the last report, or of the undo if it is taken back

	Other string // hexadecimal digits for the other person, where Month.Person gives them

	number int // of those with the same key, which differ by persons that no answer tells
}

// Date sets the time of an entry's last change. A restore is no reason to wait: the forum reports its own restores at
// once, so a restored entry that it lacks differs at once.
func (e *Entry) Date(last, undone board.Moment) {
	if e.Latest = last; e.Undone {
		e.Latest = max(last, undone)
	}
}

// keyOf names an act by its hash, whether its target is known or only the hash, and by the other person where the rule
// has one entry for each.
func keyOf(action, target, ref, other string, number int) string {
	return strings.Join([]string{action, target, ref, other, strconv.Itoa(number)}, " ")
}

// A Month has the data that all members are compared with.
type Month struct {
	Rules      *activity.Rules
	Calendar   *board.Calendar
	Of         board.MonthOf
	First, End board.Moment  // compared rows lie between these
	Grace      time.Duration // how late a report may be
	Now        board.Moment
	Actions    []string // the actions whose rows the forum has all

	// Person returns the digits by which entries name a person. Without it, entries that differ by persons alone are
	// told apart by their number.
	Person func(id string) string
}

// key returns the key of an entry.
func (m *Month) key(e Entry) string {
	rule := m.Rules.On(m.Of.First()).Find(e.Action)
	target, other := e.Target.hash(), ""
	switch {
	case rule == nil:
	case rule.TargetIsUser && m.Person == nil:
		target = ""
	case rule.ByOther:
		other = e.Other
	}
	return keyOf(e.Action, target, e.Ref.hash(), other, e.number)
}

// byPerson says whether entries of a rule differ by persons alone.
func byPerson(rule *activity.Rule) bool { return rule != nil && (rule.ByOther || rule.TargetIsUser) }

// number gives the entries that have the same target and ref their numbers: first those that count in the month, by
// their days, then those that were undone in it.
func (m *Month) number(entries []Entry) []Entry {
	rank := func(e Entry) int {
		switch {
		case e.Month != m.Of:
			return 2
		case e.Undone:
			return 1
		default:
			return 0
		}
	}
	all, numbers := slices.Clone(entries), map[string]int{}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Latest, b.Latest))
	})
	for i := range all {
		e := &all[i]
		if rule := m.Rules.On(m.Of.First()).Find(e.Action); m.Person == nil && byPerson(rule) {
			key := m.key(*e)
			e.number = numbers[key]
			numbers[key]++
		}
	}
	return all
}

// hashOf returns the compared part of a text's hash, "" of none.
func hashOf(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// hash returns a text's part of keys.
func (t Text) hash() string {
	if len(t.Hash) >= hashDigits {
		return t.Hash[:hashDigits]
	}
	return hashOf(t.Text)
}

// NewMonth returns the whole of a month.
func NewMonth(
	month board.MonthOf, rules *activity.Rules, calendar *board.Calendar, now board.Moment, grace time.Duration,
) *Month {
	days := calendar.Month(month)
	return &Month{
		Rules: rules, Calendar: calendar, Of: month, First: days.Start(0), End: days.Start(days.Days), Grace: grace, Now: now,
	}
}

// Know sets the actions whose rows the forum has all; actions without a rule are not compared.
func (m *Month) Know(actions []string) {
	rules := m.Rules.On(m.Of.First())
	m.Actions = slices.DeleteFunc(slices.Clone(actions), func(a string) bool { return rules.Find(a) == nil })
	slices.Sort(m.Actions)
}

// near reports whether a time is about another one.
func (m *Month) near(moment, other board.Moment) bool {
	return moment >= other.Add(-m.Grace) && moment <= other.Add(m.Grace)
}

// young reports whether a time is so recent that its report may be on its way.
func (m *Month) young(moment board.Moment) bool { return moment > m.Now.Add(-m.Grace) }

// one is the comparison of a member.
type one struct {
	*Month
	member   Member
	rows     map[string]bool // the forum's rows about the month, in it or not
	seen     map[dayOf]bool  // keys of rows that are no repetition; the day is 0 of rules by month
	standing map[string]Entry
	undone   map[string]Entry
	other    map[string]Entry // entries that stand in other months
	days     map[dayOf][2]int // of rules by day: how many there are in the forum, and in Laurel
	counts   map[dayOf]int    // the points that should count
	numbered map[string]int   // of rows, by key and other person, and how many numbers a key has
}

// dayOf is an action, or a key, on a day.
type dayOf struct {
	key string
	day board.Date
}

// Compare returns the differences between a member's rows and entries. The rows are of the month and about it.
func (m *Month) Compare(user string, rows []activity.Activity, entries []Entry) Member {
	o := &one{
		Month: m, member: Member{User: user}, rows: map[string]bool{}, seen: map[dayOf]bool{}, standing: map[string]Entry{},
		undone: map[string]Entry{}, other: map[string]Entry{}, days: map[dayOf][2]int{}, counts: map[dayOf]int{},
		numbered: map[string]int{},
	}
	for _, e := range m.number(entries) {
		o.enter(e)
	}
	slices.SortStableFunc(rows, func(a, b activity.Activity) int {
		return cmp.Or(o.outside(a)-o.outside(b), cmp.Compare(a.At, b.At)) // those of the month have the first numbers
	})
	for _, r := range rows {
		o.row(r)
	}
	o.surplus()
	o.numbers()
	o.points()
	return o.member
}

// enter notes an entry.
func (o *one) enter(e Entry) {
	key := o.key(e)
	rule := o.Rules.On(o.Of.First()).Find(e.Action)
	switch {
	case rule == nil || rule.Metric || !slices.Contains(o.Actions, e.Action):
	case e.Month != o.Of && !e.Undone:
		o.other[key] = e
	case e.Month != o.Of || e.Day != 0 && e.Day < o.Calendar.Date(o.First):
	case e.Undone:
		o.undone[key] = e
	case rule.Scope(cmp.Or(e.Ref.Text, e.Ref.Hash)) == activity.PerDay:
		o.member.Has += e.Points
		o.count(e.Action, e.Day, 1)
	default:
		o.member.Has += e.Points
		o.standing[key] = e
	}
}

// outside returns 1 for a row that is not of the month, else 0.
func (o *one) outside(r activity.Activity) int {
	if o.First <= r.At && r.At < o.End {
		return 0
	}
	return 1
}

func (o *one) count(action string, day board.Date, side int) {
	n := o.days[dayOf{action, day}]
	n[side]++
	o.days[dayOf{action, day}] = n
}

// row compares a row of the forum: the first of its kind of the month, or of the day.
func (o *one) row(r activity.Activity) {
	in := o.outside(r) == 0
	if in {
		o.member.activities++
	}
	day := o.Calendar.Date(r.At)
	rule := o.Rules.On(day).Find(r.Action)
	if rule == nil || rule.Metric || rule.TargetIsUser && r.Target == r.User || r.Restores {
		return
	}
	key := o.keyOf(r, rule)
	if o.near(r.At, o.First) || o.near(r.At, o.End) || day.Month() == o.Of {
		o.rows[key] = true
	}
	place := dayOf{key, 0}
	if rule.Scope(r.Ref) == activity.PerDay {
		place.day = day
	}
	if !in || o.seen[place] {
		return
	}
	o.seen[place] = true
	if place.day != 0 {
		o.count(r.Action, day, 0)
	} else if !o.stands(r, key, day) {
		return
	}
	o.counts[dayOf{r.Action, day}]++
}

// keyOf returns the key of a row. Rows of one person have one number.
func (o *one) keyOf(r activity.Activity, rule *activity.Rule) string {
	target, other := hashOf(r.Target), ""
	switch {
	case !byPerson(rule):
	case o.Person == nil:
		return o.numberedKey(r, rule)
	case rule.ByOther:
		other = o.Person(r.Other)
	default:
		target = o.Person(r.Target)
	}
	return keyOf(r.Action, target, hashOf(r.Ref), other, 0)
}

func (o *one) numberedKey(r activity.Activity, rule *activity.Rule) string {
	target, person := hashOf(r.Target), r.Other
	if rule.TargetIsUser {
		target, person = "", r.Target
	}
	key := keyOf(r.Action, target, hashOf(r.Ref), "", 0)
	number, known := o.numbered[key+" "+person]
	if !known {
		number = o.numbered[key]
		o.numbered[key], o.numbered[key+" "+person] = number+1, number
	}
	return keyOf(r.Action, target, hashOf(r.Ref), "", number)
}

// stands compares a row that counts once a month, and reports whether it should count in this one.
func (o *one) stands(r activity.Activity, key string, day board.Date) bool {
	e, counts := o.standing[key]
	was, undone := o.undone[key]
	elsewhere, other := o.other[key]
	edge := o.near(r.At, o.First) || o.near(r.At, o.End)
	switch {
	case counts && e.Day != day && (o.near(r.At, o.Calendar.Start(day)) || o.near(r.At, o.Calendar.Start(day+1))):
		o.member.waiting++
	case counts && e.Day != day:
		o.differ(OtherDay, r, day.String(), e.Day.String())
	case counts:
	case o.young(r.At) || undone && o.young(was.Latest) || edge && !undone:
		o.member.waiting++
		return false
	case undone:
		o.differ(Undone, r, day.String(), "")
	case other:
		o.differ(OtherMonth, r, o.Of.String(), elsewhere.Month.String())
	default:
		o.differ(Missing, r, day.String(), "")
	}
	return true
}

func (o *one) differ(kind Kind, r activity.Activity, forum, laurel string) {
	if rule := o.Rules.On(o.Of.First()).Find(r.Action); o.Person == nil && rule != nil && rule.TargetIsUser {
		r.Target = "" // the number does not tell the person
	}
	o.member.Differences = append(o.member.Differences, Difference{kind, r.Action, r.Target, r.Ref, forum, laurel})
}

// surplus finds entries that count and are not in the forum.
func (o *one) surplus() {
	for key, e := range o.standing {
		switch {
		case o.rows[key]:
		case o.young(e.Latest):
			o.member.waiting++
			o.member.Has -= e.Points
		default:
			o.differ(Surplus, activity.Activity{
				Action: e.Action, Target: cmp.Or(e.Target.Text, e.Target.Hash), Ref: e.Ref.Text,
			}, "", e.Day.String())
		}
	}
}

// numbers compares entries that count once a day, whose target is not kept.
func (o *one) numbers() {
	today := o.Calendar.Date(o.Now)
	for place, n := range o.days {
		switch {
		case n[0] == n[1]:
		case place.day >= today-1: // some reports may be late, or the acts were about midnight
			o.member.waiting++
		default:
			forum := strconv.Itoa(n[0]) + " on " + place.day.String()
			o.differ(OtherNumber, activity.Activity{Action: place.key}, forum, strconv.Itoa(n[1]))
		}
	}
}

// points adds up the points by the rules, and compares the sum if all else is the same.
func (o *one) points() {
	for place, n := range o.counts {
		rule := o.Rules.On(place.day).Find(place.key)
		o.member.Should += rule.Points * int64(rule.Counted(n))
	}
	whole := o.First == o.Calendar.Start(o.Calendar.Date(o.First)) // else points of that day may be earlier ones
	if whole && len(o.member.Differences) == 0 && o.member.waiting == 0 && o.member.Should != o.member.Has {
		o.differ(OtherPoints, activity.Activity{}, strconv.Itoa(int(o.member.Should)), strconv.Itoa(int(o.member.Has)))
	}
	slices.SortFunc(o.member.Differences, Difference.compare)
}
