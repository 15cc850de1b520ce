package demo_test

import (
	"context"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/run/demo"
)

var now = time.Date(2026, 11, 20, 19, 30, 0, 0, time.UTC)

func all(t *testing.T, r io.Reader) string {
	t.Helper()
	return string(harness.Must(io.ReadAll(r))(t))
}

// 40 people in three languages, each with a face of their own.
func TestPeople(t *testing.T) {
	t.Parallel()
	f, files := demo.New("http://localhost:8080"), demo.Files()
	languages, faces := map[string]int{}, map[string]string{}
	for _, p := range f.People {
		languages[p.Lang]++
		face := string(files["faces/"+p.ID+".svg"])
		if err := xml.Unmarshal([]byte(face), new(struct{})); err != nil || strings.Contains(face, "%!") {
			t.Errorf("the face of %s: %v\n%s", p.ID, err, face)
		}
		if twin, ok := faces[face]; ok {
			t.Errorf("%s looks like %s", p.ID, twin)
		}
		faces[face] = p.ID
	}
	if diff := gocmp.Diff(map[string]int{"en": 14, "zh": 13, "vi": 13}, languages); diff != "" {
		t.Errorf("people by language (-want +got):\n%s", diff)
	}
	if profiles := all(t, f.Profiles()); strings.Count(profiles, "http://localhost:8080/demo/faces/") != 40 {
		t.Error(profiles)
	}
	teams := all(t, f.Profiles("red", "blue", "green"))
	for team, want := range map[string]int{"red": 14, "blue": 13, "green": 13} {
		if n := strings.Count(teams, `"groups":"`+team+`"`); n != want {
			t.Errorf("%d people in the team %s, want %d", n, team, want)
		}
	}
}

// A clock has one history, which ends now, is in order, and has articles and today's activities.
func TestHistory(t *testing.T) {
	t.Parallel()
	for _, now := range []time.Time{now, now.Truncate(24 * time.Hour).Add(time.Minute)} {
		history := all(t, demo.New("http://x").History(now))
		if again := all(t, demo.New("http://x").History(now)); again != history {
			t.Error("the history differs from that of the same clock")
		}
		lines := strings.Split(strings.TrimSpace(history), "\n")
		last, today := "", 0
		for _, line := range lines {
			date, _, _ := strings.Cut(strings.TrimPrefix(line, `{"at":"`), `"`)
			if moment, err := time.Parse(time.RFC3339, date); err != nil || moment.After(now) || date[:16] < last {
				t.Fatalf("after %s comes %s: %v", last, line, err)
			}
			last = date[:16]
			if strings.HasPrefix(date, now.Format(time.DateOnly)) {
				today++
			}
		}
		if titles := strings.Count(history, `"title"`); titles < 18 || today < 200 {
			t.Errorf("%d articles, %d activities today", titles, today)
		}
	}
}

// The members continue: through the API, with a new token when one is refused, and with articles.
func TestRun(t *testing.T) {
	t.Parallel()
	asked := make(chan string)
	ctx, end := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.URL.Path + " " + r.Header.Get("Authorization"):
		case <-ctx.Done():
		}
		switch r.URL.Path {
		case "/dev/token":
			_, _ = io.WriteString(w, "token\n")
		case "/v1/articles":
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()
	defer end()
	f := demo.New(server.URL)
	all(t, f.History(now))
	go f.Run(ctx, time.Millisecond)
	want := map[string]int{"/dev/token ": 2, "/v1/activities Bearer token": 60, "/v1/articles Bearer token": 1}
	got := map[string]int{}
	for range 63 {
		got[<-asked]++
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}
