package vectors_test

// A scenario is the source of a vector: a line for each request, with the statuses that must come behind a colon. An
// activity is a moment, user, action and target, then ref=, other=, value= and restores.
type scenario struct {
	name, about string
	place       place
	lines       string
	ordered     bool // it has no other form in which everything is shuffled and repeated
}

// A place is the server of a scenario.
type place struct{ zone, now, rules string }

var (
	usual     = place{"UTC", "2026-11-20T12:00:00Z", ""}
	monthEnd  = place{"UTC", "2026-12-01T12:00:00Z", ""}
	newYear   = place{"UTC", "2027-01-01T12:00:00Z", "windows"}
	twoTeams  = place{"UTC", "2027-01-01T12:00:00Z", "teams"}
	berlin    = place{"Europe/Berlin", "2026-10-26T12:00:00Z", ""}
	spring    = place{"Europe/Berlin", "2026-03-30T12:00:00Z", ""}
	newYork   = place{"America/New_York", "2026-11-02T12:00:00Z", ""}
	saoPaulo  = place{"America/Sao_Paulo", "2018-11-05T12:00:00Z", ""}
	apia      = place{"Pacific/Apia", "2011-12-31T06:00:00Z", ""}
	stJohns   = place{"America/St_Johns", "2010-11-08T12:00:00Z", ""}
	lordHowe  = place{"Australia/Lord_Howe", "2026-04-06T00:00:00Z", ""}
	kathmandu = place{"Asia/Kathmandu", "2026-06-01T12:00:00Z", ""}
)

