package browser_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/shared/core/profile"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/browser"
	"laurel/internal/harness"
	"laurel/shared/api/embed"
)

// now is when boards are read; the day ends at midnight.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// day returns a board of today with entries.
func day(name string, entries ...embed.Member) embed.Board {
	return embed.Board{
		Name: name, Window: "day", Period: "2026-11-20", AsOf: now, StartsAt: now.Truncate(24 * time.Hour),
		EndsAt: now.Truncate(24 * time.Hour).Add(24 * time.Hour), Total: int64(len(entries)), Entries: entries,
		Labels: map[string]string{"en": "Activity", "zh": "活跃榜", "vi": "Hoạt động"},
		Unit:   map[string]string{"en": "points", "zh": "积分", "vi": "điểm"},
	}
}

// entry is a user with a name.
func entry(rank, score int64, name string) embed.Member {
	return embed.Member{Rank: rank, Score: score, ID: fmt.Sprintf("u%d", rank), Public: profile.Public{Name: name}}
}

// several returns entries of n users.
func several(n int64) (all []embed.Member) {
	for i := range n {
		e := entry(i+1, 100-i, fmt.Sprintf("User %d", i+1))
		e.Link = "https://forum.example/u"
		e.Previous = (i + 2) % n
		all = append(all, e)
	}
	return all
}

// names are entries with names of all kinds.
func names() []embed.Member {
	return []embed.Member{
		entry(1, 5, strings.Repeat("W", 100)), entry(2, 4, "<script>window.hacked = 1</script>"),
		entry(3, 3, "🙂🙂"), entry(4, 2, ""), entry(5, 1, "محمد علي"),
	}
}

// over returns a board of a window from a day on that ends as it is read, or days later.
func over(window string, from, to time.Time, entries ...embed.Member) embed.Board {
	b := day("over-"+window, entries...)
	b.Window, b.Period, b.StartsAt, b.EndsAt, b.AsOf = window, from.Format(time.DateOnly), from, to, to
	return b
}

// with returns a board with a user's place below it.
func with(name string, standing embed.Standing, page []embed.Member, near ...embed.Member) embed.Board {
	b := day(name, page...)
	b.Total, b.Standing, b.Near = max(b.Total, standing.Rank+1), &standing, near
	for i := range near {
		if near[i].Rank == standing.Rank {
			near[i].ID = "me"
		}
	}
	return b
}

