//go:build forums

package integrations_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/run/vectors"
)

// actedOut are the vectors that members of a forum can act out, now, on topics of another member. A plugin reports
// acts as they happen: none out of order, from far ahead, of another day, or older than it keeps.
var actedOut = []string{"undo", "undo-again", "undo-by-ref", "restore", "restore-by-ref", "ties-of-many"}

// lines are those of a forum's script, by the act: of USER on the topic TARGET, and the reply REF to it.
var (
	lines = map[string]string{
		"user": `USER = user "USER"`, "topic": `TARGET TARGETfirst = start $author "A title"`,
		"like": "like $USER $TARGETfirst", "unlike": "unlike $USER $TARGETfirst", "comment": "REF = reply $USER $TARGET",
	}
	linesOfFlarum = map[string]string{"uncomment": "hide_post $REF", "restore": "restore_post $REF"}
	linesOfPhpBB  = map[string]string{"uncomment": "show_post $REF 2", "restore": "show_post $REF 1"}
	linesOfNodeBB = map[string]string{
		"user": `USER = register "USER"`, "topic": `TARGET TARGETfirst = topic $author "A title"`,
		"like": "upvote $USER $TARGETfirst", "unlike": "unvote $USER $TARGETfirst",
		"uncomment": "deletePost $REF", "restore": "restorePost $REF",
	}
)

// acted returns a script by which members act as a vector says, and have its points on the board of the month then.
func acted(t *testing.T, name string, own map[string]string) (file string) {
	t.Helper()
	v := harness.Must(vectors.Read("../vectors/" + name + ".json"))(t)
	all := maps.Clone(lines)
	maps.Copy(all, own)
	type act struct {
		User     string    `json:"user"`
		Action   string    `json:"action"`
		Target   string    `json:"target"`
		Ref      string    `json:"ref"`
		At       time.Time `json:"at"`
		Restores bool      `json:"restores"`
	}
	var acts []act
	for _, step := range v.Steps {
		var body struct {
			Activities []act `json:"activities"`
		}
		harness.OK(t, json.Unmarshal(step.Body, &body))
		acts = append(acts, body.Activities...)
	}
	slices.SortStableFunc(acts, func(a, b act) int { return a.At.Compare(b.At) })
	points, text := map[string]int64{}, &strings.Builder{}
	line := func(kind string, a act) {
		user, target := strings.TrimPrefix(a.User, name+"."), strings.TrimPrefix(a.Target, name+".")
		fmt.Fprintln(text, strings.NewReplacer("USER", user, "TARGET", target, "REF", a.Ref+"of"+user).Replace(all[kind]))
	}
	line("user", act{User: "author"})
	topics := map[string]bool{}
	for _, a := range acts {
		if _, known := points[a.User]; !known {
			points[a.User] = 0
			line("user", a)
		}
		if a.Target != "" && !topics[a.Target] {
			topics[a.Target] = true
			line("topic", a)
		}
		kind := a.Action
		if a.Restores {
			kind = "restore"
		}
		line(kind, a)
	}
	fmt.Fprintln(text, "same", name)
	for _, b := range v.Boards {
		for _, e := range b.Entries {
			if b.Window == "month" {
				points[e.User] = e.Score
			}
		}
	}
	for user, score := range points {
		fmt.Fprintf(text, "points $%s %d\n", strings.TrimPrefix(user, name+"."), score)
	}
	file = filepath.Join(t.TempDir(), name+".txt")
	harness.OK(t, os.WriteFile(file, []byte(text.String()), 0o600))
	return file
}

// Members have the points of a vector when they have done its acts.
func TestForumsActVectorsOut(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) {
		own := map[string]map[string]string{"Flarum": linesOfFlarum, "phpBB": linesOfPhpBB}[f.name]
		for _, name := range actedOut {
			f.plays(acted(f.T, name, own))
		}
		f.clean()
	})
}

// So have those of NodeBB.
func TestNodeBBActsVectorsOut(t *testing.T) {
	t.Parallel()
	f := openNodeBB(t)
	for _, name := range actedOut {
		f.play(acted(t, name, linesOfNodeBB), f.does)
	}
}
