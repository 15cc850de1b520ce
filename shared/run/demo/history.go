package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The activities before a visitor opens the forum.
const (
	days   = 62  // two months, so that the month before is whole
	daily  = 600 // activities, more or less
	unread = 4   // articles that nobody has written yet
)

// Profiles returns the people as laurel import --profiles reads them, with faces, each in one of the teams if there are
// any.
func (f *Forum) Profiles(teams ...string) io.Reader {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for i, p := range f.People {
		profile := map[string]string{
			"id": p.ID, "name": p.Name, "avatar": fmt.Sprintf("%s/demo/faces/%s.svg", f.address, p.ID),
			"link": fmt.Sprintf("%s/?user=%s", f.address, p.ID),
		}
		if len(teams) > 0 {
			profile["groups"] = teams[i%len(teams)]
		}
		_ = encoder.Encode(profile) //nolint:errchkjson // a buffer takes all
	}
	return &out
}

// History returns the activities until now, as laurel import reads them, the oldest first. A day begins at midnight
// in the zone of the time.
func (f *Forum) History(now time.Time) io.Reader {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	year, month, day := now.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	for back := days - 1; back >= 0; back-- {
		from, to := midnight.AddDate(0, 0, -back), midnight.AddDate(0, 0, 1-back)
		whole := to.Sub(from)
		if back == 0 {
			to = now
		}
		// A day that has just begun has been busy already: its board is not empty.
		share := max(.5, to.Sub(from).Hours()/whole.Hours())
		for _, a := range f.day(back, int(share*daily), from, to) {
			_ = encoder.Encode(a) //nolint:errchkjson // a buffer takes all
		}
	}
	return &out
}

// day returns the activities of the day so many days ago, between two times.
func (f *Forum) day(back, about int, from, to time.Time) []act {
	var moments []time.Time
	for range about*3/4 + f.random.IntN(about/2+1) {
		after := time.Duration(f.random.Int64N(int64(to.Sub(from)) + 1))
		moments = append(moments, from.Add(after).Truncate(time.Millisecond))
	}
	slices.SortFunc(moments, time.Time.Compare)
	var all []act
	for i, moment := range moments {
		var a act
		switch left := len(f.Articles) - unread - f.written; {
		case f.written == 0, i%150 == 1 && left > 2*back: // the most in the last ten days
			a = f.publish()
		case i < len(f.People):
			a = act{User: f.People[i].ID, Action: "steps", Value: 1500 + f.random.IntN(300)*f.zeal[i]}
		default:
			a = f.act()
		}
		a.At = moment
		all = append(all, a)
	}
	return all
}

// article is the number of acts of which one is a new article.
const article = 60

// Run reports acts of members through the API, on average one in each interval of often, until the context ends. A
// refused report is not repeated.
func (f *Forum) Run(ctx context.Context, often time.Duration) {
	var token string
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(often/2 + time.Duration(f.random.Int64N(int64(often)))):
		}
		if token == "" {
			_, token = f.send(ctx, http.MethodGet, "/dev/token?scope=laurel/service", "", nil)
		}
		path, body := "/v1/activities", any(map[string]any{"activities": []act{f.act()}})
		if n%article == 0 && f.written < len(f.Articles) {
			a := f.publish()
			path, body = "/v1/articles", map[string]any{
				"id": a.Target, "title": a.Title, "link": a.Link, "groups": []string{a.Groups},
				"author": map[string]string{"id": a.User},
			}
		}
		if status, _ := f.send(ctx, http.MethodPost, path, token, body); status == 0 || status >= http.StatusUnauthorized {
			token = "" // it may have expired
		}
	}
}

// send sends a request and returns its answer, 0 for none.
func (f *Forum) send(ctx context.Context, method, path, token string, body any) (status int, text string) {
	content, _ := json.Marshal(body) //nolint:errchkjson // it is text and numbers
	r, err := http.NewRequestWithContext(ctx, method, f.address+path, bytes.NewReader(content))
	if err != nil {
		return 0, ""
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	all, _ := io.ReadAll(answer.Body) // a report without a part of its token is refused
	return answer.StatusCode, strings.TrimSpace(string(all))
}