// answers are boards of all kinds.
func answers() (all []embed.Board) {
	past := day("past")
	past.Total = 40
	mine := several(3)
	mine[0].ID = "me"
	var moved []embed.Member
	for i, previous := range []int64{3, 1, 0, 4, 12_345} {
		e := entry(int64(i+1), int64(9-i), []string{"Up", "Down", "New", "Same", "Far"}[i])
		e.Previous = previous
		moved = append(moved, e)
	}
	large := day("large", entry(12_346, 67_108_863, "A"), entry(12_347, 1_000, "B"), entry(12_348, 999, "C"))
	large.Entries[0].Previous = 1_012_346
	erased := []embed.Member{{Rank: 1, Score: 3}, entry(2, 1, "Bob"), {Rank: 3, Score: 1}}
	hostile := several(3)
	hostile[0].Link, hostile[1].Avatar, hostile[2].Link = "javascript:alert(1)", "data:image/png;base64,AAAA", ""
	nameless := day("nameless", several(2)...)
	nameless.Labels, nameless.Unit = map[string]string{}, map[string]string{}
	foreign := day("foreign", several(2)...)
	foreign.Labels, foreign.Unit = map[string]string{"de": "Rangliste"}, map[string]string{"de": "Punkte"}
	marked := with("marked", embed.Standing{Rank: 9, Score: 7, ToNext: 1_234}, several(2), entry(9, 7, "Me"))
	marked.Labels = map[string]string{"en": "<b>Board</b> & {n}"}
	marked.Unit = map[string]string{"en": "<i>{place}</i>", "vi": "$1"}
	arabic := day("arabic", entry(1, 2, "Ann"), entry(2, 1, "ليلى"))
	arabic.Labels, arabic.Unit = map[string]string{"en": "لوحة"}, map[string]string{"en": "نقاط"}
	east := time.FixedZone("Asia/Shanghai", 8*3600)
	date := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	midnight := date(2026, 11, 20).Add(-8 * time.Hour).In(east)
	zone := over("day", midnight, midnight.Add(24*time.Hour), several(2)...)
	zone.Name = "zone"
	live := over("week", date(2026, 11, 16), date(2026, 11, 23), several(2)...)
	live.Name, live.AsOf = "live-week", now
	month := over("month", date(2026, 11, 1), date(2026, 12, 1), several(2)...)
	month.Name, month.AsOf = "live-month", now
	last7 := over("7d", date(2026, 11, 14), date(2026, 11, 21), several(2)...)
	last7.Period, last7.AsOf = "2026-11-20", now
	last30 := over("30d", date(2026, 10, 21), date(2026, 11, 20), several(2)...) // yesterday's
	last30.Period = "2026-11-19"
	contest := over("contest", date(2026, 11, 1), date(2026, 12, 1), several(2)...)
	contest.Name, contest.Period, contest.AsOf = "contest", "2026-11-01..2026-11-30", now
	ended := over("contest", date(2026, 9, 7), date(2026, 9, 11), several(2)...)
	ended.Period, ended.AsOf = "2026-09-07..2026-09-10", now
	ahead := over("contest", date(2026, 12, 24), date(2027, 1, 2))
	ahead.Name, ahead.Period, ahead.AsOf = "ahead", "2026-12-24..2027-01-01", now
	ever := over("all", date(2000, 1, 1), time.Time{}, moved...)
	ever.AsOf = now
	many := day("many", several(100)...)
	crowned := day("crowned", several(3)...)
	crowned.Entries[0].Firsts, crowned.Entries[2].Firsts = 12, 1
	own := embed.Standing{Rank: 2, Score: 99, ToNext: 2, Team: "u2", TeamName: "User 2", Own: 34}
	teams, far := with("teams", own, several(3)), with("far-team", own, several(3))
	none := with("no-team", embed.Standing{}, several(3))
	far.Standing = &embed.Standing{Rank: 9, Score: 7, ToNext: 1, Team: "u9", Own: 1_234}
	far.Near = []embed.Member{entry(8, 8, "<i>Above</i>"), {Rank: 9, Score: 7, ID: "u9"}, entry(10, 6, "Below")}
	teamsOver := over("month", date(2026, 10, 1), date(2026, 11, 1), several(2)...)
	teamsOver.Name, teamsOver.Standing = "teams-over", &own
	for _, b := range []*embed.Board{&teams, &far, &none, &teamsOver} {
		b.Teams = true
		for i := range b.Near {
			b.Near[i].Members, b.Near[i].Link, b.Near[i].Previous = 1, "", 0
		}
		for i := range b.Entries {
			e := &b.Entries[i]
			*e = embed.Member{
				Rank: e.Rank, Score: e.Score, Previous: e.Previous, ID: fmt.Sprint("u", e.Rank),
				Public: profile.Public{Name: e.Name}, Members: int64(1 + 1000*i),
			}
		}
	}
	gone := over("day", date(2026, 2, 28), date(2026, 3, 1), embed.Member{Rank: 1, Score: 3})
	gone.Name = "gone"
	all = []embed.Board{
		day("empty"), past, gone, over("day", date(2026, 11, 9), date(2026, 11, 10), several(4)...), day("erased", erased...),
		day("ties", entry(1, 5, "Ann"), entry(2, 5, "Bob"), entry(3, 5, "Cid")),
		day("one", entry(1, 1_234_567, "One")), day("ten", several(10)...),
		day("names", names()...), day("moved", moved...), day("new", entry(1, 2, "Ann"), entry(2, 1, "Bob")),
		large, day("hostile", hostile...),
		day("controls", entry(1, 3, "a\u202eb"), entry(2, 2, "👩‍👩‍👧"), entry(3, 1, "e\u0301\u0301\u0301 &amp; 'q'")),
		day("alone", mine[:1]...), day("mine", mine...), with("off", embed.Standing{}, several(3)),
		with("own", embed.Standing{Rank: 9, Score: 7, ToNext: 2}, several(3),
			entry(8, 8, "Above"), entry(9, 7, "Myself"), entry(10, 6, "Below")),
		with("next", embed.Standing{Rank: 4, Score: 97, ToNext: 2}, several(3),
			several(3)[2], entry(4, 97, "Myself"), entry(5, 6, "Below")),
		with("tie", embed.Standing{Rank: 4, Score: 98, ToNext: 1}, several(3),
			several(3)[2], entry(4, 98, "Myself"), entry(5, 6, "Below")),
		with("last", embed.Standing{Rank: 1_000_000, Score: 1, ToNext: 2}, several(3),
			entry(999_999, 2, "Above"), entry(1_000_000, 1, "Myself")),
		with("beyond", embed.Standing{Rank: 2, Score: 7, ToNext: 3}, nil, entry(1, 9, "Above"), entry(2, 7, "Myself")),
		crowned, teams, far, none, teamsOver,
		nameless, foreign, marked, arabic, zone, live, over("week", date(2026, 11, 9), date(2026, 11, 16), several(2)...),
		month, over("month", date(2026, 10, 1), date(2026, 11, 1), several(2)...),
		over("year", date(2025, 1, 1), date(2026, 1, 1), several(2)...), ever, many,
		last7, last30, contest, ended, ahead,
	}
	for i := range all {
		if all[i].AsOf.Equal(now) { // no page is so slow that an hour ends meanwhile
			all[i].AsOf = now.Add(-30 * time.Minute)
		}
		if all[i].Standing == nil {
			all[i].Standing = &embed.Standing{} // not on the board
		}
		if len(all[i].Entries) > 0 && all[i].Entries[0].ID == "me" {
			all[i].Standing = &embed.Standing{Rank: 1, Score: all[i].Entries[0].Score}
		}
	}
	return all
}

