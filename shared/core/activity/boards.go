package activity

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"laurel/shared/core/board"
)

// Limits of boards.
const (
	MaxBoards      = 20
	maxBoardWindow = 60 // windows of all boards together
	maxNamed       = 20 // groups that a board names
	maxNewDays     = 3_650
	MaxCaps        = 4 // that boards give an action beside its own
)

// A Board is a question: actions with their weights, conditions on people, and windows. It belongs to no
// version: a changed question holds for all periods that are not final.
type Board struct {
	Windows []board.Window // the shortest first; board.Contest alone, or none
	Contest board.Period   // the zero one: none
	People  People
	Teams   []Team // whose places are on the board; none: people's are
	Members bool   // only readers with a token see it
	Text    BoardText

	counts counts
}

// counts names the actions that a board counts; without any value these are the actions whose home the board is.
type counts struct {
	board   string                // another board, whose weights are these, too
	actions map[string]countsFile // by action or metric
}

// Home says whether actions may name the board as theirs.
func (b *Board) Home() bool { return b.counts.board == "" && b.counts.actions == nil }

// Period returns the period of one of the board's windows for a day: the one that the day is in, or the contest on any
// day.
func (b *Board) Period(w board.Window, day board.Date) board.Period {
	if w == board.Contest {
		return b.Contest
	}
	return board.PeriodOf(w, day)
}

// Periods returns the periods of one of the board's windows that have any of some days, the first one first; none of a
// window that rolls.
func (b *Board) Periods(w board.Window, from, to board.Date) iter.Seq[board.Period] {
	return func(yield func(board.Period) bool) {
		for p := b.Period(w, from); !w.Rolls() && p.Meets(from, to); p = p.Next() {
			if !yield(p) || !w.Tiles() {
				return
			}
		}
	}
}

// People are the conditions that a board makes on people; all of them have to hold. The zero value admits everybody.
type People struct {
	In    []string `json:"in,omitempty"`    // groups, of which a person has to be in one
	NotIn []string `json:"notIn,omitempty"` // groups, of which a person must be in none
	// The greatest age of an account at the period's start, or on the last day of one that rolls, in days; 0: any.
	NewDays int `json:"newDays,omitempty"`

	secret bool // there are groups, whose names were left out
}

// Everybody says whether there is no condition.
func (p *People) Everybody() bool { return !p.Grouped() && p.NewDays == 0 }

// Grouped says whether there is a condition on groups.
func (p *People) Grouped() bool { return p.secret || len(p.In)+len(p.NotIn) > 0 }

// Admit says whether a person, with the groups of now and an account of a day, is on a period's board; the day 0 is an
// unknown one.
func (p *People) Admit(groups []string, since board.Date, period board.Period) bool {
	isIn := func(group string) bool { return slices.Contains(groups, group) }
	switch {
	case p.secret, len(p.In) > 0 && !slices.ContainsFunc(p.In, isIn), slices.ContainsFunc(p.NotIn, isIn):
		return false
	case p.NewDays > 0:
		first := period.First()
		if period.Window().Rolls() {
			first = period.Last()
		}
		return since != 0 && since >= first-board.Date(p.NewDays)
	default:
		return true
	}
}

// A Weight is the worth of an action on a board.
type Weight struct {
	Board  string
	Action string
	Points int64 // of one entry; of a metric the factor of its value
	Cap    int   // the number of entries that count on a day; 0 for all
	Limit  int   // 0: Cap is the action's own; else its place among Rule.Caps, from 1

	metric bool
}

// Worth returns the points of n standing entries of a day, or of a metric's value.
func (w *Weight) Worth(n int64) int64 {
	if w.Cap > 0 && !w.metric {
		n = min(n, int64(w.Cap))
	}
	return w.Points * n
}

// most returns the greatest points of a day.
func (w *Weight) most(rule *Rule) int64 {
	if w.metric {
		return max(w.Points, 0) * rule.Max
	}
	return max(w.Worth(MaxDayEntries+MaxMonthEntries), 0)
}

