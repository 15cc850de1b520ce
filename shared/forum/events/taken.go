package events

import (
	"errors"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
)

// The kinds of acts that take points from a person.
const (
	KindAward        = "award"         // an award below zero
	KindAwardRevoked = "award_revoked" // an award above zero was taken back
	KindVoided       = "voided"        // a pair is void that the person is one of
	KindMerged       = "merged"        // two accounts of the person are one, which has less than one of them had
	KindExcluded     = "excluded"      // the person is off every board
)

// TakenBy returns the writes of the events of an act that has taken points from a person, for one transaction with it:
// one for each address that takes them, with the losses on the boards that it may know. written is the time by the
// clock of a Sender.
func TakenBy(
	l *ledger.Ledger, head *items.Head, act *items.Act, taken items.Taken, written time.Time,
) (changes []items.Change) {
	guests, p := l.Guests(), board.PeriodOf(board.Day, l.Calendar().Date(act.At))
	for _, a := range l.Rules().Events() {
		told := taken
		told.Lost = lossesFor(a, guests, taken.Lost)
		if !slices.Contains(a.Types, activity.EventPointsTaken) || len(told.Lost) == 0 && len(taken.Lost) > 0 {
			continue
		}
		id := head.EventID(a.Name, activity.EventPointsTaken, act.ID+" "+taken.Person.String(), p, 0)
		changes = append(changes, items.Change{Event: &items.Event{
			EventKey: items.EventKey{Address: a.Name, At: act.At, ID: id},
			Type:     activity.EventPointsTaken, Period: p, Since: board.MomentOf(written), Taken: &told,
		}})
	}
	return changes
}

// Tells reports whether the rules have an address that takes the events of TakenBy.
func Tells(rules *activity.Rules) bool {
	return slices.ContainsFunc(rules.Events(), func(a activity.EventAddress) bool {
		return slices.Contains(a.Types, activity.EventPointsTaken)
	})
}

// lossesFor returns the losses on boards that an address may know.
func lossesFor(a activity.EventAddress, guests *activity.Rules, all []items.Loss) []items.Loss {
	return slices.DeleteFunc(slices.Clone(all), func(l items.Loss) bool {
		return !a.Private && guests.Board(l.Board) == nil
	})
}

// errNobody is the error of an event about a person who was erased since.
var errNobody = errors.New("events: the person was erased")

// takenData has the person, and nobody else. Lost is empty for an exclusion, which takes the person off every board.
type takenData struct {
	Kind     string       `json:"kind"`
	User     profile.User `json:"user"`
	Reason   string       `json:"reason,omitempty"`
	Timezone string       `json:"timezone"`
	Lost     []lost       `json:"lost"`
}

// A lost is the points that were lost on a board: in a day by an award, in a month by a void pair or a merge.
type lost struct {
	Board  string `json:"board"`
	Window string `json:"window"`
	Period string `json:"period"`
	Points int64  `json:"points"`
}

// takenBody writes the body of an event of points that were taken from a user.
func takenBody(e *items.Event, c *board.Calendar, user profile.User, losses []items.Loss) ([]byte, error) {
	data := takenData{
		Kind: e.Taken.Kind, User: user, Reason: e.Taken.Reason, Timezone: c.Zone().String(), Lost: []lost{},
	}
	for _, l := range losses {
		data.Lost = append(data.Lost, lost{l.Board, l.Period.Window().String(), l.Period.String(), l.Points})
	}
	return encode(e, data)
}
