package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel/internal/harness"
)

// What GET gives PUT takes, which changes nothing, on every path of the document that has
// both. Those with a test of their own are named.
func TestPutTakesWhatGetGives(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("bob like 1")
	f.Put("/v1/users", f.Service(), `{"users":[{"id":"ann","name":"Ann","avatar":"https://a.example/a.png"},`+
		`{"id":"bob","name":"Bob","link":"https://a.example/bob","since":"2024-03-01T09:30:00Z"}]}`)
	for _, step := range [][3]string{
		{http.MethodPost, "/v1/articles", `{"id":"a1","title":"One","author":{"id":"bob"},"groups":["go","db"]}`},
		{http.MethodPut, "/v1/users/ann/following", `{"users":[{"id":"bob"},{"id":"zoe"}]}`},
		{http.MethodPut, "/v1/users/ann/visibility", `{"boards":"hidden","days":"public"}`},
		{http.MethodPut, "/v1/users/ann/exclusion", `{"shadow":true}`},
		{http.MethodPut, "/v1/targets/gone/void", `{"until":"2026-11-20T11:59:00Z"}`},
	} {
		if a := f.Do(step[0], step[1], f.Service(), step[2]); a.Status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", step[1], a.Status, a.Body)
		}
	}
	examples := map[string][]string{
		"/v1/users/{user}":            {"/v1/users/ann", "/v1/users/bob"},
		"/v1/users/{user}/following":  {"/v1/users/ann/following", "/v1/users/bob/following"},
		"/v1/users/{user}/visibility": {"/v1/users/ann/visibility", "/v1/users/bob/visibility"},
		"/v1/users/{user}/exclusion":  {"/v1/users/ann/exclusion", "/v1/users/bob/exclusion"},
		"/v1/articles/{id}":           {"/v1/articles/a1"},
		"/v1/targets/{target}/void":   {"/v1/targets/gone/void"},
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(f.Get("/openapi.json", "").Body))
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range under(document, "paths").(map[string]any) {
		if under(item, "get") == nil || under(item, "put") == nil {
			continue
		}
		paths, known := examples[path]
		if !known {
			t.Errorf("%s has GET and PUT, and no example here", path)
		}
		for _, path := range paths {
			was := f.Get(path, f.Service())
			put := f.Put(path, f.Service(), was.Body)
			is := f.Get(path, f.Service())
			if was.Status != http.StatusOK || put.Status != http.StatusOK || is.Body != was.Body ||
				is.Header.Get("ETag") != was.Header.Get("ETag") {
				t.Errorf("%s: GET %d %s\nPUT %d %s\nGET %s", path, was.Status, was.Body, put.Status, put.Body, is.Body)
			}
		}
	}
	if a := f.Delete("/v1/users/bob", f.Service()); a.Status >= http.StatusBadRequest {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	f.tick()
	erased := f.Get("/v1/articles/a1", "")
	if put := f.Put("/v1/articles/a1", f.Service(), erased.Body); put.Status != http.StatusOK || put.Body != erased.Body ||
		!strings.Contains(put.Body, `"author":{"id":null,"erased":true}`) {
		t.Errorf("an erased author's: %s\n%d %s", erased.Body, put.Status, put.Body)
	}
}

// The id in a body is that of the path; an article has the author and moment that it had.
func TestPutIsForThePathAlone(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Do(http.MethodPost, "/v1/articles", f.Service(), `{"id":"a1","title":"One","author":{"id":"bob"}}`)
	for body, want := range map[string]int{
		`{"id":"a2","title":"One","author":{"id":"bob"}}`:   http.StatusUnprocessableEntity,
		`{"id":"a1","title":"One"}`:                         http.StatusOK,
		`{"title":"One","author":{"id":"ann"}}`:             http.StatusConflict,
		`{"title":"One","author":{"id":null}}`:              http.StatusConflict,
		`{"title":"One","author":{"name":"Bob"}}`:           http.StatusUnprocessableEntity,
		`{"title":"One","author":"bob"}`:                    http.StatusUnprocessableEntity,
		`{"title":"One","votes":7,"interesting":true}`:      http.StatusOK,
		`{"title":"One","votes":"7"}`:                       http.StatusUnprocessableEntity,
		`{"title":"One","publishedAt":"2026-11-20T11:00Z"}`: http.StatusUnprocessableEntity,
	} {
		if a := f.Put("/v1/articles/a1", f.Service(), body); a.Status != want {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
	}
	for field, a := range map[string]harness.Answer{
		"id":     f.Put("/v1/users/ann", f.Service(), `{"id":"bob","name":"Ann"}`),
		"target": f.Put("/v1/targets/gone/void", f.Service(), `{"target":"other"}`),
	} {
		if e := a.Problem(t).Errors; len(e) != 1 || e[0].Code != "other_id" || e[0].Location != "body."+field {
			t.Errorf("another's %s: %d %s", field, a.Status, a.Body)
		}
	}
}

// A profile that is put keeps when the account was made, unless it says otherwise.
func TestPutKeepsSince(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, step := range []struct{ body, since string }{
		{`"since":"2024-03-01T09:30:00Z"`, "2024-03-01T09:30:00Z"},
		{`"link":"https://a.example/"`, "2024-03-01T09:30:00Z"},
		{`"since":"2025-03-01T09:30:00Z"`, "2025-03-01T09:30:00Z"},
		{`"since":null`, ""},
		{`"avatar":"https://a.example/a.png"`, ""},
	} {
		for _, put := range [][2]string{
			{"/v1/users/ann", `{"name":"Ann",` + step.body + `}`},
			{"/v1/users", `{"users":[{"id":"bob","name":"Bob",` + step.body + `}]}`},
		} {
			if a := f.Put(put[0], f.Service(), put[1]); a.Status != http.StatusOK || strings.Contains(a.Body, `"since":""`) {
				t.Errorf("%s: %d %s", put[1], a.Status, a.Body)
			}
		}
		for _, user := range []string{"ann", "bob"} {
			public := f.Get("/v1/users/"+user, f.Service())
			own := f.Get("/v1/users/"+user+"/export", f.Service())
			has := strings.Contains(own.Body, fmt.Sprintf(`"since":%q`, step.since))
			if strings.Contains(public.Body, "since") || has != (step.since != "") ||
				strings.Contains(own.Body, `"since":"none"`) {
				t.Errorf("%s after %s: %s\n%.300s", user, step.body, public.Body, own.Body)
			}
		}
	}
}
