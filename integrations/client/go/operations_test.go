package laurel_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	laurel "laurel/integrations/client/go"
)

// all returns the items of a list from a page on.
func all[L laurel.Page[P, T], P, T any](t *testing.T, c *laurel.Client, first L) (items []T) {
	t.Helper()
	for item, err := range laurel.All(t.Context(), c, first) {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

// A member reports, and finds receipts in order, the own place, days and entries.
func TestMemberReportsAndReads(t *testing.T) {
	t.Parallel()
	ctx, member := t.Context(), laurel.New(address, source("go-ann"))
	receipts := must[[]laurel.Receipt](t)(member.Report(ctx,
		laurel.Activity{Action: "like", Target: "go-1"},
		laurel.Activity{Action: "like", Target: "go-1"},
		laurel.Activity{Action: "comment", Target: "go-1", Ref: "c/7 ?"},
		laurel.Activity{Action: "steps", Value: new(0)},
		laurel.Activity{Action: "steps", Value: new(8200)}))
	var statuses []string
	for _, r := range receipts {
		statuses = append(statuses, fmt.Sprint(r.Status, " ", r.Points))
	}
	if want := []string{"counted 2", "duplicate 0", "counted 3"}; !slices.Equal(statuses[:3], want) ||
		receipts[2].Scores["day"] != 5 || receipts[4].Points != 8200 {
		t.Errorf("receipts %v", receipts)
	}
	standing := must[*laurel.Board](t)(member.Standing(ctx, "activity", "day", "go-ann", "", 0))
	if s := standing.Standing; s == nil || s.Score != 5 || s.Rank == nil || len(standing.Entries) != 1 {
		t.Errorf("standing %+v", standing)
	}
	everywhere := must[*laurel.Standings](t)(member.Standings(ctx, "go-ann"))
	if !slices.ContainsFunc(everywhere.Standings, func(p laurel.BoardPosition) bool {
		return p.Board == "steps" && p.Window == "day" && p.Score == 8200 && p.Rank != nil
	}) {
		t.Errorf("standings %+v", everywhere)
	}
	days := must[*laurel.ActivityDays](t)(member.ActivityDays(ctx, "go-ann", 2))
	if len(days.Days) != 2 || days.Days[0].Actions["like"] != (laurel.Tally{Count: 1, Points: 2}) ||
		days.Totals["comment"].Count != 1 || days.Days[0].Scores["activity"] != 5 {
		t.Errorf("days %+v", days)
	}
	page := must[*laurel.Entries](t)(member.Entries(ctx, "go-ann", laurel.EntryQuery{
		Board: "activity", Since: time.Now().Add(-time.Hour), Limit: 1,
	}))
	var refs []string
	for _, entry := range all(t, member, page) {
		refs = append(refs, entry.Action+entry.Ref)
	}
	if slices.Sort(refs); !slices.Equal(refs, []string{"commentc/7 ?", "like"}) {
		t.Errorf("entries %v of %+v", refs, page)
	}
}

// The service's 1,100 activities and 250 profiles go in several requests; the board has all of them, once, and a
// past period is another one.
func TestServiceReportsInPartsAndWalks(t *testing.T) {
	t.Parallel()
	ctx, client := t.Context(), service()
	yesterday := time.Now().UTC().AddDate(0, 0, -1)
	var profiles []laurel.Profile
	var activities []laurel.Activity
	for i := range 250 {
		id := fmt.Sprintf("go-%03d", i)
		profiles = append(profiles, laurel.Profile{ID: id, Name: "Nr. " + id})
	}
	for i := range 1100 {
		activities = append(activities, laurel.Activity{
			Action: "like", Target: fmt.Sprint("go-walk-", i/250), User: profiles[i%250].ID, At: yesterday,
		})
	}
	if put := must[[]laurel.Profile](t)(client.PutProfiles(ctx, profiles...)); !reflect.DeepEqual(put, profiles) {
		t.Errorf("%d profiles are put", len(put))
	}
	for i, r := range must[[]laurel.Receipt](t)(client.Report(ctx, activities...)) {
		if want := 2 * (i/250 + 1); r.Status != "counted" || r.Scores["day"] != want {
			t.Fatalf("receipt %d: %+v, want the score %d", i, r, want)
		}
	}
	query := laurel.BoardQuery{Period: yesterday.Format(time.DateOnly), Limit: 60}
	board := must[*laurel.Board](t)(laurel.New(address, nil).Board(ctx, "activity", "day", query))
	var seen []string
	for _, entry := range all(t, client, board) {
		if seen = append(seen, entry.User.Name); entry.Rank != len(seen) {
			t.Fatalf("rank %d after %d entries", entry.Rank, len(seen)-1)
		}
	}
	if slices.Sort(seen); len(seen) != board.Total || len(slices.Compact(seen)) != 250 {
		t.Errorf("%d entries of %d", len(seen), board.Total)
	}
	for _, err := range laurel.All(ctx, client, board) { // a caller who has seen enough
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	boards := must[*laurel.BoardList](t)(client.Boards(ctx))
	i := slices.IndexFunc(boards.Boards, func(b laurel.ListedBoard) bool { return b.Board == "activity" })
	if q := boards.Boards[i].Question; q.Counts["like"] != (laurel.Weight{Points: 2, Cap: 50}) || q.People != nil {
		t.Errorf("the question of activity: %+v", q)
	}
	both := must[*laurel.BoardWindows](t)(client.BoardWindows(ctx, "activity", 3, "day", "month"))
	if len(both.Windows) != 2 || both.Windows[1].Window != "month" || len(both.Windows[1].Entries) != 3 {
		t.Errorf("both windows: %+v", both)
	}
	if won := must[*laurel.Wreaths](t)(client.Wreaths(ctx, "nobody")); len(won.Wreaths) != 0 {
		t.Errorf("nobody has won %+v", won)
	}
	if winners := must[*laurel.Winners](t)(client.Winners(ctx, "activity", "day", "", 0, 0)); winners.Next != "" {
		t.Errorf("winners: %+v", winners)
	}
	periods := must[*laurel.Periods](t)(client.Periods(ctx, "activity", "day", "", 1))
	for _, period := range all(t, client, periods) {
		if period.Period == query.Period && period.Total != 250 {
			t.Errorf("period %+v", period)
		}
	}
}

// The last intent wins although the client gives the moments: an undo and the do after it are no tie.
func TestServicesLastIntentWins(t *testing.T) {
	t.Parallel()
	ctx, client := t.Context(), service()
	does := func(action string) laurel.Activity {
		return laurel.Activity{Action: action, Target: "go-intent", User: "go-intent"}
	}
	receipts := must[[]laurel.Receipt](t)(client.Report(ctx, does("like"), does("unlike"), does("like")))
	if receipts[1].Status != "revoked" || receipts[2].Status != "counted" || receipts[2].Scores["day"] != 2 {
		t.Errorf("receipts %+v", receipts)
	}
}

// Profiles, follow lists, visibility and erasing.
func TestPeople(t *testing.T) {
	t.Parallel()
	ctx, client, member := t.Context(), service(), laurel.New(address, source("go-eve"))
	profile := laurel.Profile{ID: "go-eve", Name: "Eve", Link: "https://forum.example/u/eve", Since: time.Unix(1e9, 0)}
	must[*laurel.Profile](t)(client.PutProfile(ctx, profile))
	profile.Since = time.Time{} // a field that no public answer has
	if got := must[*laurel.Profile](t)(client.Profile(ctx, "go-eve")); !reflect.DeepEqual(*got, profile) {
		t.Errorf("profile %+v", got)
	}
	profile.Groups = []string{"staff", "writers"}
	must[*laurel.Profile](t)(client.PutProfile(ctx, profile))
	private := must[*laurel.Profile](t)(client.PrivateProfile(ctx, "go-eve"))
	if private.Since.IsZero() || !reflect.DeepEqual(private.Groups, profile.Groups) {
		t.Errorf("private profile %+v", private)
	}
	if n := must[int](t)(member.PutFollowing(ctx, "go-eve", "go-f1", "go-f2", "go-f3")); n != 3 {
		t.Errorf("follows %d", n)
	}
	var ids []string
	for _, user := range all(t, member, must[*laurel.Following](t)(member.Following(ctx, "go-eve", 1, 0))) {
		ids = append(ids, user.ID)
	}
	must[[]laurel.Receipt](t)(client.Report(ctx, laurel.Activity{Action: "visit", Target: "p", User: "go-f2"}))
	friends := must[*laurel.Friends](t)(member.Friends(ctx, "activity", "day", "go-eve", laurel.BoardQuery{Limit: 1}))
	var places []string
	for _, friend := range all(t, member, friends) {
		places = append(places, friend.User.ID)
	}
	if !slices.Equal(ids, []string{"go-f1", "go-f2", "go-f3"}) || friends.Standing.User.Name != "Eve" ||
		!slices.Equal(places, []string{"go-f2", "go-eve", "go-f1", "go-f3"}) {
		t.Errorf("follows %v, friends %v, %+v", ids, places, friends)
	}
	must[*laurel.Visibility](t)(member.PutVisibility(ctx, "go-eve", laurel.VisibilityChange{Days: "public"}))
	v := must[*laurel.Visibility](t)(member.Visibility(ctx, "go-eve"))
	if *v != (laurel.Visibility{Boards: "shown", Days: "public"}) {
		t.Errorf("visibility %+v", v)
	}
	erasure := must[*laurel.Erasure](t)(client.Erase(ctx, "go-eve"))
	if again := must[*laurel.Erasure](t)(client.Erasure(ctx, "go-eve")); erasure.State == "" || again.State == "" {
		t.Errorf("erasure %+v, then %+v", erasure, again)
	}
	_, err := client.Profile(ctx, "go-eve")
	if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Code != "no_profile" || p.Status != http.StatusNotFound {
		t.Errorf("the profile after erasing: %v", err)
	}
}

// Awards are given once and taken back, a pair is void until it is lifted, and the record has it all.
func TestAwardsAndVoidPairs(t *testing.T) {
	t.Parallel()
	ctx, client, member := t.Context(), service(), laurel.New(address, source("go-won"))
	given := must[*laurel.AwardReceipt](t)(client.Award(ctx, "go-won", laurel.NewAward{Points: 50, Reason: "A talk"}))
	again := must[*laurel.AwardReceipt](t)(client.Award(ctx, "go-won", laurel.NewAward{
		ID: given.ID, At: given.At, Points: 50, Board: given.Board, Reason: "A talk",
	}))
	if given.Status != "counted" || given.Scores["day"] != 50 || again.Status != "duplicate" || again.Points != 0 {
		t.Errorf("given %+v, again %+v", given, again)
	}
	awards := must[[]laurel.Award](t)(member.Awards(ctx, "go-won"))
	if len(awards) != 1 || awards[0].ID != given.ID || awards[0].Reason != "A talk" || awards[0].State != "counted" {
		t.Errorf("awards %+v", awards)
	}
	if r := must[*laurel.AwardReceipt](t)(client.RevokeAward(ctx, "go-won", given.ID)); r.Points != -50 {
		t.Errorf("revoked %+v", r)
	}
	if pair := must[*laurel.VoidPair](t)(client.PutVoidPair(ctx, "go-won", "go-fan", "A ring")); pair.Other != "go-fan" {
		t.Errorf("void pair %+v", pair)
	}
	pair := must[*laurel.VoidPair](t)(client.VoidPair(ctx, "go-fan", "go-won"))
	if pair.Other != "go-won" || pair.Reason != "A ring" || pair.Since.IsZero() {
		t.Errorf("void pair %+v", pair)
	}
	if err := client.LiftVoidPair(ctx, "go-won", "go-fan"); err != nil {
		t.Error(err)
	}
	_, err := client.VoidPair(ctx, "go-won", "go-fan")
	if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Code != "no_void_pair" {
		t.Errorf("a lifted pair: %v", err)
	}
	var acts []string
	for _, act := range all(t, client, must[*laurel.OperatorsRecord](t)(client.Record(ctx, "", 1))) {
		if act.User != nil && act.User.ID == "go-won" {
			acts = append(acts, fmt.Sprint(act.Command, " ", act.Points, " ", act.Reason))
		}
	}
	want := []string{"void --lift 0 ", "void 0 A ring", "award --lift 50 A talk", "award 50 A talk"}
	if !slices.Equal(acts, want) {
		t.Errorf("the record has %q", acts)
	}
}

// A user is merged into another one, whose the points are then.
func TestMerge(t *testing.T) {
	t.Parallel()
	ctx, client := t.Context(), service()
	must[[]laurel.Receipt](t)(client.Report(ctx, laurel.Activity{Action: "like", Target: "p", User: "go-old"}))
	merge := must[*laurel.Merge](t)(client.Merge(ctx, "go-old", "go-new", "Second account"))
	again := must[*laurel.Merge](t)(client.MergeOf(ctx, "go-old"))
	if merge.Into != "go-new" || merge.State == "" || again.Into != "go-new" {
		t.Errorf("merge %+v, then %+v", merge, again)
	}
	receipts := must[[]laurel.Receipt](t)(client.Report(ctx, laurel.Activity{Action: "like", Target: "q", User: "go-old"}))
	standing := must[*laurel.Board](t)(client.Standing(ctx, "activity", "day", "go-old", "", 0))
	if receipts[0].Status != "counted" || standing.Standing.User.ID != "go-new" {
		t.Errorf("receipts %+v, standing %+v", receipts, standing.Standing)
	}
	_, err := client.Merge(ctx, "go-old", "go-other", "")
	if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Code != "merged_elsewhere" {
		t.Errorf("merged elsewhere: %v", err)
	}
}

// Articles are created, voted for, edited, listed and deleted.
func TestArticles(t *testing.T) {
	t.Parallel()
	ctx, client, member := t.Context(), service(), laurel.New(address, source("go-reader"))
	var ids []string
	for _, title := range []string{"One", "Two"} {
		a := must[*laurel.Article](t)(client.CreateArticle(ctx, laurel.NewArticle{
			Title: title, Author: laurel.UserRef{ID: "go-author"}, Groups: []string{"go-group"}, Link: "https://forum.example/1",
		}))
		if ids = append(ids, a.ID); a.Votes != 1 || a.Author.ID != "go-author" {
			t.Errorf("article %+v", a)
		}
	}
	must[[]laurel.Receipt](t)(member.Report(ctx, laurel.Activity{Action: "like", Target: ids[1]}))
	if v := must[[]string](t)(member.Votes(ctx, "go-reader", ids...)); !slices.Equal(v, ids[1:]) {
		t.Errorf("votes %v", v)
	}
	must[*laurel.Article](t)(client.EditArticle(ctx, ids[1], laurel.ArticleEdit{Title: "2", Groups: []string{"go-group"}}))
	if a := must[*laurel.Article](t)(client.Article(ctx, ids[1])); a.Title != "2" || a.Link != "" || a.Votes != 2 {
		t.Errorf("edited: %+v", a)
	}
	var listed []string
	page := must[*laurel.Articles](t)(client.Articles(ctx, laurel.ArticleQuery{Sort: "hot", Group: "go-group", Limit: 1}))
	for _, a := range all(t, client, page) {
		listed = append(listed, a.ID)
	}
	if !slices.Equal(listed, []string{ids[1], ids[0]}) {
		t.Errorf("listed %v of %v", listed, ids)
	}
	if err := client.DeleteArticle(ctx, ids[0]); err != nil {
		t.Error(err)
	}
	_, err := client.Article(ctx, ids[0])
	if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Code != "unknown_article" {
		t.Errorf("after deleting: %v", err)
	}
}

// A problem has its code, all violations and the request's id.
func TestProblemsAreTyped(t *testing.T) {
	t.Parallel()
	member := laurel.New(address, source("go-ann"))
	_, err := member.Report(t.Context(), laurel.Activity{Action: "lick", Target: "1"}, laurel.Activity{Action: "like"})
	p, ok := errors.AsType[*laurel.Problem](err)
	if !ok || p.Status != 422 || p.Code != "invalid" || len(p.Errors) != 2 || p.Instance == "" ||
		p.Errors[0].Location != "body.activities[0].action" || string(p.Errors[0].Value) != `"lick"` {
		t.Errorf("%v: %+v", err, p)
	}
	_, err = member.PutProfile(t.Context(), laurel.Profile{ID: "go-ann", Name: "Ann"})
	if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Code != "service_only" {
		t.Errorf("a member's profile: %v", err)
	}
}
