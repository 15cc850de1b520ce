package activity

import "fmt"

// AwardWord is the action of an award in answers and files. Rules name no action so.
const AwardWord = "award"

// Limits of an award.
const (
	MaxAward  = 1_000_000 // points, above or below zero
	MaxReason = 140       // characters of a reason
)

// An Award is points that the forum's service gives a user, or takes from one, for a reason. The activity that carries
// one has its user and moment, and AwardWord for its action.
type Award struct {
	ID     string
	Points int64
	Board  string
	Reason string
	Taken  bool // the award of the id is taken back; nothing but the id counts
}

// AwardBoard returns the board whose awards count on a board: itself, or the one that it counts; "" for no board.
func (r *Rules) AwardBoard(name string) string {
	for b := r.questions[name]; b != nil; b = r.questions[name] {
		if b.counts.board == "" {
			return name
		}
		name = b.counts.board
	}
	return ""
}

// UsualAwardBoard returns the board of awards that name none: activity, else the first one that is actions' home; "" if
// there is none of people.
func (r *Rules) UsualAwardBoard() string {
	const usual = "activity"
	for _, name := range append([]string{usual}, r.boards...) {
		if code, _ := r.checkAwardBoard(name); code == "" && (name == usual || r.questions[name].Home()) {
			return name
		}
	}
	return ""
}

// AwardViolations returns the violations of an activity with an award, nil if it can be recorded. It does not check the
// moment.
func (r *Rules) AwardViolations(a Activity) []Violation {
	var found Violations
	award := a.Award
	found.Check("user", a.User)(CheckID(a.User, MaxUserID))
	found.Check("id", award.ID)(CheckID(award.ID, MaxID))
	if award.Points < -MaxAward || award.Points > MaxAward {
		found.Check("points", award.Points)(CodeOutOfRange, fmt.Sprintf("must be from -%d to %d", MaxAward, MaxAward))
	}
	found.Check("board", award.Board)(r.checkAwardBoard(award.Board))
	found.Check("reason", award.Reason)(CheckText(award.Reason, MaxReason))
	return found
}

// checkAwardBoard returns the violation of an award's board.
func (r *Rules) checkAwardBoard(name string) (Code, string) {
	switch counted := r.AwardBoard(name); counted {
	case "":
		if name == "" {
			return CodeMissingField, "missing required field; no board takes awards that name none"
		}
		return CodeUnknownValue, "no such board"
	case name:
		if r.OfTeams(name) {
			return CodeNotApplicable, "the board is of teams, and an award is a person's"
		}
		return "", ""
	default:
		return CodeNotApplicable, "the board counts as " + counted + "; give the award there"
	}
}
