package events_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

// taken puts an event of points that were taken from a user to an address, by an act of a moment.
func (f *forum) taken(address, user string, moment board.Moment, lost ...items.Loss) string {
	f.Helper()
	id := f.head.EventID(address, activity.EventPointsTaken, user, day, int64(moment))
	harness.OK(f, f.WriteUnlessChanged(f.Context(), items.Change{Event: &items.Event{
		EventKey: items.EventKey{Address: address, At: moment, ID: id}, Type: activity.EventPointsTaken, Period: day,
		Since: board.MomentOf(f.Real()),
		Taken: &items.Taken{Person: f.head.KeyOf(user), Kind: events.KindVoided, Reason: "a ring", Lost: lost},
	}}))
	return id
}

// Points that were taken are sent with the profile of the person alone, even if that is hidden or excluded.
func TestTakenPointsAreSent(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	noon := board.MomentOf(harness.Noon)
	f.person("ann", func(p *items.Person) { p.Profile.Name, p.Status.Hidden = "Ann", true })
	f.person("bob", func(p *items.Person) { p.Status.Excluded = true })
	november := board.PeriodOf(board.Month, day.First())
	first := f.taken("mail", "ann", noon, items.Loss{Board: "activity", Period: november, Points: 12},
		items.Loss{Board: "activity", Period: day, Points: 5})
	second := f.taken("mail", "bob", noon+1)
	if got := f.run(f.sender(f.Store, eventAddress("mail", r.URL))); got.Sent != 2 {
		t.Errorf("%+v", got)
	}
	want := map[string]string{
		first: `{"type":"points.taken","timestamp":"2026-11-20T12:00:00Z","data":{"kind":"voided",` +
			`"user":{"id":"ann","name":"Ann"},"reason":"a ring","timezone":"UTC","lost":[` +
			`{"board":"activity","window":"month","period":"2026-11","points":12},` +
			`{"board":"activity","window":"day","period":"2026-11-20","points":5}]}}`,
		second: `{"type":"points.taken","timestamp":"2026-11-20T12:00:00Z","data":{"kind":"voided",` +
			`"user":{"id":"bob"},"reason":"a ring","timezone":"UTC","lost":[]}}`,
	}
	if diff := cmp.Diff(want, r.bodies); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A loss on a board for members goes to a private address alone, and an event of such losses alone is dropped.
func TestLossesOfMembersBoardsAreSentToPrivateAddresses(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	f.person("ann", nobody)
	open := items.Loss{Board: "activity", Period: day, Points: 5}
	closed := items.Loss{Board: "members", Period: day, Points: 7}
	noon := board.MomentOf(harness.Noon)
	want := map[string]string{
		f.taken("mail", "ann", noon, open, closed):  "activity",
		f.taken("staff", "ann", noon, open, closed): "activity members",
		f.taken("staff", "ann", noon+1, closed):     "members",
	}
	f.taken("mail", "ann", noon+1, closed)
	private := eventAddress("staff", r.URL)
	private.Private = true
	if got := f.run(f.sender(f.Store, eventAddress("mail", r.URL), private)); got.Sent != 3 || got.Dropped != 1 {
		t.Errorf("%+v", got)
	}
	told := map[string]string{}
	for id, body := range r.bodies {
		var names []string
		for _, name := range []string{"activity", "members"} {
			if strings.Contains(body, `"board":"`+name) {
				names = append(names, name)
			}
		}
		told[id] = strings.Join(names, " ")
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An event about a person who was erased since is dropped, even if the id is another person's by now.
func TestTakenPointsOfErasedPeopleAreDropped(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	r := f.receiver(takes(0, nil))
	noon := board.MomentOf(harness.Noon)
	f.person("ann", func(p *items.Person) { p.Erased, p.Erasing = noon+1, true })
	f.person("bob", func(p *items.Person) { p.ID, p.Erased = "", noon+1 })
	f.person("cid", func(p *items.Person) { p.Erased = noon + 1 })
	for _, user := range []string{"ann", "bob", "cid", "dan"} {
		f.taken("mail", user, noon)
	}
	later := f.taken("mail", "cid", noon+2)
	got := f.run(f.sender(f.Store, eventAddress("mail", r.URL)))
	if diff := cmp.Diff([]string{later}, r.ids()); diff != "" || got.Dropped != 4 || len(f.waiting("mail")) > 0 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
}
