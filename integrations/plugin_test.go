//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/auth/token"
)

// known says whether Laurel has a profile of a user.
func (f *forum) known(id int) bool {
	f.Helper()
	answer, err := http.Get(fmt.Sprint(f.url, "/v1/users/", id))
	if err != nil {
		f.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// A kept is an entry of a user.
type kept struct {
	Action string `json:"action"`
	Target string `json:"target"`
	Ref    string `json:"ref"`
	Last   string `json:"last"`
	State  string `json:"state"`
}

func (f *forum) entries(user string) []kept {
	f.Helper()
	text, err := token.Sign(userSecret, user, "laurel", time.Now().Add(time.Minute))
	if err != nil {
		f.Fatal(err)
	}
	var page struct {
		Entries []kept `json:"entries"`
	}
	answer := harness.NewClient(f, f.url).Get("/v1/users/"+user+"/entries?limit=100", text)
	if err := json.Unmarshal([]byte(answer.Body), &page); err != nil {
		f.Fatal(err)
	}
	return slices.DeleteFunc(page.Entries, func(k kept) bool { return k.State == "undone" })
}

// sameEntries compares what Laurel keeps with what the statement in a section of docs/history.md says.
func (f *forum) sameEntries(section string) {
	f.Helper()
	text, err := os.ReadFile("../docs/history.md")
	if err != nil {
		f.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), section)
	_, after, _ = strings.Cut(after, "```sql\n")
	statement, _, _ := strings.Cut(after, ";")
	sqlite := strings.NewReplacer(
		"TIMESTAMPDIFF(SECOND, '1970-01-01', p.created_at)", "unixepoch(p.created_at)",
		"TIMESTAMPDIFF(SECOND, '1970-01-01', l.created_at)", "unixepoch(l.created_at)",
		"IF(", "IIF(", "CONCAT('t', ", "('t' || ", "CONCAT('p', ", "('p' || ",
	)
	type entry struct {
		User, Action, Target, Ref string
		At                        int64 // of a like it is that of the report
	}
	want, got := map[entry]int{}, map[entry]int{}
	users := map[string]bool{}
	for _, r := range call[[]struct {
		At                  int64
		User                int
		Action, Target, Ref string
	}](f.php, "sql", sqlite.Replace(statement)) {
		users[fmt.Sprint(r.User)] = true
		e := entry{fmt.Sprint(r.User), r.Action, r.Target, r.Ref, 1000 * r.At}
		if r.Action == "like" {
			e.At = 0
		}
		want[e]++
	}
	for user := range users {
		for _, e := range f.entries(user) {
			at, err := time.Parse(time.RFC3339, e.Last)
			if err != nil || e.State != "counted" {
				f.Errorf("%s: %+v %v", user, e, err)
			}
			if e.Action == "like" {
				at = time.Unix(0, 0)
			}
			got[entry{user, e.Action, e.Target, e.Ref, at.UnixMilli()}]++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 4 {
		f.Errorf("the statement of docs/history.md and what Laurel has (-statement +Laurel):\n%s", diff)
	}
}

// testQueue is of any forum's queue. write has a member write, who is registered already.
func (f *forum) testQueue(write func(user int)) {
	f.Helper()
	ann := f.do("user", "ann")
	write(ann)
	status := func(n int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(n); return true }
	}
	var pauses []int
	for range 9 {
		f.network.Set(harness.Trouble{}, status(http.StatusServiceUnavailable))
		f.do("do", "UPDATE laurel_queue SET due = 0")
		write(ann)
		call[[]string](f.php, "send")
		if ids := f.network.Seen(); len(ids) != 1 || !strings.HasPrefix(ids[0], "msg_1 ") {
			f.Fatalf("sent, while the first is not taken: %v", ids)
		}
		pauses = append(pauses, call[[]struct{ Pause int }](f.php, "sql",
			"SELECT MAX(due) - CAST(strftime('%s', 'now') AS INTEGER) AS Pause FROM laurel_queue")[0].Pause)
		f.network.Set(harness.Trouble{}, status(http.StatusServiceUnavailable))
		if call[[]string](f.php, "send"); len(f.network.Seen()) != 0 {
			f.Fatal("sent again before the pause is over")
		}
	}
	for n, pause := range pauses {
		if want := min(3600, 15<<n); pause < want-5 || pause > want+1 {
			f.Errorf("the pauses are %v", pauses)
		}
	}
	f.do("do", "UPDATE laurel_queue SET due = 0")
	f.network.Set(harness.Trouble{}, status(http.StatusUnauthorized)) // a secret that was mistyped
	call[[]string](f.php, "send")
	if n := f.waiting(); n < 10 {
		f.Errorf("%d wait after a wrong secret", n)
	}

	// Two processes at once send each report once, in order: one waits while the other has the first.
	f.do("do", "UPDATE laurel_queue SET due = 0")
	other, asked, ended := f.start(), make(chan struct{}, 100), make(chan struct{})
	f.network.Set(harness.Trouble{}, func(http.ResponseWriter, *http.Request) bool {
		asked <- struct{}{}
		<-ended
		return false
	})
	done := make(chan []string)
	go func() { done <- call[[]string](other, "send") }()
	<-asked
	call[[]string](f.php, "send")
	close(ended)
	<-done
	f.send()
	ids := f.network.Seen()
	for n, body := range ids {
		if !strings.HasPrefix(body, fmt.Sprintf("msg_%d ", n+1)) {
			f.Errorf("%d. is %.30s", n+1, body)
		}
	}

	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now'), '{"users":[{"id":"1","name":""}]}')`)
	f.do("do", `INSERT INTO laurel_queue (made, body) VALUES (strftime('%s', 'now') - 172801, '{}')`)
	write(ann)
	log := strings.Join(call[[]string](f.php, "send"), "\n")
	if n := f.waiting(); n != 0 {
		f.Errorf("%d wait behind what will never be taken", n)
	}
	if !strings.Contains(log, "is dropped: 422") || !strings.Contains(log, "Laurel: 1 reports were not taken") {
		f.Errorf("the log does not say what was dropped: %s", log)
	}
	if strings.Contains(log, hookSecret) {
		f.Error("the log has the secret")
	}
}

// testToken is of any forum's token route.
func (f *forum) testToken() {
	f.Helper()
	type answer struct {
		Status  int
		Body    struct{ Token string }
		Headers map[string]string
	}
	ann := f.do("user", "ann")
	got := call[answer](f.php, "token", ann)
	status := func(path string) int {
		r, _ := http.NewRequest(http.MethodGet, f.url+path, http.NoBody)
		r.Header.Set("Authorization", "Bearer "+got.Body.Token)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			f.Fatal(err)
		}
		defer a.Body.Close()
		return a.StatusCode
	}
	own, other := fmt.Sprintf("/v1/users/%d/standings", ann), "/v1/users/999/standings"
	if a, b := status(own), status(other); got.Status != 200 || a != http.StatusOK || b != http.StatusForbidden {
		f.Errorf("%+v: own standings %d, another's %d", got, a, b)
	}
	if !strings.Contains(got.Headers["Cache-Control"], "no-store") {
		f.Errorf("the token may be kept: %v", got.Headers)
	}
	if guest := call[answer](f.php, "token", nil); guest.Status != http.StatusUnauthorized || guest.Body.Token != "" {
		f.Errorf("a guest got %+v", guest)
	}
	for name := range f.settings {
		if strings.HasSuffix(name, "user_secret") {
			f.settings[name] = "short"
		}
	}
	unset := call[answer](f.start(), "token", ann)
	if unset.Status != http.StatusNotImplemented || unset.Body.Token != "" {
		f.Errorf("with a secret that is too short: %+v", unset)
	}
}

// last returns the last of many.
func last(all []string, n int) []string { return all[max(0, len(all)-n):] }