var scenarios = []scenario{
	{
		name: "points", place: usual,
		about: "Every action has its points.",
		lines: `
2026-11-20T08:00:00Z ann visit t1 : counted
2026-11-20T08:01:00Z ann like t1 : counted
2026-11-20T08:02:00Z ann bookmark t1 : counted
2026-11-20T08:03:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:04:00Z ann publish t2 : counted
2026-11-20T08:05:00Z ann follow bob : counted
2026-11-20T08:06:00Z bob publish t3 : counted`,
	},
	{
		name: "duplicates", place: usual,
		about: "An entry by month counts once; one by day once a day; a ref is an entry of its own.",
		lines: `
2026-11-19T08:00:00Z ann like t1 : counted
2026-11-20T08:00:00Z ann like t1 : duplicate
2026-11-19T08:01:00Z ann visit t1 : counted
2026-11-20T08:01:00Z ann visit t1 : counted
2026-11-20T08:02:00Z ann visit t1 : duplicate
2026-11-20T08:03:00Z ann comment t1 : counted
2026-11-20T08:04:00Z ann comment t1 : duplicate
2026-11-20T08:05:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:06:00Z ann comment t1 ref=c2 : counted`,
	},
	{
		name: "midnight", place: usual,
		about: "The moment of midnight belongs to the day that begins.",
		lines: `
2026-11-19T23:59:59.999Z ann like t1 : counted
2026-11-20T00:00:00Z bob like t1 : counted
2026-11-20T00:00:00.001Z cyd like t1 : counted`,
	},
	{
		name: "offsets", place: usual,
		about: "A moment is the same in every offset.",
		lines: `
2026-11-20T01:00:00+02:00 ann like t1 : counted
2026-11-19T22:00:00-02:00 bob like t1 : counted`,
	},
	{
		name: "late", place: usual,
		about: "A report may be 48 hours late, and counts on its own day.",
		lines: `
2026-11-18T13:00:00Z ann like t1 : counted
2026-11-18T11:59:59Z ann like t2 : too_late
2026-11-20T08:00:00Z ann like t3 : counted`,
	},
	{
		name: "early", place: usual,
		about: "A report from far ahead is refused.",
		lines: `
2026-11-20T18:00:00Z ann like t1 : too_early
2026-11-20T11:00:00Z ann like t2 : counted`,
	},
	{
		name: "earlier-report", place: usual,
		about: "An earlier moment of the same entry moves its points to that day.",
		lines: `
2026-11-20T08:00:00Z ann like t1
2026-11-19T08:00:00Z ann like t1
2026-11-20T08:01:00Z bob like t1`,
	},
	{
		name: "ties", place: usual,
		about: "Of equal scores the one that was reached earlier comes first.",
		lines: `
2026-11-20T08:00:02Z ann like t1 : counted
2026-11-20T08:00:01Z bob like t1 : counted
2026-11-20T08:00:03Z cyd like t1 : counted`,
	},
	{
		name: "ties-by-id", place: usual,
		about: "Of equal scores at an equal moment the order is that of ids.",
		lines: `
2026-11-20T08:00:00Z cyd like t1 : counted
2026-11-20T08:00:00Z ann like t1 : counted
2026-11-20T08:00:00Z bob like t1 : counted`,
	},
	{
		name: "ties-of-many", place: usual,
		about: "A score is reached at the latest activity that counts, of all actions.",
		lines: `
2026-11-20T08:00:00Z ann comment t1 ref=c1 : counted
2026-11-20T09:00:00Z ann like t1 : counted
2026-11-20T08:30:00Z bob like t1 : counted
2026-11-20T08:45:00Z bob comment t1 ref=c1 : counted`,
	},
	{
		name: "undo", place: usual,
		about: "An undo takes the points back.",
		lines: `
2026-11-20T08:00:00Z ann like t1 : counted
2026-11-20T08:01:00Z ann like t2 : counted
2026-11-20T08:02:00Z ann unlike t1 : revoked
2026-11-20T08:03:00Z bob like t1 : counted
2026-11-20T08:04:00Z bob unlike t1 : revoked`,
	},
	{
		name: "undo-first", place: usual,
		about: "An undo may be reported before its activity.",
		lines: `
2026-11-20T08:01:00Z ann unlike t1
2026-11-20T08:00:00Z ann like t1
2026-11-20T08:02:00Z bob like t1`,
	},
	{
		name: "undo-equal", place: usual,
		about: "At an equal moment the undo wins.",
		lines: `
2026-11-20T08:00:00Z ann like t1
2026-11-20T08:00:00Z ann unlike t1
2026-11-20T08:01:00Z bob like t1`,
	},
	{
		name: "undo-again", place: usual,
		about: "A second activity after an undo counts at its own moment.",
		lines: `
2026-11-19T08:00:00Z ann like t1 : counted
2026-11-19T09:00:00Z ann unlike t1 : revoked
2026-11-20T08:00:00Z ann like t1 : counted
2026-11-19T08:30:00Z bob like t1 : counted`,
	},
	{
		name: "undo-between", place: usual,
		about: "An undo between two reports leaves the later one.",
		lines: `
2026-11-19T08:00:00Z ann like t1
2026-11-20T09:00:00Z ann like t1
2026-11-20T08:00:00Z ann unlike t1
2026-11-20T08:30:00Z bob like t1`,
	},
	{
		name: "undo-older", place: usual,
		about: "An undo of an earlier moment than the activity takes nothing.",
		lines: `
2026-11-20T08:00:00Z ann unlike t1
2026-11-20T09:00:00Z ann like t1`,
	},
	{
		name: "undo-by-day", place: usual,
		about: "An undo of an entry by day holds for its own day.",
		lines: `
2026-11-19T08:00:00Z ann comment t1
2026-11-20T08:00:00Z ann comment t1
2026-11-20T09:00:00Z ann uncomment t1`,
	},
	{
		name: "undo-next-month", place: monthEnd,
		about: "An undo takes back an entry of the month before.",
		lines: `
2026-11-30T20:00:00Z ann like t1 : counted
2026-12-01T08:00:00Z ann unlike t1 : revoked
2026-11-30T21:00:00Z bob like t1 : counted`,
	},
	{
		name: "undo-by-ref", place: usual,
		about: "An undo by a ref alone holds on every target.",
		lines: `
2026-11-20T08:00:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:01:00Z ann comment t1 ref=c2 : counted
2026-11-20T08:02:00Z ann uncomment - ref=c1 : revoked`,
	},
	{
		name: "restore", place: usual,
		about: "A restore gives the points back, on the day of the activity.",
		lines: `
2026-11-19T08:00:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:01:00Z ann uncomment t1 ref=c1 : revoked
2026-11-20T08:02:00Z ann comment t1 ref=c1 restores : counted
2026-11-20T08:03:00Z bob comment t1 ref=c1 : counted`,
	},
	{
		name: "restore-first", place: usual,
		about: "A restore may be reported before its activity and the undo.",
		lines: `
2026-11-20T08:02:00Z ann like t1 restores
2026-11-20T08:01:00Z ann unlike t1
2026-11-19T08:00:00Z ann like t1`,
	},
	{
		name: "restore-older", place: usual,
		about: "An undo after a restore wins.",
		lines: `
2026-11-20T08:00:00Z ann like t1
2026-11-20T08:01:00Z ann unlike t1
2026-11-20T08:02:00Z ann like t1 restores
2026-11-20T08:03:00Z ann unlike t1
2026-11-20T08:04:00Z bob like t1`,
	},
	{
		name: "restore-by-ref", place: usual,
		about: "A restore by a ref alone holds on every target.",
		lines: `
2026-11-20T08:00:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:01:00Z ann uncomment - ref=c1 : revoked
2026-11-20T08:02:00Z ann comment - ref=c1 restores : counted`,
	},
	{
		name: "restore-next-month", place: monthEnd,
		about: "A restore of an entry of the month before counts in that month.",
		lines: `
2026-11-30T20:00:00Z ann like t1 : counted
2026-12-01T08:00:00Z ann unlike t1 : revoked
2026-12-01T09:00:00Z ann like t1 restores : counted`,
	},
	{
		name: "month-end", place: monthEnd,
		about: "An entry by month counts in each month.",
		lines: `
2026-11-30T23:59:59.999Z ann like t1 : counted
2026-12-01T00:00:00Z ann like t1 : counted
2026-12-01T00:00:01Z bob like t1 : counted`,
	},
	{
		name: "cap", place: newYear,
		about: "No more entries than the cap count on a day.",
		lines: `
2027-01-01T08:00:00Z ann like t1 : counted
2027-01-01T08:01:00Z ann like t2 : counted
2027-01-01T08:02:00Z ann like t3 : counted
2027-01-01T08:03:00Z ann like t4 : capped
2027-01-01T08:02:30Z bob visit t1 : counted
2027-01-01T08:03:30Z bob visit t2 : counted
2027-01-01T08:04:30Z bob visit t3 : capped`,
	},
	{
		name: "cap-undo", place: newYear,
		about: "An undo below the cap lets the next entry count.",
		lines: `
2027-01-01T08:00:00Z ann like t1
2027-01-01T08:01:00Z ann like t2
2027-01-01T08:02:00Z ann like t3
2027-01-01T08:03:00Z ann like t4
2027-01-01T08:04:00Z ann unlike t1
2027-01-01T08:02:30Z bob like t1
2027-01-01T08:02:40Z bob like t2
2027-01-01T08:02:50Z bob like t3`,
	},
	{
		name: "cap-ties", place: newYear,
		about: "A full day's score was reached at the last entry within the cap.",
		lines: `
2027-01-01T08:00:00Z ann like t1
2027-01-01T08:01:00Z ann like t2
2027-01-01T08:05:00Z ann like t3
2027-01-01T08:09:00Z ann like t4
2027-01-01T08:00:00Z bob like t1
2027-01-01T08:01:00Z bob like t2
2027-01-01T08:06:00Z bob like t3`,
	},
	{
		name: "cap-days", place: newYear,
		about: "A cap holds for each day.",
		lines: `
2026-12-31T08:00:00Z ann visit t1 : counted
2026-12-31T08:01:00Z ann visit t2 : counted
2026-12-31T08:02:00Z ann visit t3 : capped
2027-01-01T08:00:00Z ann visit t1 : counted`,
	},
	{
		name: "follow", place: usual,
		about: "A follow counts once a month; an unfollow takes it back.",
		lines: `
2026-11-20T08:00:00Z ann follow bob : counted
2026-11-20T08:01:00Z ann follow cyd : counted
2026-11-20T08:02:00Z ann follow bob : duplicate
2026-11-20T08:03:00Z ann unfollow cyd : revoked
2026-11-20T08:04:00Z bob follow ann : counted`,
	},
	{
		name: "metric", place: usual,
		about: "A metric has the largest value of each day.",
		lines: `
2026-11-19T20:00:00Z ann steps - value=4000
2026-11-20T08:00:00Z ann steps - value=9000
2026-11-20T09:00:00Z ann steps - value=7000
2026-11-20T08:00:00Z bob steps - value=9000
2026-11-20T08:30:00Z cyd steps - value=0`,
	},
	{
		name: "metric-ties", place: usual,
		about: "A metric's value was reached at its earliest report.",
		lines: `
2026-11-20T09:00:00Z ann steps - value=9000
2026-11-20T08:00:00Z ann steps - value=9000
2026-11-20T08:30:00Z bob steps - value=9000`,
	},
	{
		name: "week-53", place: newYear,
		about: "The last days of 2026 and the first of 2027 are one week, in two months, quarters and years.",
		lines: `
2026-12-31T23:59:59.999Z ann like t1 : counted
2027-01-01T00:00:00Z ann like t2 : counted
2026-12-31T22:00:00Z bob like t1 : counted
2026-12-31T22:01:00Z bob like t2 : counted`,
	},
	{
		name: "versions", place: newYear,
		about: "Points are those of the rules on the activity's day.",
		lines: `
2026-12-31T23:00:00Z ann visit t1 : counted
2027-01-01T01:00:00Z bob visit t1 : counted
2027-01-01T02:00:00Z ann like t1 : counted
2026-12-31T22:00:00Z cyd like t1 : counted`,
	},
	{
		name: "last-days", place: newYear,
		about: "The last 7 and 30 days cross the end of a year.",
		lines: `
2026-12-30T14:00:00Z ann comment t1 ref=c1 : counted
2026-12-31T14:00:00Z ann comment t1 ref=c2 : counted
2027-01-01T10:00:00Z bob comment t1 ref=c1 : counted`,
	},
	{
		name: "contest", place: newYear,
		about: "A contest counts from its first day to its last.",
		lines: `
2026-12-30T23:59:59.999Z ann comment t1 ref=c1 : counted
2026-12-31T00:00:00Z bob like t1 : counted
2027-01-01T08:00:00Z ann like t1 : counted`,
	},
	{
		name: "question", place: newYear,
		about: "A board with points of its own: a like takes one, and two comments count.",
		lines: `
2027-01-01T08:00:00Z ann comment t1 ref=c1 : counted
2027-01-01T08:01:00Z ann comment t1 ref=c2 : counted
2027-01-01T08:02:00Z ann comment t1 ref=c3 : counted
2027-01-01T08:03:00Z bob comment t1 ref=c1 : counted
2027-01-01T08:04:00Z bob like t1 : counted
2027-01-01T08:05:00Z cyd like t1 : counted`,
	},
	{
		name: "question-below-zero", place: newYear,
		about: "A sum of zero or below is not on a board; a day's may be below zero within a month.",
		lines: `
2026-12-31T08:00:00Z ann comment t1 ref=c1
2026-12-31T08:01:00Z ann like t1
2027-01-01T08:00:00Z ann like t2
2027-01-01T08:01:00Z ann like t3
2027-01-01T08:02:00Z bob comment t1 ref=c1`,
	},
	{
		name: "question-metric", place: newYear,
		about: "A board counts twice the steps, and one like.",
		lines: `
2027-01-01T08:00:00Z ann steps - value=100
2027-01-01T08:01:00Z bob steps - value=95
2027-01-01T08:02:00Z bob like t1
2027-01-01T08:03:00Z bob like t2
2027-01-01T08:04:00Z cyd like t1`,
	},
	{
		name: "by-other", place: newYear,
		about: "An entry for each other person, and its undo.",
		lines: `
2027-01-01T08:00:00Z ann liked t1 other=bob : counted
2027-01-01T08:01:00Z ann liked t1 other=cyd : counted
2027-01-01T08:02:00Z ann liked t1 other=bob : duplicate
2027-01-01T08:03:00Z ann unliked t1 other=cyd : revoked`,
	},
	{
		name: "teams", place: twoTeams,
		about: "A team has the sum of its members: a person plays for the first of the rules' teams, who hides counts " +
			"in the sum alone, and a shadowed person nowhere.",
		lines: `
- ann groups red
- bob groups blue,red
- cyd groups blue
- dan groups green,blue
- eve groups blue
2026-12-30T20:00:00Z ann like t1
2026-12-31T08:00:00Z ann comment t1 ref=c1
2026-12-31T08:01:00Z bob comment t1 ref=c1
2027-01-01T08:00:00Z bob like t1
2027-01-01T08:01:00Z cyd like t1
2027-01-01T08:02:00Z cyd comment t1 ref=c1
2027-01-01T08:03:00Z dan like t1
2027-01-01T08:04:00Z eve like t1
2027-01-01T08:05:00Z fay like t1
- cyd hides
- eve shadowed`,
	},
	{
		name: "teams-tied", place: twoTeams,
		about: "Of equal sums the order is that of groups. A sum counts members above zero alone.",
		lines: `
- ann groups red
- bob groups blue
- cyd groups blue
- dan groups green
2027-01-01T08:00:00Z ann comment t1 ref=c1
2027-01-01T08:00:00Z bob comment t1 ref=c1
2027-01-01T08:01:00Z cyd like t1
2027-01-01T08:02:00Z dan like t1
2027-01-01T08:03:00Z dan unlike t1`,
	},
	{
		name: "teams-changed", place: twoTeams, ordered: true,
		about: "A person who changes groups takes the points along, those of the month before, too.",
		lines: `
- ann groups red
- bob groups red
2026-12-31T08:00:00Z ann like t1 : counted
2027-01-01T08:00:00Z ann comment t1 ref=c1 : counted
2027-01-01T08:00:00Z bob like t1 : counted
- ann groups blue,red
2027-01-01T08:01:00Z ann like t2 : counted`,
	},
	{
		name: "award", place: usual, ordered: true,
		about: "An award adds points, and one below zero takes them.",
		lines: `
2026-11-20T08:00:00Z ann like t1 : counted
2026-11-20T09:00:00Z ann award id=w1 points=50 : counted
2026-11-20T08:30:00Z bob award id=w1 points=60 : counted
2026-11-20T08:40:00Z bob award id=w2 points=-20 : counted
2026-11-20T08:30:00Z bob award id=w1 points=60 : duplicate
2026-11-20T08:30:00Z cyd award id=w1 points=-5 : counted`,
	},
	{
		name: "award-taken", place: usual, ordered: true,
		about: "An award that is taken back counts for nothing.",
		lines: `
2026-11-20T08:00:00Z ann award id=w1 points=50 : counted
2026-11-20T08:01:00Z bob award id=w1 points=40 : counted
2026-11-20T08:00:00Z ann taken id=w1 : revoked`,
	},
	{
		name: "award-month", place: newYear, ordered: true,
		about: "An award belongs to its own day and month; boards that count as another have its awards.",
		lines: `
2026-12-31T20:00:00Z ann award id=w1 points=30 : counted
2027-01-01T08:00:00Z bob award id=w1 points=20 : counted`,
	},
	{
		name: "void-target", place: usual, ordered: true,
		about: "A void undoes everything on a target up to its moment.",
		lines: `
2026-11-20T08:00:00Z ann like spam : counted
2026-11-20T08:01:00Z ann like t1 : counted
2026-11-20T08:02:00Z bob comment spam ref=c1 : counted
2026-11-20T10:00:00Z cyd like spam : counted
2026-11-20T09:00:00Z - void spam`,
	},
	{
		name: "void-pair", place: newYear, ordered: true,
		about: "Acts of a void pair for each other count for nothing.",
		lines: `
2027-01-01T08:00:00Z ann liked t1 other=bob : counted
2027-01-01T08:01:00Z ann liked t1 other=cyd : counted
2027-01-01T08:02:00Z bob liked t2 other=ann : counted
2027-01-01T08:03:00Z bob follow ann : counted
2027-01-01T08:04:00Z bob like t3 : counted
- ann pair bob`,
	},
	{
		name: "void-pair-back", place: newYear, ordered: true,
		about: "A void pair that is taken back counts again.",
		lines: `
2027-01-01T08:00:00Z ann liked t1 other=bob : counted
- ann pair bob
- ann unpair bob`,
	},
	{
		name: "merge", place: usual, ordered: true,
		about: "A user who is merged into another has done all of both; an entry of both counts once, " +
			"and a follow of oneself not.",
		lines: `
2026-11-19T08:00:00Z ann like t1 : counted
2026-11-20T08:00:00Z ann comment t1 ref=c1 : counted
2026-11-20T08:00:30Z ann steps - value=4000 : counted
2026-11-19T09:00:00Z bob like t1 : counted
2026-11-20T08:01:00Z bob like t2 : counted
2026-11-20T08:02:00Z bob follow ann : counted
2026-11-20T08:02:30Z bob steps - value=3000 : counted
2026-11-20T08:03:00Z cyd follow ann : counted
2026-11-20T08:04:00Z cyd comment t1 ref=c1 : counted
- ann merge bob
2026-11-20T08:05:00Z ann unlike t2 : revoked
2026-11-20T08:06:00Z bob like t3 : counted`,
	},
	{
		name: "berlin-autumn", place: berlin,
		about: "2026-10-25 has 25 hours in Berlin: half past two comes twice.",
		lines: `
2026-10-24T21:59:59.999Z ann like t1 : counted
2026-10-24T22:00:00Z bob like t1 : counted
2026-10-25T02:30:00+02:00 cyd like t1 : counted
2026-10-25T02:30:00+01:00 dan like t1 : counted
2026-10-25T22:59:59.999Z eve like t1 : counted
2026-10-25T23:00:00Z fay like t1 : counted`,
	},
	{
		name: "berlin-spring", place: spring,
		about: "2026-03-29 has 23 hours in Berlin.",
		lines: `
2026-03-28T22:59:59.999Z ann like t1 : counted
2026-03-28T23:00:00Z bob like t1 : counted
2026-03-29T21:59:59.999Z cyd like t1 : counted
2026-03-29T22:00:00Z dan like t1 : counted`,
	},
	{
		name: "new-york", place: newYork,
		about: "A month begins in New York on the day of 25 hours.",
		lines: `
2026-11-01T03:59:59.999Z ann like t1 : counted
2026-11-01T04:00:00Z bob like t1 : counted
2026-11-02T04:59:59.999Z cyd like t1 : counted
2026-11-02T05:00:00Z dan like t1 : counted`,
	},
	{
		name: "sao-paulo", place: saoPaulo,
		about: "2018-11-04 has no midnight in São Paulo: it begins at one.",
		lines: `
2018-11-04T02:59:59.999Z ann like t1 : counted
2018-11-04T03:00:00Z bob like t1 : counted
2018-11-05T01:59:59.999Z cyd like t1 : counted
2018-11-05T02:00:00Z dan like t1 : counted`,
	},
	{
		name: "apia", place: apia,
		about: "There is no 2011-12-30 in Apia.",
		lines: `
2011-12-30T09:59:59.999Z ann like t1 : counted
2011-12-30T10:00:00Z bob like t1 : counted
2011-12-29T12:00:00Z cyd like t1 : counted`,
	},
	{
		name: "st-johns", place: stJohns,
		about: "Midnight comes twice in St. John's on 2010-11-07: the day begins at the first.",
		lines: `
2010-11-07T02:29:59.999Z ann like t1 : counted
2010-11-07T02:30:00Z bob like t1 : counted
2010-11-07T02:31:00Z cyd like t1 : counted
2010-11-07T03:29:59.999Z dan like t1 : counted
2010-11-07T03:30:00Z eve like t1 : counted`,
	},
	{
		name: "lord-howe", place: lordHowe,
		about: "Summer time is half an hour on Lord Howe.",
		lines: `
2026-04-04T12:59:59.999Z ann like t1 : counted
2026-04-04T13:00:00Z bob like t1 : counted
2026-04-05T13:29:59.999Z cyd like t1 : counted
2026-04-05T13:30:00Z dan like t1 : counted`,
	},
	{
		name: "kathmandu", place: kathmandu,
		about: "Kathmandu is 5 hours and 45 minutes ahead.",
		lines: `
2026-05-31T18:14:59.999Z ann like t1 : counted
2026-05-31T18:15:00Z bob like t1 : counted`,
	},
}
