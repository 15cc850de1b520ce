package audit

import (
	"fmt"
)

// comparePerson holds whom a user follows, and the indexes of that and of who is
// hidden or excluded, against the pages, and says what would mend them. Whom the
// page has by hash alone cannot be put back; a repair forgets them, so that they
// can be followed again.
func (u checked) comparePerson(answer Answer, repair *Repair) (findings []Finding) {
	tell := func(kind Kind, place, is, should string) {
		findings = append(findings, Finding{Kind: kind, User: u.User, Place: place, Is: is, Should: should})
	}
	mendIndex := func(place string, is, should bool) *bool {
		if is == should {
			return nil
		}
		tell(Index, place, inIt(is), inIt(should))
		return &should
	}
	repair.Away = mendIndex("hidden or excluded users", answer.Away, u.status.Suppressed())
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
	repair.Listed = mendIndex("users who follow somebody", answer.Listed, left > 0)
	return findings
}

func inIt(is bool) string {
	if is {
		return "in it"
	}
	return "not in it"
}
