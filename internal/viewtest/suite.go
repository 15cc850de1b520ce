package viewtest

import (
	"fmt"
	"testing"

	"laurel/shared/store/view"
)

// An Implementation of view.View is held to its promises.
type Implementation struct {
	Shards []int // the numbers of shards with which it is tested
	// Open returns an empty view of the options.
	Open func(testing.TB, view.Options) view.View
	// Holds reports whether anything in a view has a text.
	Holds func(testing.TB, view.View, string) bool
}

// Run runs the suite.
func Run(t *testing.T, implementation Implementation) {
	t.Helper()
	for _, shards := range implementation.Shards {
		for name, test := range map[string]func(*testing.T, func(testing.TB) *View){
			"Read":                 testRead,
			"Walk":                 testWalk,
			"Friends":              testFriends,
			"Revisions":            testRevisions,
			"Suppressed":           testSuppressed,
			"Ranks":                testRanks,
			"SeveralBoards":        testSeveralBoards,
			"ShownWhileFilling":    testShownWhileFilling,
			"RandomUnits":          testRandomUnits,
			"RandomVotes":          testRandomVotes,
			"Readers":              testReaders,
			"Filling":              testFilling,
			"NewTable":             testNewTable,
			"Chain":                testChain,
			"OvertakenFill":        testOvertakenFill,
			"Sweep":                testSweep,
			"Contest":              testContest,
			"AllOfTime":            testAllOfTime,
			"RollingUnits":         testRollingUnits,
			"RollingDays":          testRollingDays,
			"RollingReads":         testRollingReads,
			"Teams":                testTeams,
			"RollingTeams":         testRollingTeams,
			"LaterLife":            testLaterLife,
			"Recent":               testRecent,
			"ArticleMoves":         testArticleMoves,
			"Texts":                testTexts,
			"ManyVotes":            testManyVotes,
			"PeopleBesideArticles": testPeopleBesideArticles,
		} {
			t.Run(fmt.Sprint(name, shards), func(t *testing.T) {
				t.Parallel()
				test(t, func(tb testing.TB) *View {
					tb.Helper()
					return implementation.open(tb, shards)
				})
			})
		}
	}
}

func (implementation Implementation) open(tb testing.TB, shards int) *View {
	tb.Helper()
	h := New(tb, shards, func(o view.Options) view.View { return implementation.Open(tb, o) })
	h.holds = func(text string) bool { return implementation.Holds(tb, h.View, text) }
	return h
}
