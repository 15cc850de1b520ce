package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"laurel/shared/core/activity"
)

// award decodes the rest of a row that is an award: value is its points, and ref its id.
func (d *decoder) award(r row, a activity.Activity, violations []string, flaws []flaw) decoded {
	points, err := strconv.ParseInt(none(r.values[fieldValue]), 10, 64)
	if err != nil {
		violations = append(violations, fmt.Sprintf("value: %q is not a whole number", r.values[fieldValue]))
	}
	if a.Target != "" {
		violations = append(violations, "target: an award has none")
	}
	given := activity.Award{
		ID: a.Ref, Points: points, Board: cmp.Or(none(r.values[fieldBoard]), d.Rules.UsualAwardBoard()),
		Reason: none(r.values[fieldReason]),
	}
	if given.ID == "" {
		given.ID = contentID(a, given)
	}
	a.Ref, a.Award = "", &given
	found := d.Rules.AwardViolations(a)
	for i, v := range found {
		if column := map[string]string{"points": "value", "id": "ref"}[v.Location]; column != "" {
			found[i].Location = column
		}
	}
	return decoded{activity: a, violation: joined(violations, found), flaws: flaws}
}

// contentIDLen is how many bytes of a hash are the id of an award without one.
const contentIDLen = 12

// contentID returns the id of an award that has none: the same award has the same one in every import.
func contentID(a activity.Activity, given activity.Award) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %q %q", a.At, given.Points, given.Board, given.Reason))
	return hex.EncodeToString(sum[:contentIDLen])
}
