package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/pull"
)

// A Kind is how the forum and Laurel differ.
type Kind string

// The kinds of differences.
const (
	Missing     Kind = "missing" // it is in the forum, and was not reported
	Undone      Kind = "undone"  // it is in the forum, and was taken back in Laurel
	Surplus     Kind = "surplus" // it counts in Laurel, and is not in the forum
	OtherDay    Kind = "day"     // it counts on another day
	OtherMonth  Kind = "month"   // it counts in another month
	OtherNumber Kind = "number"  // of what Laurel keeps without targets there are more or fewer on a day
	OtherPoints Kind = "points"  // the entries are the same, their points are not
)

// hashDigits is how much of a hash is compared: Laurel keeps no less of any.
const hashDigits = 16

// A Difference is something that a member did, by the forum, by Laurel, or by both. Forum and Laurel are days,
// months for OtherMonth, numbers for OtherNumber and OtherPoints.
type Difference struct {
	Kind   Kind   `json:"kind"`
	Action string `json:"action,omitempty"`
	Target string `json:"target,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Forum  string `json:"forum,omitempty"`
	Laurel string `json:"laurel,omitempty"`
}

// A Member is one of whom the forum and Laurel differ.
type Member struct {
	User        string       `json:"user"`
	Name        string       `json:"name,omitempty"`
	Should      int64        `json:"should"`          // points of the month, by the forum and the rules in force
	Has         int64        `json:"has"`             // points of the month for the same actions, by Laurel
	Apart       string       `json:"apart,omitempty"` // "excluded" or "erased": Laurel counts nothing of the member
	Differences []Difference `json:"differences"`
}

// An entry is one of Laurel's.
type entry struct {
	pull.LedgerEntry

	latest board.Moment // when anything became of it
	key    string       // what was done, as keyOf returns it
}

// keyOf names what was done, whether a target is known or only its hash.
func keyOf(action, target, ref string) string {
	return strings.Join([]string{action, target, ref}, " ")
}

// hashOf returns a text's hash as far as it is compared, "" of none.
func hashOf(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// A month is what members are compared by.
type month struct {
	Options

	of         board.MonthOf
	first, end board.Moment // what is compared lies between
	now        board.Moment
	calendar   *board.Calendar
	actions    []string
}

// near says whether a moment is about another one.
func (m *month) near(at, other board.Moment) bool {
	return at >= other.Add(-m.Grace) && at <= other.Add(m.Grace)
}

// young says whether something has just happened: what is told of it may be on its way.
func (m *month) young(at board.Moment) bool { return at > m.now.Add(-m.Grace) }

// in says whether a moment is of what is compared.
func (m *month) in(at board.Moment) bool { return m.first <= at && at < m.end }

// A rowKey names what was done, and of a rule by day when.
type rowKey struct {
	key string
	day board.Date // 0 for a rule by month
}

// one is the comparison of a member.
type one struct {
	*month
	member  Member
	waiting int             // what is on its way, or about midnight
	rows    map[string]bool // what the forum has about the month, in it or not
	there   map[string]entry
	undone  map[string]entry
	other   map[string]entry // what stands in other months
	days    map[dayOf][2]int // of rules by day: how many there are in the forum, and in Laurel
	counts  map[dayOf]int    // what should count
}

type dayOf struct {
	action string
	day    board.Date
}

// compare returns how a member's rows and entries differ. The rows are of the month and about it.
func (m *month) compare(user string, rows []activity.Activity, entries []entry) (Member, int) {
	o := &one{
		month: m, member: Member{User: user}, rows: map[string]bool{}, there: map[string]entry{},
		undone: map[string]entry{}, other: map[string]entry{}, days: map[dayOf][2]int{}, counts: map[dayOf]int{},
	}
	for _, e := range entries {
		o.enter(e)
	}
	slices.SortStableFunc(rows, func(a, b activity.Activity) int { return int(a.At - b.At) })
	seen := map[rowKey]bool{}
	for _, r := range rows {
		o.row(r, seen)
	}
	o.surplus()
	o.numbers()
	o.points()
	return o.member, o.waiting
}

// enter notes an entry.
func (o *one) enter(e entry) {
	rule := o.Rules.On(o.of.First()).Find(e.Action)
	switch {
	case rule == nil || rule.Metric || !slices.Contains(o.actions, e.Action):
	case e.Month != o.of && e.State != pull.Undone:
		o.other[e.key] = e
	case e.Month != o.of || e.Day != 0 && e.Day < o.calendar.Date(o.first):
	case e.State == pull.Undone:
		o.undone[e.key] = e
	case rule.Scope(e.Ref) == activity.PerDay:
		o.member.Has += e.Points
		o.number(e.Action, e.Day, 1)
	default:
		o.member.Has += e.Points
		o.there[e.key] = e
	}
}

func (o *one) number(action string, day board.Date, side int) {
	n := o.days[dayOf{action, day}]
	n[side]++
	o.days[dayOf{action, day}] = n
}

// row compares a row of the forum: the first of its kind of the month, or of the day.
func (o *one) row(r activity.Activity, seen map[rowKey]bool) {
	day := o.calendar.Date(r.At)
	rule := o.Rules.On(day).Find(r.Action)
	if rule == nil || rule.Metric || rule.TargetIsUser && r.Target == r.User || r.Restores {
		return
	}
	key := keyOf(r.Action, hashOf(r.Target), hashOf(r.Ref))
	if o.near(r.At, o.first) || o.near(r.At, o.end) || o.in(r.At) {
		o.rows[key] = true
	}
	at := rowKey{key, 0}
	if rule.Scope(r.Ref) == activity.PerDay {
		at.day = day
	}
	if !o.in(r.At) || seen[at] {
		return
	}
	seen[at] = true
	if at.day != 0 {
		o.number(r.Action, day, 0)
	} else if !o.stands(r, key, day) {
		return
	}
	o.counts[dayOf{r.Action, day}]++
}

// stands compares what counts once a month, and says whether it should count in this one.
func (o *one) stands(r activity.Activity, key string, day board.Date) bool {
	e, counts := o.there[key]
	was, undone := o.undone[key]
	elsewhere, other := o.other[key]
	edge := o.near(r.At, o.first) || o.near(r.At, o.end)
	switch {
	case counts && e.Day != day && (o.near(r.At, o.calendar.Start(day)) || o.near(r.At, o.calendar.Start(day+1))):
		o.waiting++
	case counts && e.Day != day:
		o.differ(OtherDay, r, day.String(), e.Day.String())
	case counts:
	case o.young(r.At) || undone && o.young(was.latest) || edge && !undone:
		o.waiting++
		return false
	case undone:
		o.differ(Undone, r, day.String(), "")
	case other:
		o.differ(OtherMonth, r, o.of.String(), elsewhere.Month.String())
	default:
		o.differ(Missing, r, day.String(), "")
	}
	return true
}

func (o *one) differ(kind Kind, r activity.Activity, forum, laurel string) {
	o.member.Differences = append(o.member.Differences, Difference{kind, r.Action, r.Target, r.Ref, forum, laurel})
}

// surplus finds what counts and is not in the forum.
func (o *one) surplus() {
	for key, e := range o.there {
		switch {
		case o.rows[key]:
		case o.young(e.latest):
			o.waiting++
			o.member.Has -= e.Points
		default:
			o.differ(Surplus, activity.Activity{Action: e.Action, Target: e.Target, Ref: e.Ref}, "", e.Day.String())
		}
	}
}

// numbers compares what counts once a day, of which the target is not kept.
func (o *one) numbers() {
	today := o.calendar.Date(o.now)
	for at, n := range o.days {
		switch {
		case n[0] == n[1]:
		case at.day >= today-1: // some may be on its way, or was about midnight
			o.waiting++
		default:
			forum := strconv.Itoa(n[0]) + " on " + at.day.String()
			o.differ(OtherNumber, activity.Activity{Action: at.action}, forum, strconv.Itoa(n[1]))
		}
	}
}

// points adds up what the rules say, and compares it if all else is the same.
func (o *one) points() {
	for at, n := range o.counts {
		rule := o.Rules.On(at.day).Find(at.action)
		o.member.Should += rule.Points * int64(rule.Counted(n))
	}
	if len(o.member.Differences) == 0 && o.waiting == 0 && o.member.Should != o.member.Has {
		o.differ(OtherPoints, activity.Activity{}, strconv.Itoa(int(o.member.Should)), strconv.Itoa(int(o.member.Has)))
	}
	slices.SortFunc(o.member.Differences, Difference.compare)
}
