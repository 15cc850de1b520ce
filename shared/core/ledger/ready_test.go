package ledger_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// A ready is a rules file that is made to be taken, with a short list of activities and the boards that must come,
// counted by hand.
type ready struct {
	groups map[string][]string
	since  map[string]string // the day of an account
	acts   string            // "day time member action target ref", one after the other
	want   map[string]string // of each board and period: members with their points, the first one first
}

var readyRules = map[string]ready{
	// On helpers a comment is worth 3 and a solution 15, five of them on a day; at home 2 and 10.
	"helpers": {
		acts: `11-19 10:00 bob solved t1, 11-20 10:00 ann comment t1 p1, 11-20 10:01 ann comment t1 p2,
			11-20 10:02 ann like t1, 11-20 10:03 bob solved t2, 11-20 10:04 bob solved t3, 11-20 10:05 bob solved t4,
			11-20 10:06 bob solved t5,
			11-20 10:07 bob solved t6, 11-20 10:08 bob solved t7, 11-20 10:09 cid comment t1 p3,
			11-20 10:10 cid comment t1 p4, 11-20 10:11 cid uncomment t1 p4, 11-20 10:12 dan publish t9`,
		want: map[string]string{
			"activity 2026-11-19": "bob 10",
			"activity 2026-11-20": "bob 60, dan 10, ann 6, cid 2",
			"activity 2026-11":    "bob 70, dan 10, ann 6, cid 2",
			"helpers 2026-11":     "bob 90, ann 6, cid 3", // bob: 15 and 5 x 15
			"helpers 2026-Q4":     "bob 90, ann 6, cid 3",
			"helpers 2026":        "bob 90, ann 6, cid 3",
		},
	},
	// New in November is an account of 2 October or later, in the quarter one of 1 September or later.
	"newcomers": {
		since: map[string]string{"ann": "2024-03-01", "bob": "2026-11-05", "cid": "2026-10-02", "dan": "2026-10-01"},
		acts: `11-20 10:00 ann publish t1, 11-20 10:01 bob comment t1 p1, 11-20 10:02 cid like t1, 11-20 10:03 dan like t1,
			11-20 10:04 eve publish t2`, // the account of eve is of an unknown day
		want: map[string]string{
			"activity 2026-11-20": "ann 10, eve 10, bob 3, cid 2, dan 2",
			"activity 2026-11":    "ann 10, eve 10, bob 3, cid 2, dan 2",
			"newcomers 2026-11":   "bob 3, cid 2",
			"newcomers 2026-Q4":   "bob 3, cid 2, dan 2",
		},
	},
	"staff-out": {
		groups: map[string][]string{"ann": {"editors", "staff"}, "bob": {"editors"}, "cid": {"bots"}, "dan": {"Staff"}},
		acts: `11-20 10:00 ann publish t1, 11-20 10:01 bob comment t1 p1, 11-20 10:02 cid comment t1 p2,
			11-20 10:03 dan like t1, 11-20 10:04 eve like t1`, // groups are compared byte by byte; eve is in none
		want: map[string]string{
			"activity 2026-11-20": "ann 10, bob 3, cid 3, dan 2, eve 2",
			"activity 2026-11":    "ann 10, bob 3, cid 3, dan 2, eve 2",
			"members 2026-11":     "bob 3, dan 2, eve 2",
			"members 2026-Q4":     "bob 3, dan 2, eve 2",
		},
	},
	// A member of two houses plays for the one that the rules name first. The higher sum is first, then the name: cid's
	// like came before dan's comment.
	"houses": {
		groups: map[string][]string{
			"ann": {"blue", "red"}, "bob": {"blue"}, "cid": {"green"},
			"dan": {"staff", "green"}, "eve": {"Red"}, "fay": {"blue"},
		},
		acts: `11-15 23:59 ann publish t1, 11-16 00:00 ann comment t1 p1, 11-20 10:00 cid like t1, 11-20 10:01 cid unlike t1,
			11-20 10:02 cid like t2, 11-20 10:03 cid comment t1 p2, 11-20 10:04 bob comment t1 p3, 11-20 10:05 fay like t1,
			11-20 10:06 dan publish t2, 11-20 10:07 eve publish t3, 11-20 10:08 bob like t3, 11-20 10:09 bob unlike t3`,
		want: map[string]string{
			"activity 2026-11-15":   "ann 10",
			"activity 2026-11-16":   "ann 3",
			"activity 2026-11-20":   "dan 10, eve 10, cid 5, bob 3, fay 2",
			"activity 2026-11":      "ann 13, dan 10, eve 10, cid 5, bob 3, fay 2",
			"houses 2026-W46":       "red 10 of 1",
			"houses 2026-W47":       "blue 5 of 2, green 5 of 1, red 3 of 1",
			"houses 2026-11":        "red 13 of 1, blue 5 of 2, green 5 of 1",
			"houses 30d 2026-11-20": "red 13 of 1, blue 5 of 2, green 5 of 1",
		},
	},
	// A day below zero takes its points from the month; a flag that is withdrawn gives them back.
	"downvotes": {
		acts: `11-19 10:00 bob comment t1 p1, 11-19 10:01 bob comment t1 p2, 11-19 10:02 bob comment t1 p3,
			11-19 10:03 bob publish t2, 11-20 10:00 ann comment t1 p4, 11-20 10:01 ann liked p4/bob,
			11-20 10:02 ann liked p4/cid, 11-20 10:03 ann disliked p4/dan, 11-20 10:04 bob comment t1 p5,
			11-20 10:05 bob flagged p5, 11-20 10:06 cid comment t1 p6, 11-20 10:07 cid flagged p6,
			11-20 10:08 dan publish t3, 11-20 10:09 dan flagged t3, 11-20 10:10 dan unflagged t3`,
		want: map[string]string{
			"activity 2026-11-19": "bob 11",
			"activity 2026-11-20": "dan 5, ann 3", // bob and cid are at -8
			"activity 2026-11":    "dan 5, ann 3, bob 3",
			"activity 2026":       "dan 5, ann 3, bob 3",
		},
	},
	// In the contest a photo is worth 10 and a comment on one 2, five of them on a day, from 1 to 30 November; acts
	// in other categories count at home alone.
	"category-contest": {
		acts: `10-31 23:59 ann photo t0, 11-01 00:00 ann photo t1, 11-18 10:00 bob photo_comment t1 p1,
			11-18 10:01 bob photo_comment t1 p2, 11-18 10:02 bob photo_comment t1 p3, 11-18 10:03 bob photo_comment t1 p4,
			11-18 10:04 bob photo_comment t1 p5, 11-18 10:05 bob photo_comment t1 p6, 11-19 10:00 bob photo_comment t1 p7,
			11-19 10:01 cid publish t2, 11-19 10:02 cid comment t1 p8, 11-19 10:03 dan photo t3, 11-19 10:04 eve photo t4,
			11-19 10:05 eve unphoto t4`,
		want: map[string]string{
			"activity 2026-10-31":            "ann 10",
			"activity 2026-10":               "ann 10",
			"activity 2026-11-01":            "ann 10",
			"activity 2026-11-18":            "bob 18",
			"activity 2026-11-19":            "cid 13, dan 10, bob 3",
			"activity 2026-11":               "bob 21, cid 13, ann 10, dan 10",
			"contest 2026-11-01..2026-11-30": "bob 12, ann 10, dan 10",
		},
	},
	// The last 7 days begin on 14 November, the last 30 on 22 October; one visit counts on a day.
	"like-discourse": {
		acts: `10-21 23:59 ann publish t0, 10-22 00:00 ann publish t1, 11-13 23:59 bob comment t1 p1,
			11-14 00:00 bob comment t1 p2, 11-20 10:00 cid like t1, 11-20 10:01 ann liked t1/cid, 11-20 10:02 dan solved t2,
			11-20 10:03 eve visit t1, 11-20 10:04 eve visit t2, 11-20 10:05 dan unsolved t2, 11-20 10:06 eve invited fay`,
		want: map[string]string{
			"activity 2026-10-21":     "ann 5",
			"activity 2026-10-22":     "ann 5",
			"activity 2026-11-13":     "bob 2",
			"activity 2026-11-14":     "bob 2",
			"activity 2026-11-20":     "eve 11, cid 1, ann 1",
			"activity 2026-W43":       "ann 10",
			"activity 2026-W46":       "bob 4",
			"activity 2026-W47":       "eve 11, cid 1, ann 1",
			"activity 2026-10":        "ann 10",
			"activity 2026-11":        "eve 11, bob 4, cid 1, ann 1",
			"activity 2026-Q4":        "ann 11, eve 11, bob 4, cid 1",
			"activity 2026":           "ann 11, eve 11, bob 4, cid 1",
			"activity all":            "ann 11, eve 11, bob 4, cid 1",
			"activity 7d 2026-11-20":  "eve 11, bob 2, cid 1, ann 1",
			"activity 30d 2026-11-20": "eve 11, ann 6, bob 4, cid 1",
		},
	},
	// A reply is worth 1, five of them on a day; a question by itself nothing.
	"like-posthog": {
		acts: `11-19 10:00 bob comment t1 p1, 11-19 10:01 bob comment t1 p2, 11-19 10:02 bob comment t1 p3,
			11-20 10:00 ann comment t1 p4, 11-20 10:01 ann comment t1 p5, 11-20 10:02 ann comment t1 p6,
			11-20 10:03 ann comment t1 p7, 11-20 10:04 ann comment t1 p8, 11-20 10:05 ann comment t1 p9,
			11-20 10:06 ann comment t2 p10, 11-20 10:07 bob comment t2 p11, 11-20 10:08 bob comment t2 p12,
			11-20 10:09 bob comment t2 p13, 11-20 10:10 cid publish t3`,
		want: map[string]string{
			"activity 2026-11": "bob 6, ann 5", "activity 2026": "bob 6, ann 5", "activity all": "bob 6, ann 5",
		},
	},
}

