package audit

import (
	"fmt"
)

// comparePerson compares the followed users, and the indexes of followers and of
// suppressed users, with the pages, and adds repairs. Followed users of whom the page has
// only a hash cannot be restored; a repair removes them, so that they can be followed
// again.
func (u checked) comparePerson(answer Answer, repair *Repair) (findings []Finding) {
	tell := func(kind Kind, place, is, should string) {
		findings = append(findings, Finding{Kind: kind, User: u.User, Place: place, Is: is, Should: should})
	}
	repairIndex := func(place string, is, should bool) *bool {
		if is == should {
			return nil
		}
		tell(Index, place, inIt(is), inIt(should))
		return &should
	}
	repair.Suppressed = repairIndex("suppressed users", answer.Suppressed, u.status.Suppressed())
	if u.follows == nil {
		return findings
	}
	left := len(answer.Friends)
	for _, id := range answer.Friends {
		if !u.follows.Has(id) {
			left--
			repair.Unfollow = append(repair.Unfollow, id)
			tell(Follows, "follow list", quoted(id)+" is on it", "not on it")
		}
	}
	if n := u.follows.Len(); left < n {
		tell(Follows, "follow list", fmt.Sprintf("%d on it", left), fmt.Sprintf("%d, whose ids are lost", n))
		repair.Pages = append(repair.Pages, u.follows.Keep(answer.Friends))
	}
	repair.Listed = repairIndex("users with a follow list", answer.Listed, u.listed)
	return findings
}

func inIt(is bool) string {
	if is {
		return "in it"
	}
	return "not in it"
}
