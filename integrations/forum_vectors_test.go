//go:build forums

package integrations_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// lines are those of a forum's script, by the act: of USER with the name NAME in the vector, on the topic TARGET, and
// the reply REF to it.
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
	linesOfWordPress = map[string]string{
		"user": `USER = user "NAME"`, "topic": `TARGET = post $author "A title"`,
		"comment":   `REF = comment $USER $TARGET 0 "REF"`,
		"uncomment": `moderate $REF "trash"`, "restore": `moderate $REF "approved"`,
	}
)

// acted returns a script by which members act as a vector says, and have its points on the board of the month then.
func acted(t *testing.T, name string, own map[string]string) (file string) {
	t.Helper()
	v, acts := actsOf(t, name)
	all := maps.Clone(lines)
	maps.Copy(all, own)
	points, text := map[string]int64{}, &strings.Builder{}
	line := func(kind string, a vectorAct) {
		user, target := strings.TrimPrefix(a.User, name+"."), strings.TrimPrefix(a.Target, name+".")
		in := strings.NewReplacer("USER", user, "NAME", a.User, "TARGET", target, "REF", a.Ref+"of"+user)
		fmt.Fprintln(text, in.Replace(all[kind]))
	}
	line("user", vectorAct{User: name + ".author"})
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
		line(a.kind(), a)
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

// So have those of WordPress, which has no likes.
func TestWordPressActsVectorsOut(t *testing.T) {
	t.Parallel()
	f := openWordPress(t)
	f.admin()
	for _, name := range without(t, "like", actedOut) {
		f.play(acted(t, name, linesOfWordPress), f.does)
	}
}
