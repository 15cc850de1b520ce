package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

// What a request goes through.
const (
	viaHTTP   = "http"   // a server
	viaLambda = "lambda" // the function behind the runtime API
)

// Users by what they have done this month. The first of all users have 300 entries,
// those after them 30, the others 1.
const (
	heavyUsers, heavyEntries   = 500, 300
	mediumUsers, mediumEntries = 5_000, 30
)

// userID returns the id of the i-th user.
func userID(i int) string { return strconv.Itoa(10_000_000 + 7*i) }

// A request is what a scenario sends, and a text that its answer contains.
type request struct {
	method, path, query, body string
	want                      string
}

// A scenario is one kind of request on boards of so many users.
type scenario struct {
	users int
	name  string
	cost  int // how many simple requests it counts as
	next  func() request
}

// requests returns the requests of a round, which both versions get.
func (s scenario) requests(n int) []request {
	all := make([]request, n)
	for i := range all {
		all[i] = s.next()
	}
	return all
}

// random makes requests of random users. No two activities have one target.
type random struct {
	*rand.Rand
	target int // the last one
}

// scenarios returns all scenarios on boards of so many users.
func scenarios(users int) []scenario {
	r := &random{rand.New(rand.NewPCG(3, 4)), 1_000_000}
	first := heavyUsers + mediumUsers // of those with 1 entry
	return []scenario{
		{users, "write, 1 entry", 1, r.write(1, first, users)},
		{users, "write, 30 entries", 1, r.write(1, heavyUsers, first)},
		{users, "write, 300 entries", 1, r.write(1, 0, heavyUsers)},
		{users, "batch of 100, 30 entries", 20, r.write(100, heavyUsers, first)},
		{users, "top 30", 1, r.read("limit=30", "", users)},
		{users, "standing", 1, r.read("around=0", "/users/", users)},
		{users, "around 15", 1, r.read("around=15", "/users/", users)},
	}
}

// write reports activities of users from one number to another, as the forum does.
func (r *random) write(size, from, to int) func() request {
	return func() request {
		activities := make([]string, size)
		for i := range activities {
			r.target++
			action := []string{`like"`, `bookmark"`, fmt.Sprintf(`comment","ref":"%d"`, 5_000_000+r.target)}[r.target%3]
			activities[i] = fmt.Sprintf(`{"user":%q,"action":"%s,"target":"%d"}`, userID(from+r.IntN(to-from)), action, r.target)
		}
		body := `{"activities":[` + strings.Join(activities, ",") + `]}`
		return request{method: "POST", path: "/v1/activities", body: body, want: `"counted"`}
	}
}

// read reads the month's board; under a path that ends with a slash, of any user.
func (r *random) read(query, path string, users int) func() request {
	return func() request {
		q := request{method: "GET", path: "/v1/boards/activity/month" + path, query: query, want: `"avatar":`}
		if path != "" {
			q.path += userID(r.IntN(users))
		}
		return q
	}
}

// names sends everybody's name, avatar and link, a hundred at a time.
func names(users int) []request {
	var all []request
	for from := 0; from < users; from += 100 {
		var people []string
		for i := from; i < min(from+100, users); i++ {
			people = append(people, fmt.Sprintf(`{"id":"%[1]s","name":"User %[1]s",`+
				`"avatar":"https://forum.example/avatars/%[1]s.png","link":"https://forum.example/u/%[1]s"}`, userID(i)))
		}
		body := `{"users":[` + strings.Join(people, ",") + `]}`
		all = append(all, request{method: "PUT", path: "/v1/users", body: body, want: `"avatar":`})
	}
	return all
}

// writeHistory writes what the users have done this month until now, as an import
// reads it.
func writeHistory(file string, users int, now time.Time) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	rng := rand.New(rand.NewPCG(1, 2))
	w := bufio.NewWriter(f)
	_, _ = fmt.Fprintln(w, "at,user,action,target,ref") // Flush has the error
	for i := range users {
		entries := 1
		if i < heavyUsers {
			entries = heavyEntries
		} else if i < heavyUsers+mediumUsers {
			entries = mediumEntries
		}
		for n := range entries {
			at, ref := month.Add(time.Duration(rng.Int64N(int64(now.Sub(month))))), ""
			action := []string{"like", "bookmark", "comment"}[n%3]
			if action == "comment" {
				ref = strconv.Itoa(5_000_000 + n*11)
			}
			_, _ = fmt.Fprintf(w, "%d,%s,%s,%d,%s\n", at.UnixMilli(), userID(i), action, 100_000+n*37, ref)
		}
	}
	return w.Flush()
}
