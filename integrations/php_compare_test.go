//go:build forums

package integrations_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A comparing is a forum whose page of settings says whether boards equal its tables.
type comparing struct {
	*forum
	ann, bob, eve, kim         int
	topic, other, gone, closed int
	inGone                     int // a reply
	replies                    []int
}

// What the extension was not told, or Laurel has too much, is on the page of settings.
func TestForumsSayWhetherBoardsEqualTheirTables(t *testing.T) {
	t.Parallel()
	each(t, func(f *forum) { (&comparing{forum: f}).testComparison() })
}

// aWhile returns a moment that is over for so long that nothing of it can be on its way: if possible noon.
func aWhile() time.Time {
	now := time.Now().UTC()
	if now.Day() < 3 {
		return now.Add(-700 * time.Second).Truncate(time.Second)
	}
	return now.Truncate(24 * time.Hour).Add(-12 * time.Hour)
}

// testComparison plants errors, and holds what the page says against them: each is there, and nothing else.
func (c *comparing) testComparison() {
	c.Helper()
	at := aWhile()
	for _, s := range c.kind.settings(int(at.Unix()) - 5*86400) {
		c.do("set", s[0], s[1])
	}
	c.write(at)
	c.same("writing")
	c.saysOf(c.page(c.nothing), "Equal to your tables at ") // an hour was over
	c.saysOf(c.page(c.comparison), "Equal to your tables at ")

	topic := fmt.Sprint("t", c.topic)
	c.report(c.ann, topic, "comment", `"ref":"p999",`, at)
	c.report(c.bob, topic, "uncomment", fmt.Sprintf(`"ref":"p%d",`, c.replies[1]), at.Add(time.Minute))
	c.send()
	want := c.plant(at)
	said := c.page(c.comparison)
	c.saysOf(said, "Compared with your tables at ", "; members who differ: 4.")
	c.saysOf(said, "ann: 10 points by your tables, 18 in Laurel")
	var got []string
	for line := range strings.SplitSeq(said, "\n") {
		if _, what, found := strings.Cut(line, "» "); found {
			got = append(got, what)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		c.Errorf("(-planted +found):\n%s", diff)
	}
	c.change("many", at.Unix())
	c.saysOf(c.page(c.comparison), "; members who differ: 64.") // by more than a request has room for
	c.change("no likes")
	if said = c.page(c.comparison); !strings.Contains(said, "Likes are not compared") || strings.Contains(said, "like p") {
		c.Errorf("without the extension for likes the page says %s", said)
	}
	c.network.Set(Trouble{}, func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	c.saysOf(c.page(c.comparison), "Not compared with your tables at ", "Laurel answers with an error")
}

// write has members write what is right.
func (c *comparing) write(at time.Time) {
	then := with{"at": at.Unix()}
	c.ann, c.bob, c.eve, c.kim = c.do("user", "ann"), c.do("user", "bob"), c.do("user", "eve"), c.do("user", "kim")
	c.topic, _ = c.begin(c.ann, "A topic", then)
	c.other, _ = c.begin(c.bob, "Another", then)
	c.gone, _ = c.begin(c.bob, "To be hidden", then)
	c.closed, _ = c.begin(c.bob, "To be closed", then)
	for range 7 {
		c.replies = append(c.replies, c.do("reply", c.bob, c.topic, then))
	}
	c.inGone = c.do("reply", c.ann, c.gone, then)
	c.change("like", c.replies[0], c.ann, at.Unix())
	c.report(c.ann, fmt.Sprint("p", c.replies[0]), "like", "", at)
}

// report reports something in place of the plugin. more is another part of it.
func (c *comparing) report(user int, target, action, more string, at time.Time) {
	c.do("do", fmt.Sprintf(`INSERT INTO laurel_queue (made, body) VALUES (strftime('%%s', 'now'),
		'{"activities":[{"user":"%d","target":"%s","action":"%s",%s"at":"%s"}]}')`,
		user, target, action, more, at.Format(time.RFC3339)))
}

// plant has the forum change without a word to its plugin, and returns what differs then, reports of ours included.
func (c *comparing) plant(at time.Time) []string {
	here, there := ": in "+c.name+", not in Laurel", ": in Laurel, not in "+c.name
	day, before := at.Format(time.DateOnly), at.AddDate(0, 0, -1).Format(time.DateOnly)
	reply := func(topic, post int) string { return fmt.Sprintf("comment t%d p%d", topic, post) }
	redated := reply(c.topic, c.replies[2]) + " " + before + ": on another day in Laurel, as what is approved " +
		"after two days"
	if at.Day() == 1 {
		redated = reply(c.topic, c.replies[2]) + there
	}
	want := []string{
		reply(c.topic, 999) + there,
		reply(c.topic, c.replies[1]) + " " + day + ": in " + c.name + ", taken back in Laurel",
		redated,
		reply(c.topic, 800) + " " + day + here,
		"publish t900 " + day + here,
		reply(c.topic, c.replies[0]) + there,
		reply(c.topic, c.replies[3]) + there, reply(c.other, c.replies[3]) + " " + day + here,
		reply(c.topic, c.replies[4]) + there, reply(c.topic, c.replies[4]) + " " + day + here,
		fmt.Sprintf("publish t%d", c.gone) + there, reply(c.gone, c.inGone) + there,
		fmt.Sprintf("publish t%d", c.closed) + there,
		fmt.Sprintf("like p%d", c.replies[0]) + there, fmt.Sprintf("like p%d ", c.replies[6]) + day + here,
	}
	for what, ids := range map[string][]any{
		"reply": {c.topic, c.eve, at.Unix()}, "begin": {c.kim, at.Unix()}, "hide": {c.replies[0]}, "redate": {c.replies[2]},
		"move": {c.replies[3], c.other}, "author": {c.replies[4], c.eve}, "hide topic": {c.gone}, "close topic": {c.closed},
	} {
		c.change(what, ids...)
	}
	c.change("unlike")
	c.change("like", c.replies[6], c.eve, at.Unix())
	return want
}

// change has the forum change without a word to its plugin.
func (c *comparing) change(what string, ids ...any) {
	for statement := range strings.SplitSeq(fmt.Sprintf(c.silently[what], ids...), ";") {
		c.do("do", statement)
	}
}

// saysOf fails if a page lacks a text.
func (c *comparing) saysOf(page string, parts ...string) {
	c.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			c.Errorf("the page says %s\nwant %s", page, part)
		}
	}
}
