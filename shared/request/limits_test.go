package request_test

import (
	"reflect"
	"strconv"
	"testing"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/request"
)

// Tags have the limits of the packages that check decoded values.
func TestLimitsOfTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body       any
		field, tag string
		want       int
	}{
		{request.Report{}, "Activities", "maxItems", request.MaxByService},
		{request.ReportedActivity{}, "Target", "maxLength", activity.MaxID},
		{request.ReportedActivity{}, "Ref", "maxLength", activity.MaxID},
		{request.ReportedActivity{}, "User", "maxLength", activity.MaxUserID},
		{request.Erasure{}, "User", "maxLength", activity.MaxUserID},
		{request.NewArticle{}, "ID", "maxLength", activity.MaxID},
		{request.ArticleDetails{}, "Author", "maxLength", activity.MaxUserID},
		{request.ArticleDetails{}, "Title", "maxLength", article.MaxTitle},
		{request.ArticleDetails{}, "Link", "maxLength", article.MaxLink},
		{request.ArticleDetails{}, "Groups", "maxItems", article.MaxGroups},
		{request.ArticleDetails{}, "Groups", "maxLength", article.MaxGroupName},
		{request.Profile{}, "Name", "maxLength", people.MaxName},
		{request.Profile{}, "Avatar", "maxLength", people.MaxURL},
		{request.Profile{}, "Link", "maxLength", people.MaxURL},
		{request.ListedProfile{}, "ID", "maxLength", activity.MaxUserID},
		{request.FollowList{}, "Users", "maxItems", ledger.MaxReplaced},
		{request.FollowList{}, "Users", "maxLength", activity.MaxUserID},
	} {
		f, _ := reflect.TypeOf(c.body).FieldByName(c.field)
		if got := f.Tag.Get(c.tag); got != strconv.Itoa(c.want) {
			t.Errorf("%T.%s has %s %s, want %d", c.body, c.field, c.tag, got, c.want)
		}
	}
}

// A type whose tags or fields Decode does not check panics, also when it is nested.
func TestUnknownTagsPanic(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]any{
		"an unknown tag": &struct {
			A string `json:"a" contains:"x"`
		}{},
		"a bound that is not checked": &struct {
			A int64 `json:"a" exclusiveMinimum:"1"`
		}{},
		"a list that may be null": &struct {
			A []string `json:"a"`
		}{},
		"a kind that is not decoded": &struct {
			A float64 `json:"a"`
		}{},
		"a field without a name": &struct{ A string }{},
		"a nested one": &struct {
			A []struct {
				B string `json:"b" multipleOf:"2"`
			} `json:"a" nullable:"false"`
		}{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			request.Decode([]byte(`{}`), body)
		}()
	}
}

// Integers in every spelling; what is not one is shown as it was written.
func TestIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"0": int64(0), "-7": int64(-7), "5.0": int64(5), "1e3": int64(1000),
		"9223372036854775807": int64(9223372036854775807),
		"0.5":                 nil, "1e99": nil, "1e999": nil, `"5"`: nil, "null": nil, "[1]": nil,
	} {
		var body struct {
			N *int64 `json:"n"`
		}
		found := request.Decode([]byte(`{"n":`+text+`}`), &body)
		if want == nil {
			if got := lines(found); len(got) != 1 || got[0] != "body.n must be an integer" || body.N != nil {
				t.Errorf("%s: %q", text, got)
			}
		} else if found.Count() > 0 || *body.N != want {
			t.Errorf("%s: %q, want %v", text, lines(found), want)
		}
	}
}
