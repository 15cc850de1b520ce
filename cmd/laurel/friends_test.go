package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// The embedded store has the friends of a page in the board's order, whatever their ids.
func TestFriendsOfTheEmbeddedStore(t *testing.T) {
	t.Parallel()
	base, _, _ := dev(t, "--now", "2026-11-20T12:00:00Z")
	send(t, base, http.MethodPost, "/v1/activities", `{"activities":[
		{"action":"visit","target":"1","user":"a"},{"action":"like","target":"1","user":"b"},
		{"action":"comment","target":"1","user":"me"},{"action":"publish","target":"1","user":"z"}]}`)
	send(t, base, http.MethodPut, "/v1/users/me/following", `{"users":[{"id":"a"},{"id":"b"},{"id":"z"},{"id":"0"}]}`)
	_, token, _ := get(t, base+"/dev/token?user=me")
	for limit, want := range map[int]string{
		1: `"entries":[{"rank":1,"boardRank":1,"score":10,`,
		2: `"user":{"id":"z"}},{"rank":2,"boardRank":2,"score":3,`,
		9: `"user":{"id":"b"}},{"rank":4,"boardRank":4,"score":1,`,
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			fmt.Sprintf("%s/v1/boards/activity/day/users/me/friends?limit=%d", base, limit), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(token))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		const own = `"standing":{"user":{"id":"me"},"rank":2,"boardRank":2`
		if !strings.Contains(string(text), want) || !strings.Contains(string(text), own) {
			t.Errorf("limit %d: %s", limit, text)
		}
	}
}