func TestReadyRulesGiveTheBoardsCountedByHand(t *testing.T) {
	t.Parallel()
	for name, c := range readyRules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := harness.Must(activity.ParseRules(harness.Must(os.ReadFile("../../../rules/" + name + ".json"))(t)))(t)
			s := newAccounts(ledger.New(rules, board.NewCalendar(time.UTC)))
			for user, groups := range c.groups {
				s.user(user).Groups = groups
			}
			for user, day := range c.since {
				s.user(user).Since = board.MomentOf(harness.Must(time.Parse(time.DateOnly, day))(t))
			}
			var acts []activity.Activity
			for text := range strings.SplitSeq(c.acts, ",") {
				f := append(strings.Fields(text), "")
				moment := momentAt(t, f[0]+" "+f[1])
				target, other, _ := strings.Cut(f[4], "/")
				acts = append(acts, activity.Activity{
					User: f[2], Action: f[3], Target: target, Other: other, Ref: f[5], At: moment,
				})
			}
			now := momentAt(t, "11-20 12:00")
			s.record(t, acts, ledger.Arrival{Now: now, AnyAge: true})
			today := s.ledger.Calendar().Date(now)
			for user := range s.users {
				for _, place := range harness.Must(s.ledger.Rolling(s.all(t, user), nil, today, today))(t) {
					s.show(user, place)
				}
			}
			if diff := cmp.Diff(c.want, placesByHand(s)); diff != "" {
				t.Errorf("(-by hand +Laurel):\n%s", diff)
			}
		})
	}
}

