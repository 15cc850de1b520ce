package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/shared/httpapi"
)

func TestProfiles(t *testing.T) {
	t.Parallel()
	f := newTown(t).open()
	const whole = `{"name":"Ann Lee","avatar":"https://forum.example/ann.png","link":"https://forum.example/u/ann?x=1&y=<2>"}`
	f.says(f.get("/v1/users/ann", ""), http.StatusNotFound, "")
	f.says(f.put("/v1/users/ann", f.service(), whole), http.StatusOK, `{"id":"ann",`+whole[1:])
	a := f.get("/v1/users/ann", "")
	f.says(a, http.StatusOK, `{"id":"ann",`+whole[1:])
	if kept := a.header.Get("Cache-Control"); kept != "public, max-age=0, s-maxage=2" {
		t.Errorf("a profile may be kept: %q", kept)
	}
	if again := f.get("/v1/users/ann", "", "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the same again: %d", again.status)
	}
	// Replaced whole: what is left out is gone.
	f.says(f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	f.says(f.get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	if again := f.get("/v1/users/ann", "", "If-None-Match", a.header.Get("ETag")); again.status != http.StatusOK {
		t.Errorf("another: %d", again.status)
	}

	many := `{"users":[{"id":"bob","name":"Bob"},{"id":"ann","name":"Ann B.","link":"http://a.example/"}]}`
	f.says(f.put("/v1/users", f.service(), many), http.StatusOK, many)
	f.says(f.get("/v1/users/bob", ""), http.StatusOK, `{"id":"bob","name":"Bob"}`)
	f.says(f.get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann B.","link":"http://a.example/"}`)
	hundred := make([]string, 100)
	for i := range hundred {
		hundred[i] = `{"id":"u` + strings.Repeat("x", i%60) + string(rune('a'+i/60)) + `","name":"U"}`
	}
	f.says(f.put("/v1/users", f.service(), `{"users":[`+strings.Join(hundred, ",")+`]}`), http.StatusOK, `{"users":[`+strings.Join(hundred, ",")+`]}`)
}

// Boards, live and final, standings, friends and lists show names; who has no
// profile appears with the id alone.
func TestNamesAreEverywhere(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	f := w.open()
	f.did("ann like 1", "ann like 2", "bob like 1", "cid visit 1", "ann follow bob", "ann follow cid")
	f.put("/v1/users", f.service(), `{"users":[{"id":"ann","name":"Ann"},{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}]}`)
	const (
		ann = `{"rank":1,"score":8,"user":{"id":"ann","name":"Ann"}}`
		bob = `{"rank":2,"score":2,"user":{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}}`
		cid = `{"rank":3,"score":1,"user":{"id":"cid"}}`
	)
	const mine = `[{"rank":1,"boardRank":1,"score":8,"user":{"id":"ann","name":"Ann"}},` +
		`{"rank":2,"boardRank":2,"score":2,"user":{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"}},` +
		`{"rank":3,"boardRank":3,"score":1,"user":{"id":"cid"}}]`
	for range 2 { // the first time a copy is missing
		f.shows(today, "", "["+ann+","+bob+","+cid+"]")
		f.shows(today+"/users/cid?around=1", "", "["+bob+","+cid+"]")
		f.shows(friends, f.user("ann"), mine)
		f.says(f.get("/v1/users/ann/following", f.user("ann")), http.StatusOK,
			`{"users":[{"id":"bob","name":"Bob","avatar":"https://b.example/b.png"},{"id":"cid"}],"total":2}`)
	}
	f = w.night(10)
	f.put("/v1/users/cid", f.service(), `{"name":"Cid, later"}`)
	const then = "?period=2026-11-20"
	f.shows(today+then, "", "["+ann+","+bob+`,{"rank":3,"score":1,"user":{"id":"cid","name":"Cid, later"}}]`)
	f.shows(today+"/users/ann"+then+"&around=1", "", "["+ann+","+bob+"]")
	f.shows(friends+then, f.user("ann"), strings.Replace(mine, `"id":"cid"`, `"id":"cid","name":"Cid, later"`, 1))
	if b := read[httpapi.Board](t, f.get(today+then, "")); !b.Final {
		t.Error("the day is not final")
	}
}

// Without a table there are boards without names, and problems that say why.
func TestWithoutATable(t *testing.T) {
	t.Parallel()
	f := newTown(t).open(func(o *httpapi.Options) { o.Archive, o.People, o.Eraser = nil, nil, nil })
	f.did("ann like 1", "ann follow bob")
	f.shows(today, "", `[{"rank":1,"score":4,"user":{"id":"ann"}}]`)
	f.shows(friends, f.user("ann"), `[{"rank":1,"boardRank":1,"score":4,"user":{"id":"ann"}},{"rank":null,"boardRank":null,"score":0,"user":{"id":"bob"}}]`)
	f.says(f.get("/v1/users/ann/following", f.user("ann")), http.StatusOK, `{"users":[{"id":"bob"}],"total":1}`)
	f.says(f.put("/v1/users/ann", f.service(), `{"name":"Ann"}`), http.StatusNotImplemented, "")
	f.says(f.put("/v1/users", f.service(), `{"users":[{"id":"ann","name":"Ann"}]}`), http.StatusNotImplemented, "")
	f.says(f.get("/v1/users/ann", ""), http.StatusNotImplemented, "")
	f.says(f.remove("/v1/users/ann", f.service()), http.StatusNotImplemented, "")
	f.says(f.get("/v1/users/ann/erasure", f.service()), http.StatusNotImplemented, "")
}
