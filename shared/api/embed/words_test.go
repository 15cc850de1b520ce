package embed_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/embed"
)

// quarter is a board of Q4 2026 in Berlin, as of a time, with the member's place and the winners of Q3.
func quarter(t *testing.T, asOf time.Time) embed.Board {
	t.Helper()
	zone := harness.Must(time.LoadLocation("Europe/Berlin"))(t)
	start := time.Date(2026, time.October, 1, 0, 0, 0, 0, zone)
	b := embed.Board{
		Name: "activity", Window: "quarter", Period: "2026-Q4", StartsAt: start, EndsAt: start.AddDate(0, 3, 0), AsOf: asOf,
		Total: 2, Standing: &embed.Standing{Rank: 2, Score: 4, ToNext: 6},
		Entries: []embed.Member{
			{Rank: 1, Score: 9, ID: "ann", Previous: 2}, {Rank: 2, Score: 4, ID: "bob", Previous: 1},
		},
	}
	won := b
	won.Period, won.StartsAt, won.EndsAt = "2026-Q3", start.AddDate(0, -3, 0), start
	b.Won = []embed.Board{won}
	return b
}

// A quarter has a name while it runs and another one afterwards, in each language, as its winners and movement have.
func TestQuarterInTheWordsOfEachLanguage(t *testing.T) {
	t.Parallel()
	running := time.Date(2026, time.December, 29, 12, 0, 0, 0, time.UTC)
	for lang, want := range map[string][]string{
		"en": {
			"activity · This quarter", "2 days left.", "▲▼ since the quarter before",
			"activity · Q4 2026", "A new quarter has begun.", "Winners: Q3 2026",
		},
		"zh": {
			"activity · 本季度", "还剩2天。", "▲▼ 比上个季度",
			"activity · 2026年第4季度", "新的季度已经开始。", "优胜者：2026年第3季度",
		},
		"vi": {
			"activity · Quý này", "Còn 2 ngày.", "▲▼ so với quý trước",
			"activity · Quý 4 năm 2026", "Quý mới đã bắt đầu.", "Dẫn đầu: Quý 3 năm 2026",
		},
	} {
		var live, over, won strings.Builder
		o := embed.Options{Lang: lang, User: "bob"}
		b := quarter(t, running)
		b.Labels = map[string]string{"en": "activity"}
		harness.OK(t, embed.Text(&live, b, o))
		b.AsOf = b.EndsAt
		harness.OK(t, embed.Text(&over, b, o))
		harness.OK(t, embed.WinnersText(&won, b, o))
		var got []string
		for i, out := range []*strings.Builder{&live, &live, &live, &over, &over, &won} {
			if !strings.Contains(out.String(), want[i]) {
				got = append(got, want[i]+" is not in: "+out.String())
			}
		}
		if diff := cmp.Diff([]string(nil), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", lang, diff)
		}
	}
}

// Each of the four quarters has its number, in a forum's own time zone.
func TestQuartersHaveTheirNumbers(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"Q1 2026", "Q2 2026", "Q3 2026", "Q4 2026"} {
		b := quarter(t, time.Time{})
		start := b.StartsAt.AddDate(0, 3*i-9, 0)
		b.StartsAt, b.EndsAt, b.AsOf = start, start.AddDate(0, 3, 0), start.AddDate(0, 3, 0)
		var out strings.Builder
		harness.OK(t, embed.Text(&out, b, embed.Options{}))
		if got, _, _ := strings.Cut(out.String(), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
