package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// sqlite FILE...: answer.db has what the statements in files do, with moments in place of :recent and
// :old.
func (s *script) sqlite(files []string) {
	db, err := sql.Open("sqlite", filepath.Join(s.folder, "answer.db"))
	s.Check(err)
	defer db.Close()
	at := func(d time.Duration) string { return time.Now().UTC().Add(-d).Format("'2006-01-02 15:04:05'") }
	moments := strings.NewReplacer(":recent", at(5*time.Minute), ":old", at(7*24*time.Hour))
	for _, file := range files {
		_, err := db.ExecContext(s.tb.Context(), moments.Replace(s.ReadFile(file)))
		s.Check(err)
	}
}

// discourse: a Discourse is at $FORUM. Its API, by the key the-key of system, has a post of today by a
// user 7. As a provider of DiscourseConnect with the secret $CONNECT, its visitor is user 7, too.
func (s *script) discourse([]string) {
	written, secret := time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), s.Getenv("CONNECT")
	api := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Api-Key") != "the-key" || r.Header.Get("Api-Username") != "system" {
				w.WriteHeader(http.StatusForbidden)
			}
			_, _ = fmt.Fprintf(w, text, written)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", api("[]%.0s"))
	mux.HandleFunc("/posts.json", func(w http.ResponseWriter, r *http.Request) {
		posts := `{"latest_posts":[{"id":9,"post_number":2,"post_type":1,"topic_id":3,"category_id":4,"user_id":7,` +
			`"username":"ada","created_at":"%s"}]}`
		if r.URL.RawQuery != "" {
			posts = `{"latest_posts":[]}%.0s`
		}
		api(posts)(w, r)
	})
	mux.HandleFunc("/session/sso_provider", func(w http.ResponseWriter, r *http.Request) {
		text, err := base64.StdEncoding.DecodeString(r.FormValue("sso"))
		asked, parsing := url.ParseQuery(string(text))
		if r.FormValue("sig") != connectSign(secret, r.FormValue("sso")) || err != nil || parsing != nil {
			http.Error(w, "not signed", http.StatusUnprocessableEntity)
			return
		}
		visitor := url.Values{"nonce": asked["nonce"], "external_id": {"7"}, "username": {"me"}, "admin": {"true"}}
		sso := base64.StdEncoding.EncodeToString([]byte(visitor.Encode()))
		answer := url.Values{"sso": {sso}, "sig": {connectSign(secret, sso)}}
		http.Redirect(w, r, asked.Get("return_sso_url")+"&"+answer.Encode(), http.StatusFound)
	})
	server := httptest.NewServer(mux)
	s.tb.Cleanup(server.Close)
	s.Setenv("FORUM", server.URL)
}

func connectSign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}
