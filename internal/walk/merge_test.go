package walk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/people"
)

// mostDoubles is how many second accounts of users a walk has, below the merges that one user may have.
const mostDoubles = 12

// merge gives a user a second account, which does something, and merges that into the user. To the model it is a report
// of the user's, which the ledger may have from the mark on.
func (f *forum) merge() {
	user := f.user()
	if f.depth > 0 || f.restored || f.blind[user] || f.doubles >= mostDoubles {
		return
	}
	f.doubles++
	double := fmt.Sprint("double-", f.doubles)
	acts := f.doublesActs(user)
	if len(acts) == 0 {
		return
	}
	f.Logf("%s %s is %s, and does %s", f.moment(), double, user, texts(acts))
	kept := f.doubleDoes(double, acts)
	r := &report{user: user, acts: kept, kept: true}
	r.ways = []way{f.wayOf(r)}
	f.open = append(f.open, r)
	f.mayFollow(r)
	f.touched[user] = true
	body := `{"into":"` + user + `"}`
	path := "/v1/users/" + double + "/merge"
	for try := 0; try < 5 && !f.do(http.MethodPost, path, body, http.StatusAccepted, http.StatusConflict); try++ {
		f.see()
	}
	for try := range 40 {
		f.see()
		a := f.send(f.reader, http.MethodGet, path, "")
		var m people.Merge
		if a.status == http.StatusOK {
			harness.OK(f.T, json.Unmarshal([]byte(a.body), &m))
		}
		if a.status == http.StatusNotFound { // no mark was made, as an erasure is running, or the user is erased
			f.drop(double)
			break
		}
		if m.Done() {
			break
		}
		if f.Pass(20 * time.Second); try < 20 {
			f.tick()
		} else if _, err := f.reader.Tick(f.Context()); err != nil {
			f.Logf("tick: %v", err)
		}
	}
	f.see()
	r.over = true
	f.resolve()
	f.disturbed = true // until a tick has shown both
}

// drop erases a second account that is merged into nobody, as the model knows none. The erasure may wait for a full
// Redis.
func (f *forum) drop(double string) {
	path := "/v1/users/" + double
	if a := f.send(f.reader, http.MethodDelete, path, ""); a.status != http.StatusAccepted && a.status != http.StatusOK {
		f.Errorf("DELETE %s: %d: %s", path, a.status, a.body)
	}
	for range 40 {
		a := f.send(f.reader, http.MethodGet, path+"/erasure", "")
		if a.status == http.StatusNotFound || strings.Contains(a.body, `"state":"done"`) {
			return
		}
		f.see()
		f.Pass(20 * time.Second)
		if _, err := f.reader.Tick(f.Context()); err != nil {
			f.Logf("tick: %v", err)
		}
	}
}

// doublesActs are some of now, each an entry by month.
func (f *forum) doublesActs(user string) (acts []activity.Activity) {
	for _, a := range f.activities(user, 1) {
		rule := f.rules.On(f.calendar.Date(a.At)).Find(a.Action)
		byMonth := a.Action == rule.Action && !a.Restores && !rule.Metric && // the others enter two months, joined one by one
			rule.Scope(a.Ref) == activity.PerMonth
		a.Other = ""
		if byMonth && !rule.TargetIsUser && !rule.ByOther && a.Target != "" &&
			f.calendar.Date(a.At) == f.calendar.Date(f.moment()) {
			acts = append(acts, a)
		}
	}
	return acts
}

// isDouble says whether a hash is that of a second account: an unfollow of its user enters an entry of it.
func (f *forum) isDouble(hash string) bool {
	for n := range f.doubles {
		if hash == fmt.Sprintf("%016x", f.hashOf(fmt.Sprint("double-", n+1))) {
			return true
		}
	}
	return false
}

// doubleDoes records activities of a user under the id of another one, and returns those that are kept.
func (f *forum) doubleDoes(double string, acts []activity.Activity) (kept []activity.Activity) {
	own := slices.Clone(acts)
	for i := range own {
		own[i].User = double
	}
	var got httpapi.Receipts
	a := f.send(f.reader, http.MethodPost, "/v1/activities", harness.ReportOf(f.T, own))
	if a.status != http.StatusOK {
		f.Fatalf("%s: %d %s", double, a.status, a.body)
	}
	harness.OK(f.T, json.Unmarshal([]byte(a.body), &got))
	for i, r := range got.Receipts {
		if ledger.Status(r.Status).Kept() {
			kept = append(kept, acts[i])
		}
	}
	return slices.Clip(kept)
}
