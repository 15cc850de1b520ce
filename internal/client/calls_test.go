package client_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"laurel/internal/client"
	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/record"
	"laurel/shared/records"
)

// A caller calls operations, within a test.
type caller struct {
	*client.ClientWithResponses
	ctx context.Context
}

// A call is one call of an operation, with its typed response.
type call func(caller) (any, error)

// calls have a call of each operation that succeeds, with the service's token, on the forum
// that prepare makes.
var calls = map[string]call{
	"report-activities": func(c caller) (any, error) {
		ranked := client.Rank
		return c.ReportActivitiesWithResponse(c.ctx, &client.ReportActivitiesParams{With: &ranked}, report)
	},
	"queue-activities": func(c caller) (any, error) { return c.QueueActivitiesWithResponse(c.ctx, report) },
	"post-hook":        hookOf("standard"),
	"pair":             func(c caller) (any, error) { return c.PairWithResponse(c.ctx, client.Pair{Code: "ACDE-FHJK-MNPQ"}) },
	"list-boards":      func(c caller) (any, error) { return c.ListBoardsWithResponse(c.ctx) },
	"read-board-windows": func(c caller) (any, error) {
		return c.ReadBoardWindowsWithResponse(c.ctx, "activity", &client.ReadBoardWindowsParams{User: new("ann")})
	},
	"read-board": func(c caller) (any, error) {
		return c.ReadBoardWithResponse(c.ctx, "activity", "day", &client.ReadBoardParams{User: new("ann")})
	},
	"list-winners": func(c caller) (any, error) { return c.ListWinnersWithResponse(c.ctx, "activity", "day", nil) },
	"read-wreaths": func(c caller) (any, error) { return c.ReadWreathsWithResponse(c.ctx, "ann") },
	"list-periods": func(c caller) (any, error) { return c.ListPeriodsWithResponse(c.ctx, "activity", "day", nil) },
	"read-standing": func(c caller) (any, error) {
		return c.ReadStandingWithResponse(c.ctx, "activity", "day", "ann", nil)
	},
	"read-friends": func(c caller) (any, error) {
		return c.ReadFriendsWithResponse(c.ctx, "activity", "day", "ann", nil)
	},
	"read-standings":  func(c caller) (any, error) { return c.ReadStandingsWithResponse(c.ctx, "ann") },
	"read-activity":   func(c caller) (any, error) { return c.ReadActivityWithResponse(c.ctx, "ann", nil) },
	"read-days":       func(c caller) (any, error) { return c.ReadDaysWithResponse(c.ctx, "ann", nil) },
	"export-user":     func(c caller) (any, error) { return c.ExportUserWithResponse(c.ctx, "ann") },
	"put-user":        func(c caller) (any, error) { return c.PutUserWithResponse(c.ctx, "ann", profile) },
	"put-users":       func(c caller) (any, error) { return c.PutUsersWithResponse(c.ctx, profiles) },
	"read-user":       func(c caller) (any, error) { return c.ReadUserWithResponse(c.ctx, "ann") },
	"delete-user":     func(c caller) (any, error) { return c.DeleteUserWithResponse(c.ctx, "ann") },
	"read-erasure":    func(c caller) (any, error) { return c.ReadErasureWithResponse(c.ctx, "zoe") },
	"put-following":   func(c caller) (any, error) { return c.PutFollowingWithResponse(c.ctx, "ann", follows) },
	"read-following":  func(c caller) (any, error) { return c.ReadFollowingWithResponse(c.ctx, "ann", nil) },
	"put-visibility":  func(c caller) (any, error) { return c.PutVisibilityWithResponse(c.ctx, "ann", hidden) },
	"read-visibility": func(c caller) (any, error) { return c.ReadVisibilityWithResponse(c.ctx, "ann") },
	"put-exclusion": func(c caller) (any, error) {
		return c.PutExclusionWithResponse(c.ctx, "ann", client.Exclusion{Shadow: new(true)})
	},
	"read-entries": func(c caller) (any, error) { return c.ReadEntriesWithResponse(c.ctx, "ann", nil) },
	"put-void": func(c caller) (any, error) {
		return c.PutVoidWithResponse(c.ctx, "7", client.TargetVoid{})
	},
	"read-void":        func(c caller) (any, error) { return c.ReadVoidWithResponse(c.ctx, "spam") },
	"delete-void":      func(c caller) (any, error) { return c.DeleteVoidWithResponse(c.ctx, "spam") },
	"read-exclusion":   func(c caller) (any, error) { return c.ReadExclusionWithResponse(c.ctx, "ann") },
	"delete-exclusion": func(c caller) (any, error) { return c.DeleteExclusionWithResponse(c.ctx, "ann") },
	"post-article":     func(c caller) (any, error) { return c.PostArticleWithResponse(c.ctx, newArticle("2", "ann")) },
	"put-article":      func(c caller) (any, error) { return c.PutArticleWithResponse(c.ctx, "1", details) },
	"read-article":     func(c caller) (any, error) { return c.ReadArticleWithResponse(c.ctx, "1") },
	"delete-article":   func(c caller) (any, error) { return c.DeleteArticleWithResponse(c.ctx, "1") },
	"read-articles":    func(c caller) (any, error) { return c.ReadArticlesWithResponse(c.ctx, nil) },
	"read-groups":      func(c caller) (any, error) { return c.ReadGroupsWithResponse(c.ctx, nil) },
	"read-votes": func(c caller) (any, error) {
		return c.ReadVotesWithResponse(c.ctx, "ann", &client.ReadVotesParams{Article: []string{"1"}})
	},
	"read-rules":  func(c caller) (any, error) { return c.ReadRulesWithResponse(c.ctx) },
	"read-health": func(c caller) (any, error) { return c.ReadHealthWithResponse(c.ctx) },
	"read-status": func(c caller) (any, error) { return c.ReadStatusWithResponse(c.ctx) },
}