// answering is a script that gives a page's Laurel boards.
func answering(t *testing.T, boards ...embed.Board) string {
	t.Helper()
	type zoned struct {
		embed.Board
		Zone string
	}
	all := map[string]zoned{}
	for _, b := range boards {
		all[b.Name] = zoned{b, b.StartsAt.Location().String()}
	}
	if len(all) != len(boards) {
		t.Fatalf("%d answers with %d names", len(boards), len(all))
	}
	text := harness.Must(json.Marshal(all))(t) //nolint:musttag // with the names of Go
	return fmt.Sprintf("Object.assign(laurel.boards, %s)", text)
}

// The module and the renderers in Go have the same texts for every board, in each language.
func TestBothRenderersAgree(t *testing.T) {
	t.Parallel()
	boards := answers()
	var elements, fragments strings.Builder
	const limit = 100
	for _, lang := range []string{"en", "zh", "vi"} {
		for _, b := range boards {
			fmt.Fprintf(&elements, `<laurel-board board="%s" windows="%s" user="me" limit="%d" lang="%s"></laurel-board>`,
				b.Name, b.Window, limit, lang)
			harness.OK(t, embed.Fragment(&fragments, b, embed.Options{Lang: lang, Limit: limit, User: "me"}))
		}
	}
	high := chromedp.EmulateViewport(900, 90_000)
	byModule := show(t, elements.String(), high, first("laurel", answering(t, boards...)))
	for _, name := range []string{"own", "next", "last", "beyond", "marked"} { // a board whose place is a read of its own
		browser.Wait(byModule, t, `[...document.querySelectorAll("[board=`+name+`]")].every(
			b => b.shadowRoot?.querySelector(".mine"))`)
	}
	browser.Wait(byModule, t, `[...document.querySelectorAll("laurel-board:not([board=alone], [board=mine])")].every(
		({ shadowRoot: s }) => s?.querySelector("h2") && (!s.querySelector("tbody") || s.querySelector(".standing")))`)
	browser.Wait(byModule, t,
		`document.querySelector("[board=many][lang=vi]").shadowRoot.querySelector("h2").textContent.includes("Hoạt động")`)
	noScripts := emulation.SetScriptExecutionDisabledParams{Value: true}
	byGo := show(t, fragments.String(), high, browser.Command(emulation.SetScriptExecutionDisabled, noScripts))
	want, got := spoken(byGo, t), spoken(byModule, t)
	if diff := gocmp.Diff(want, got); diff != "" || len(want) < 1_000 {
		t.Errorf("Go and the module say different things, %d and %d (-Go +module):\n%s", len(want), len(got), diff)
	}
}