// placesByHand returns the members of each board and period with their points, in order.
func placesByHand(s *accounts) map[string]string {
	all := map[string][]board.Member{}
	for place, packed := range s.boards {
		key := place.board + " " + place.period.String()
		if w := place.period.Window(); w.Rolls() {
			key = place.board + " " + w.String() + " " + place.period.String()
		}
		all[key] = append(all[key], board.Member{User: place.user, Packed: packed})
	}
	texts := map[string]string{}
	for key, entries := range all {
		slices.SortFunc(entries, board.Compare)
		texts[key] = saidOf(entries, s.ledger.Rules().Teams()[strings.Fields(key)[0]])
	}
	return texts
}

// saidOf writes the entries of a board, or of a board of teams the teams with the number of their members.
func saidOf(entries []board.Member, teams []string) string {
	said, tally := make([]string, 0, len(entries)), board.NewTeamTally(teams)
	for _, e := range entries {
		said = append(said, fmt.Sprintf("%s %d", e.User, e.Packed.Score()))
		tally.AddMember(e.Packed, false)
	}
	if len(teams) > 0 {
		said = nil
		for _, t := range tally.Ranked() {
			said = append(said, fmt.Sprintf("%s %d of %d", t.Group, t.Sum, t.Members))
		}
	}
	return strings.Join(said, ", ")
}