// others are the statuses that take another call than that, or another server.
var others = map[string]situation{
	"report-activities 403": {user: "mallory", call: func(c caller) (any, error) {
		published := client.ReportedActivity{Action: "publish", Target: new("7")}
		return c.ReportActivitiesWithResponse(c.ctx, nil, client.Report{Activities: []client.ReportedActivity{published}})
	}},
	"post-hook 401":        {edit: header("webhook-id", "another")},
	"post-hook 404":        {call: hookOf("flarum")},
	"post-hook 413":        {edit: body(long + long + long + long + long)},
	"queue-activities 400": {edit: body("\xff")}, // JSON is read later
	"pair 403":             {},                   // there is no code
	"pair 200":             paired(),
	"pair 501":             {server: open(func(_ *forum, o *httpapi.Options) { o.Hooks = nil })},
	"read-health 503":      {server: open(withoutRedis)},
	"post-article 200": {call: func(c caller) (any, error) {
		return c.PostArticleWithResponse(c.ctx, newArticle("1", "ann"))
	}},
	"post-article 409": {call: func(c caller) (any, error) {
		return c.PostArticleWithResponse(c.ctx, newArticle("1", "bob"))
	}},
	"put-void 409":    {server: open(manyVoids)},
	"delete-void 409": {server: open(beginVoids)},
	"read-void 404":   {call: func(c caller) (any, error) { return c.ReadVoidWithResponse(c.ctx, "nobody") }},
	"delete-void 404": {call: func(c caller) (any, error) { return c.DeleteVoidWithResponse(c.ctx, "nobody") }},
	"put-article 409": {call: func(c caller) (any, error) {
		if _, err := c.DeleteArticleWithResponse(c.ctx, "1"); err != nil {
			return nil, err
		}
		return c.PutArticleWithResponse(c.ctx, "1", details)
	}},
	"put-following 409": {call: func(c caller) (any, error) {
		if _, err := c.PutExclusionWithResponse(c.ctx, "ann", client.Exclusion{}); err != nil {
			return nil, err
		}
		return c.PutFollowingWithResponse(c.ctx, "ann", follows)
	}},
	"read-board-windows 404": {call: func(c caller) (any, error) {
		return c.ReadBoardWindowsWithResponse(c.ctx, "karma", nil)
	}},
	"read-board 404": {call: func(c caller) (any, error) { return c.ReadBoardWithResponse(c.ctx, "karma", "day", nil) }},
	"list-winners 404": {call: func(c caller) (any, error) {
		return c.ListWinnersWithResponse(c.ctx, "karma", "day", nil)
	}},
	"list-periods 404": {call: func(c caller) (any, error) {
		return c.ListPeriodsWithResponse(c.ctx, "karma", "day", nil)
	}},
	"read-standing 404": {call: func(c caller) (any, error) {
		return c.ReadStandingWithResponse(c.ctx, "karma", "day", "ann", nil)
	}},
	"read-friends 404": {call: func(c caller) (any, error) {
		return c.ReadFriendsWithResponse(c.ctx, "karma", "day", "ann", nil)
	}},
	"read-days 404":      {call: func(c caller) (any, error) { return c.ReadDaysWithResponse(c.ctx, "bob", nil) }},
	"read-user 404":      {call: func(c caller) (any, error) { return c.ReadUserWithResponse(c.ctx, "nobody") }},
	"read-erasure 404":   {call: func(c caller) (any, error) { return c.ReadErasureWithResponse(c.ctx, "nobody") }},
	"read-article 404":   {call: func(c caller) (any, error) { return c.ReadArticleWithResponse(c.ctx, "0") }},
	"put-article 404":    {call: func(c caller) (any, error) { return c.PutArticleWithResponse(c.ctx, "0", details) }},
	"delete-article 404": {call: func(c caller) (any, error) { return c.DeleteArticleWithResponse(c.ctx, "0") }},
}

