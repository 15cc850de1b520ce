package night

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel/shared/forum/catchup"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// Repaired has the findings of a repair, its actions, and its end.
type Repaired struct {
	Findings []Finding       `json:"findings"`
	Night    *Result         `json:"night,omitempty"`
	Audit    *catchup.Result `json:"audit,omitempty"` // the remaining differences; nil: the view cannot be reached
	Left     bool            `json:"left,omitempty"`  // the time was over: run it again
}

// Repair examines the stores, mends its findings as far as possible, in the right order, and ends with
// an audit of the view, which may be the last finding. tell gets each finding before it is mended, those
// of an audit after it; it may be nil. Repair may be interrupted and run again.
func Repair(ctx context.Context, o Options, tell func(Finding)) (Repaired, error) {
	o.ByHand = false
	r := &repair{Options: o, tell: tell}
	s := o.situation(ctx)
	r.findAll(s)
	err := s.table
	if err == nil && r.found(FoundRestored) {
		r.renewed, err = true, o.Items.NewTable(ctx)
	}
	views := !r.found(FoundView)
	scores := !r.found(FoundRestored, FoundEmptied) // a filled slot shows all scores
	if err == nil && views && !s.full && r.found(FoundRestored, FoundEmptied, FoundBehind) {
		_, err = r.compare(ctx, catchup.Request{Scores: scores})
	}
	if err == nil && !r.Left && r.found(FoundPeriods, FoundFull) { // final periods make room
		var night Result
		night, err = Run(ctx, o)
		r.Night, r.Left = &night, night.Short
	}
	if err == nil && views && s.full {
		_, err = r.compare(ctx, catchup.Request{Scores: scores})
	}
	if err == nil && !r.Left {
		err = r.wreaths(ctx)
	}
	if err == nil && views {
		err = r.audit(ctx)
	}
	if err != nil {
		return r.Repaired, fmt.Errorf("night: repair: %w", err)
	}
	return r.Repaired, nil
}

// A repair is one at work.
type repair struct {
	Options
	tell    func(Finding)
	renewed bool // the table has a new id, as it was restored
	Repaired
}

// find adds a finding of a kind if it applies, with the action against it and its description.
func (r *repair) find(applies bool, kind Kind, does, says string, values ...any) {
	if !applies {
		return
	}
	f := Finding{kind, fmt.Sprintf(says, values...), does}
	if r.Findings = append(r.Findings, f); r.tell != nil {
		r.tell(f)
	}
}

func (r *repair) found(kinds ...Kind) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return slices.Contains(kinds, f.Kind) })
}

// compare compares the view with the table, once no other comparison is running. A comparison that meets later
// revisions in the view shows that the table was restored: the view is filled, and compared once more.
func (r *repair) compare(ctx context.Context, how catchup.Request) (done catchup.Result, err error) {
	how.Restart = true
	for !r.Left {
		done, err = r.CatchUp(ctx, how)
		switch {
		case err != nil:
			return done, err
		case done.Restored > 0 && !r.renewed:
			if err := r.renew(ctx); err != nil {
				return done, err
			}
			continue
		case !done.Busy:
			r.Left = done.Left
			return done, nil
		}
		select {
		case <-ctx.Done():
			return done, context.Cause(ctx)
		case <-time.After(time.Second):
		}
	}
	return done, nil
}

// renew gives a restored table a new id, and fills the view.
func (r *repair) renew(ctx context.Context) error {
	r.findRestored(true)
	r.renewed = true
	if err := r.Items.NewTable(ctx); err != nil {
		return err
	}
	_, err := r.compare(ctx, catchup.Request{})
	return err
}

func (r *repair) findRestored(restored bool) {
	r.find(restored, FoundRestored, "The table gets a new id, and the view is filled from it.",
		"The table is older than the view: it was restored.")
}

// wreaths mends wreaths that are not those of the final boards.
func (r *repair) wreaths(ctx context.Context) error {
	people, err := r.mendWreaths(ctx)
	r.find(people > 0, FoundWreaths, "They get those of the boards.",
		"%d people have other wreaths than final boards give.", people)
	return err
}

// audit compares all that the view has, and mends the differences. Where nothing does, the view may
// still not have seen the last revisions.
func (r *repair) audit(ctx context.Context) error {
	audit, err := r.compare(ctx, catchup.Request{Audit: true})
	var mended catchup.Result
	if err == nil {
		mended, err = r.compare(ctx, catchup.Request{Scores: audit.Differ > 0})
	}
	differ := cmp.Or(audit.Differ, mended.Differ) // lists of votes that were lost are met by the second alone
	if err == nil && differ+mended.Shown > 0 {
		audit, err = r.compare(ctx, catchup.Request{Audit: true})
	}
	if err == nil && !r.Left {
		r.Audit = &audit
	}
	does := "They are corrected."
	if err != nil || r.Left || audit.Differ > 0 {
		does = "They are not all corrected: run it again."
	}
	r.find(differ > 0, FoundDiffers, does, "%d places, names or articles of the view differ from the ledgers.", differ)
	return err
}

