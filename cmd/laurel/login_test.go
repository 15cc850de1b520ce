package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"

	"laurel/internal/browser"
)

const connectSecret = "the-secret-of-the-forum-in-this-test"

// discourse is a forum whose visitor is logged in as a user, as a provider of DiscourseConnect.
func discourse(t *testing.T, user string) string {
	t.Helper()
	sign := func(text string) string {
		mac := hmac.New(sha256.New, []byte(connectSecret))
		mac.Write([]byte(text))
		return hex.EncodeToString(mac.Sum(nil))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sso := r.FormValue("sso")
		text, err := base64.StdEncoding.DecodeString(sso)
		asked, parsing := url.ParseQuery(string(text))
		if r.URL.Path != "/session/sso_provider" || r.FormValue("sig") != sign(sso) || err != nil || parsing != nil {
			http.Error(w, "not signed", http.StatusUnprocessableEntity)
			return
		}
		visitor := url.Values{"nonce": asked["nonce"], "external_id": {user}, "username": {"me"}, "admin": {"true"}}
		sso = base64.StdEncoding.EncodeToString([]byte(visitor.Encode()))
		answer := url.Values{"sso": {sso}, "sig": {sign(sso)}}
		http.Redirect(w, r, asked.Get("return_sso_url")+"&"+answer.Encode(), http.StatusFound)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The page in the guide for Discourse, as it stands there, sends its visitor to the forum and then
// shows the board among friends.
func TestLoginOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/discourse.md")
	if err != nil {
		t.Fatal(err)
	}
	_, snippet, _ := strings.Cut(string(guide), "```html\n")
	snippet, _, ok := strings.Cut(snippet, "```")
	if !ok {
		t.Fatal("the guide has no page")
	}
	var laurel *httputil.ReverseProxy
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { laurel.ServeHTTP(w, r) }))
	t.Cleanup(proxy.Close)
	blog := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>A blog</title>" +
			strings.ReplaceAll(snippet, "https://boards.example", proxy.URL)))
	}))
	t.Cleanup(blog.Close)
	rules, err := os.ReadFile("../../shared/activity/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	hooks := `{"hooks": {"discourse": {"instance": "` + discourse(t, "7") + `", "login": "` + proxy.URL + `"}},`
	base := shown(t, "--rules", fileOf(t, strings.Replace(string(rules), "{", hooks, 1)),
		"--hook-secrets", fileOf(t, "discourse="+connectSecret),
		"--user-secrets", fileOf(t, strings.Repeat("user-secret-", 3)),
		"--embed-origins", blog.URL)
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	laurel = httputil.NewSingleHostReverseProxy(to)
	send(t, base, http.MethodPut, "/v1/users/7", `{"name":"Me Myself"}`)
	send(t, base, http.MethodPut, "/v1/users/7/following", `{"users":[{"id":"u2"},{"id":"u5"}]}`)
	send(t, base, http.MethodPost, "/v1/activities", `{"activities":[{"action":"like","target":"x","user":"7"}]}`)

	tab := browser.Open(chromium(t), t, blog.URL+"/boards?page=1")
	const text = `(document.querySelector("laurel-board")?.shadowRoot?.textContent ?? "")`
	browser.Wait(tab, t, text+`.includes("Ann Bell")`)
	browser.Eval[bool](tab, t, `{ document.getElementById("login").click(); return true }`)
	browser.Wait(tab, t, `!`+text+`.includes("Ann Bell") && `+text+`.includes("Me Myself") && `+text+`.includes("陈晓明")`)
	if at := browser.Eval[string](tab, t, `location.href`); at != blog.URL+"/boards" {
		t.Errorf("the visitor is at %s", at)
	}
}