// prepare makes what the calls read.
func prepare(f *forum) {
	for _, request := range []string{
		`POST /v1/activities {"activities":[{"user":"ann","action":"like","target":"1"},` +
			`{"user":"ann","action":"follow","target":"bob"},{"user":"zoe","action":"like","target":"1"}]}`,
		`PUT /v1/users/ann {"name":"Ann","link":"https://a.example/"}`,
		`PUT /v1/users/ann/visibility {"days":"public"}`,
		`PUT /v1/targets/spam/void {}`,
		`POST /v1/articles {"id":"1","title":"T","author":{"id":"ann"},"groups":["go"],"link":"https://a.example/1"}`,
		`DELETE /v1/users/zoe `,
	} {
		f.must(request)
	}
}

var (
	report = client.Report{Activities: []client.ReportedActivity{
		{User: new("ann"), Action: "like", Target: new("7")}, {User: new("ann"), Action: "steps", Value: new(int64(70))},
	}}
	profile  = client.PutProfile{Name: "Ann", Avatar: new("https://a.example/a.png")}
	profiles = client.ProfileList{Users: []client.ListedProfile{{Id: "ann", Name: "Ann"}}}
	follows  = client.FollowList{Users: []client.UserRef{{Id: "bob"}, {Id: "cid"}}}
	hidden   = client.Visibility{Boards: new(client.VisibilityBoards("hidden"))}
	details  = client.ArticleDetails{
		Title: "U", Author: &client.Author{Id: new("ann")}, Groups: &[]client.GroupName{"news"},
	}
)

func newArticle(id, author string) client.NewArticle {
	return client.NewArticle{Id: &id, Title: "T", Author: client.UserRef{Id: author}}
}

// hookSecret is what the forum signs its webhooks with.
const hookSecret = "the-secret-of-these-tests"

// hookOf returns the call of a webhook of a source.
func hookOf(source client.PostHookParamsSource) call {
	return func(c caller) (any, error) {
		const text = `{"activities":[{"user":"ann","action":"like","target":"7"}]}`
		sign := func(_ context.Context, r *http.Request) error {
			for pair := range slices.Chunk(harness.Signed("standard", hookSecret, text, harness.Noon), 2) {
				if r.Header.Get(pair[0]) == "" {
					r.Header.Set(pair[0], pair[1])
				}
			}
			return nil
		}
		return c.PostHookWithBodyWithResponse(c.ctx, source, "application/json", strings.NewReader(text), sign)
	}
}

// paired exchanges the code that is open.
func paired() (s situation) {
	var code string
	s.server = open(func(f *forum, _ *httpapi.Options) {
		var err error
		code, _, err = f.Records.NewPairing(f.TB.Context())
		harness.OK(f.TB, err)
	})
	s.call = func(c caller) (any, error) { return c.PairWithResponse(c.ctx, client.Pair{Code: code}) }
	return s
}

// manyVoids declares as many targets void as can be.
func manyVoids(f *forum, _ *httpapi.Options) {
	changes := make([]records.Change, record.MaxVoids)
	for i := range changes {
		changes[i].Void = &records.Void{Target: fmt.Sprint("void-", i), Until: board.MomentOf(f.Now), State: records.VoidWaiting}
	}
	for _, written := range f.Records.Write(f.TB.Context(), changes...) {
		harness.OK(f.TB, written.Err)
	}
}

// statuses are what brings about a status with the call of any operation.
var statuses = map[string]situation{
	"304":     {edit: header("If-None-Match", "*")},
	"400":     {edit: body("{")},
	"401":     {edit: header("Authorization", "")},
	"403":     {user: "mallory"},
	"413":     {edit: body(long)},
	"415":     {edit: header("Content-Type", "text/plain")},
	"422":     {edit: func(r *http.Request) { r.URL.RawQuery += "&unknown=1" }},
	"429":     {server: throttled},
	"501":     {server: open()},
	"503":     {server: open(withoutRedis, withoutTable)},
	"default": {server: open(failing)},
}