// situation looks at the stores and changes nothing.
func (o Options) situation(ctx context.Context) (s situation) {
	head, err := o.Items.Peek(ctx)
	switch {
	case err != nil:
		s.table = err
	case head == nil:
		s.table = items.ErrUnused
	}
	if s.table != nil {
		return s
	}
	s.head, s.plan = head, o.schedule(head).Plan(head)
	markers, err := o.View.Markers(ctx)
	if s.state, s.view = o.look(head, markers), err; s.state.restored { // or a tick has moved a period on since
		if now, err := o.Items.Peek(ctx); err == nil && now != nil {
			s.head, s.state = now, o.look(now, markers)
		}
	}
	behind := head.Behind != nil && strings.Contains(head.Behind.Reason, view.ErrFull.Error())
	s.full = behind || errors.Is(err, view.ErrFull)
	return s
}

// A Kind names a fault of a forum's stores, or work that waits for an operator.
type Kind string

// The kinds of findings, in the order of reporting.
const (
	FoundTable    Kind = "table"    // it cannot be read
	FoundView     Kind = "view"     // it cannot be reached
	FoundRestored Kind = "restored" // the table is an earlier one than the view has seen
	FoundFull     Kind = "full"
	FoundEmptied  Kind = "emptied"
	FoundBehind   Kind = "behind"
	FoundDiffers  Kind = "differs" // from the ledgers
	FoundWreaths  Kind = "wreaths" // are not those of final boards
	FoundPeriods  Kind = "periods" // closed and not final, or due
	FoundReopened Kind = "reopened"
	FoundImport   Kind = "import"
	FoundDead     Kind = "dead letters"
)

// A Finding is a fact about the stores in a sentence, and another about the action that is taken, or left to take.
type Finding struct {
	Kind Kind   `json:"kind"`
	Says string `json:"says"`
	Does string `json:"does"`
}

// A situation is the result of a look at the stores.
type situation struct {
	head  *items.Head // nil if it could not be read
	table error
	view  error
	full  bool
	state viewState
	plan  items.Plan
}

// findAll adds all findings and the actions against them, in their order.
func (r *repair) findAll(s situation) {
	if s.head == nil {
		r.find(true, FoundTable, "Repair it first: until then everything answers 503.",
			"The table cannot be used: %v.", s.table)
		return
	}
	r.find(s.view != nil && !s.full, FoundView, "Reports work, boards answer 503; it catches up when it is back.",
		"The view cannot be reached: %v.", s.view)
	r.findRestored(s.state.restored)
	r.find(s.full, FoundFull, "Final periods leave it, then it catches up. If it stays full, give it more room.",
		"The view is full.")
	r.find(s.state.strange > 0, FoundEmptied, "They are filled from the table.",
		"%d parts of the view are empty or belong to another table.", s.state.strange)
	r.find(s.state.filling, FoundEmptied, "Filling continues.", "The view is being filled.")
	r.find(s.state.lost != "", FoundBehind, "It is compared with the table.", "The view is behind: %s.", s.state.lost)
	if b := s.head.Behind; b != nil {
		r.find(true, FoundBehind, "It is compared with the table.", "The view is behind since %s: %s.", b.Since, b.Reason)
	}
	if due := s.due(); len(due) > 0 {
		r.find(true, FoundPeriods, "They become final, one after the other.",
			"%d periods are due, or closed and not final, from %s on.", len(due), due[0])
	}
	for _, l := range s.plan.Left {
		reopened := l.Reason == items.ReasonReopened
		r.find(reopened, FoundReopened, "The next night closes it again.", "%s was reopened.", l.Periods)
	}
	for _, i := range s.head.Imports {
		r.find(true, FoundImport, "Its months do not become final: run laurel import with it again, or with --finish or "+
			"--give-up.", "The import of %s is in progress since %s.", i.Name, i.Since)
	}
}

// DeadLetters returns the finding about a dead-letter queue, which only a caller outside the
// functions' network can read; false if there is none.
func DeadLetters(letters int, err error) (Finding, bool) {
	switch {
	case err != nil:
		return Finding{FoundDead, fmt.Sprintf("The dead-letter queue cannot be read: %v.", err), "Check it."}, true
	case letters > 0:
		return Finding{
			FoundDead, fmt.Sprintf("%d messages are in the dead-letter queue.", letters),
			"See in the log why they failed, then redrive them: moments of arrival are kept.",
		}, true
	default:
		return Finding{}, false
	}
}

// due returns the names of the periods and jobs that have steps to take.
func (s situation) due() (names []string) {
	for _, p := range slices.Concat(s.plan.Making, s.plan.Removing, s.plan.Closing) {
		names = append(names, p.Text())
	}
	for _, l := range s.plan.Left {
		if l.Reason == items.ReasonWait || l.Reason == items.ReasonParts {
			names = append(names, l.String())
		}
	}
	return names
}
