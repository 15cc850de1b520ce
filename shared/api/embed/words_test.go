package embed_test

import (
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/embed"
	"laurel/shared/core/profile"
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
		o := embed.Options{Lang: lang, User: "bob"}
		b := quarter(t, running)
		b.Labels = map[string]string{"en": "activity"}
		live := written(t, embed.Text, b, o)
		b.AsOf = b.EndsAt
		over, won := written(t, embed.Text, b, o), written(t, embed.WinnersText, b, o)
		for i, text := range []string{live, live, live, over, over, won} {
			if !strings.Contains(text, want[i]) {
				t.Errorf("%s: %s is not in: %s", lang, want[i], text)
			}
		}
	}
}

// A window that rolls has its days and no end, in each language, also the morning after a night that was late.
func TestRollingWindowInTheWordsOfEachLanguage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"en": "Last 7 days: 6 Points behind ann, 1st.",
		"zh": "最近 7 天：距第 1 名ann还差 6 积分。",
		"vi": "7 ngày qua: Kém ann, hạng 1: 6 Điểm.",
	} {
		b := quarter(t, time.Time{})
		b.Window, b.Period, b.StartsAt = "7d", "2026-12-31", b.EndsAt.AddDate(0, 0, -7)
		b.Entries[0].Previous, b.Entries[1].Previous = 0, 0
		for _, asOf := range []time.Time{b.EndsAt.Add(-5 * time.Hour), b.EndsAt.Add(time.Minute)} {
			b.AsOf = asOf
			text := written(t, embed.Text, b, embed.Options{Lang: lang, User: "bob"})
			if lines := strings.Split(strings.TrimSpace(text), "\n"); lines[len(lines)-1] != want {
				t.Errorf("%s, as of %s: %q", lang, asOf, lines)
			}
		}
	}
}

// A contest has its days in each language, how long it still is once it has begun, and no next one.
func TestContestInTheWordsOfEachLanguage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			"activity · November 20, 2026 – December 31, 2026", "2 days left.",
			"Winners: July 1, 2026 – September 30, 2026",
		},
		"zh": {"activity · 2026年11月20日 – 2026年12月31日", "还剩2天。", "优胜者：2026年7月1日 – 2026年9月30日"},
		"vi": {
			"activity · 20 tháng 11, 2026 – 31 tháng 12, 2026", "Còn 2 ngày.",
			"Dẫn đầu: 1 tháng 7, 2026 – 30 tháng 9, 2026",
		},
	} {
		b := quarter(t, time.Time{})
		b.Window, b.StartsAt, b.Labels = "contest", b.StartsAt.AddDate(0, 0, 50), map[string]string{"en": "activity"}
		b.Won[0].Window, b.Entries[0].Previous, b.Entries[1].Previous = "contest", 0, 0
		texts := map[time.Time]string{}
		for _, asOf := range []time.Time{b.StartsAt.Add(-time.Hour), b.EndsAt.Add(-50 * time.Hour), b.EndsAt} {
			b.AsOf = asOf
			texts[asOf] = written(t, embed.Text, b, embed.Options{Lang: lang, User: "bob"})
			if !strings.Contains(texts[asOf], want[0]) {
				t.Errorf("%s is not in: %s", want[0], texts[asOf])
			}
		}
		_, left, _ := strings.Cut(want[1], "2")
		for asOf, text := range texts {
			runs := asOf.Equal(b.EndsAt.Add(-50 * time.Hour))
			if strings.Contains(text, left) != runs || strings.Contains(text, " \n") {
				t.Errorf("as of %s: %s", asOf, text)
			}
		}
		if won := written(t, embed.WinnersText, b, embed.Options{Lang: lang}); !strings.Contains(won, want[2]) {
			t.Errorf("%s is not in: %s", want[2], won)
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
		if got, _, _ := strings.Cut(written(t, embed.Text, b, embed.Options{}), "\n"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A board of teams has the teams with their members, the reader's own one, and the reader's part of its points.
func TestTeamsInTheWordsOfEachLanguage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"en": {
			"1  Blue <b>house</b> (1 member)  213", "2  red (2 members)",
			"Your team is 2nd. 4 Points behind Blue <b>house</b>, 1st. 50 days left. You gave 34 of its 210.",
			"You are in no team.", "Finished 2nd of 2. A new quarter has begun. You gave 34 of its 210.",
		},
		"zh": {
			"1  Blue <b>house</b> (1 名成员)  213", "2  red (2 名成员)",
			"你的队伍是第 2 名。距第 1 名Blue <b>house</b>还差 4 积分。还剩50天。你贡献了 34，共 210。",
			"你不在任何队伍里。", "最终第 2 名，共 2 人。新的季度已经开始。你贡献了 34，共 210。",
		},
		"vi": {
			"1  Blue <b>house</b> (1 thành viên)  213", "2  red (2 thành viên)",
			"Đội của bạn: hạng 2. Kém Blue <b>house</b>, hạng 1: 4 Điểm. Còn 50 ngày. Bạn góp 34 trong 210.",
			"Bạn không ở đội nào.", "Kết thúc ở hạng 2 trong 2. Quý mới đã bắt đầu. Bạn góp 34 trong 210.",
		},
	} {
		b := quarter(t, time.Time{})
		b.AsOf, b.Teams = b.EndsAt.AddDate(0, 0, -50), true
		b.Entries = []embed.Member{
			{Rank: 1, Score: 213, ID: "blue", Public: profile.Public{Name: "Blue <b>house</b>"}, Members: 1},
			{Rank: 2, Score: 210, ID: "red", Members: 2},
		}
		b.Standing = &embed.Standing{Rank: 2, Score: 210, ToNext: 4, Team: "red", TeamName: "red", Own: 34}
		o := embed.Options{Lang: lang, User: "red", Limit: 10}
		texts := []string{written(t, embed.Text, b, o)}
		page, badge := written(t, embed.Page, b, o), written(t, embed.Badge, b, o)
		for _, html := range []string{page, written(t, embed.Fragment, b, o), badge, written(t, embed.SVG, b, o)} {
			if strings.Contains(html, "<b>house") || !strings.Contains(html, "house&lt;/b&gt;") && html != badge {
				t.Errorf("%s: a label is not escaped: %s", lang, html)
			}
		}
		if n := strings.Count(page, `class="mine"`); n != 1 || !strings.Contains(badge, "red") {
			t.Errorf("%s: %d teams are marked: %s %s", lang, n, page, badge)
		}
		b.Standing = &embed.Standing{}
		texts = append(texts, written(t, embed.Text, b, o))
		b.Standing, b.AsOf = &embed.Standing{Rank: 2, Score: 210, ToNext: 4, Team: "red", Own: 34}, b.EndsAt
		texts = append(texts, written(t, embed.Text, b, o))
		for i, text := range want {
			if in := texts[max(0, i-2)]; !strings.Contains(in, text) {
				t.Errorf("%s: %q is not in: %s", lang, text, in)
			}
		}
	}
}
