package audit

import (
	"fmt"
)

// lostIDs is why followed users are kept whose ids nothing in Redis has.
const lostIDs = "unless the table has the ids, which --apply adds"

// comparePerson compares the followed users, and the indexes of followers and of
// suppressed users, with the pages.
func (u checked) comparePerson(answer Answer) (differences []difference) {
	add := func(kind Kind, place, is, should string, doubt bool, write func(*Repair)) {
		differences = append(differences, difference{
			Finding{Kind: kind, User: u.User, Place: place, Is: is, Should: should}, doubt, write,
		})
	}
	if is, should := answer.Suppressed, u.status.Suppressed(); is != should {
		add(Index, "suppressed users", inIt(is), inIt(should), is && !u.shown(),
			func(r *Repair) { r.Suppressed = &should })
	}
	if u.follows == nil {
		return differences
	}
	left := len(answer.Friends)
	for _, id := range answer.Friends {
		if u.follows.Has(id) {
			continue
		}
		unfollowed := u.follows.Knows(id) || u.gone() || (u.proof != nil && u.proof.isErased(id))
		if unfollowed {
			left--
		}
		add(Follows, "follow list", quoted(id)+" is on it", "not on it", !unfollowed,
			func(r *Repair) { r.Unfollow = append(r.Unfollow, id) })
	}
	if n := u.follows.Len(); left < n {
		add(Follows, "follow list", fmt.Sprintf("%d on it", left), fmt.Sprintf("%d, whose ids are lost", n), true, nil)
		differences[len(differences)-1].Kept = lostIDs
	}
	if is, should := answer.Listed, u.listed; is != should {
		add(Index, "users with a follow list", inIt(is), inIt(should), is && u.proof == nil,
			func(r *Repair) { r.Listed = &should })
	}
	return differences
}

func inIt(is bool) string {
	if is {
		return "in it"
	}
	return "not in it"
}