// Weights returns the boards that count an action, in their order.
func (r *Rule) Weights() []Weight { return r.weights }

// Caps returns the caps that boards give an action, without its own, in order.
func (r *Rule) Caps() []int { return r.caps }

// On returns the weight of an action on a board, nil if the board does not count it.
func (r *Rule) On(name string) *Weight {
	for i := range r.weights {
		if r.weights[i].Board == name {
			return &r.weights[i]
		}
	}
	return nil
}

// Weights returns the weights of a board on the days of the ruleset, by action.
func (rs *Ruleset) Weights(name string) (all []Weight) {
	for _, word := range rs.names {
		if rule := rs.words[word]; rule.Action == word {
			if w := rule.On(name); w != nil {
				all = append(all, *w)
			}
		}
	}
	return all
}

// Board returns a board of the rules, nil if there is none with the name.
func (r *Rules) Board(name string) *Board { return r.questions[name] }

// noBoard stands for a board that the rules do not have.
var noBoard = &Board{}

// question returns a board of the rules, noBoard if there is none with the name.
func (r *Rules) question(name string) *Board { return cmp.Or(r.questions[name], noBoard) }

// Text returns the names of a board, with empty maps for a board without texts.
func (r *Rules) Text(name string) BoardText { return r.question(name).Text }

// Boards returns the names of the boards, sorted.
func (r *Rules) Boards() []string { return r.boards }

// Windows returns a board's windows, the shortest first; nil if there is no such board.
func (r *Rules) Windows(name string) []board.Window { return r.question(name).Windows }

// Keeps reports whether any board has one of the windows.
func (r *Rules) Keeps(windows ...board.Window) bool {
	for _, b := range r.questions {
		if slices.ContainsFunc(windows, func(w board.Window) bool { return slices.Contains(b.Windows, w) }) {
			return true
		}
	}
	return false
}

// Period returns the period of a board's window for a day, as Board.Period does; the zero one if there is no such
// board.
func (r *Rules) Period(name string, w board.Window, day board.Date) board.Period {
	if b := r.questions[name]; b != nil {
		return b.Period(w, day)
	}
	return board.Period{}
}

// Contests returns the contests of all boards, by the boards' names.
func (r *Rules) Contests() (all []board.Period) {
	for _, name := range r.boards {
		if c := r.questions[name].Contest; c != (board.Period{}) {
			all = append(all, c)
		}
	}
	return all
}

// Digests returns the names of boards with a digest of the question of each: equal for equal questions. A board
// that counts the actions whose home it is, of everybody, on all days, has its name alone: its points belong to
// versions. Labels of teams are no part of a question.
func (r *Rules) Digests() map[string]string {
	all := make(map[string]string, len(r.boards))
	for _, name := range r.boards {
		b := r.questions[name]
		all[name] = name
		question := []any{r.asked(name), b.People}
		if b.Contest != (board.Period{}) {
			question = append(question, b.Contest.String())
		} else if b.Home() && b.People.Everybody() && len(b.Teams) == 0 {
			continue
		}
		for _, t := range b.Teams {
			question = append(question, t.Group)
		}
		text, err := json.Marshal(question)
		if err != nil {
			panic("activity: " + err.Error()) // never: texts and numbers
		}
		sum := sha256.Sum256(text)
		all[name] += "~" + hex.EncodeToString(sum[:6])
	}
	return all
}

// asked returns the weights that a board names, or those of the board whose home actions it counts.
func (r *Rules) asked(name string) any {
	for {
		c := r.questions[name].counts
		switch {
		case c.actions != nil:
			return c.actions
		case c.board == "":
			return name
		}
		name = c.board
	}
}

// Kept returns the list of all boards with their windows, separated by blanks, by their names with digests.
func (r *Rules) Kept() string {
	digests, all := r.Digests(), []string(nil)
	for _, name := range r.boards {
		for _, w := range r.questions[name].Windows {
			all = append(all, digests[name]+":"+w.String())
		}
	}
	return strings.Join(all, " ")
}
