package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// A tables is what a forum's database has of a history; gone is what was deleted or taken back.
type tables struct {
	posts  []post
	likes  map[[2]int]deed   // by post and member
	visits map[[2]int]deed   // by member and day
	read   map[[2]int][2]int // minutes and posts, by member and day
	solved map[int]deed      // the answer to a topic, by topic
	sent   []activity.Activity
}

type post struct {
	author, topic int // the topic's number; its own for the first post of one
	gone          bool
}

type deed struct {
	by, to, day int // who did it, to whose post
	gone        bool
}

const (
	membersOfPeers = 7
	daysOfPeers    = 2
)

// report reports something of a member on a day, the later the higher order is.
func (h *tables) report(member, day, order int, action, target, ref string, value ...int) {
	start := time.Date(2026, time.November, 19+day, 0, 0, 0, 0, time.UTC)
	a := activity.Activity{User: fmt.Sprint("m", member), Action: action, Target: target, Ref: ref}
	a.At = board.MomentOf(start.Add(time.Duration(order) * time.Millisecond))
	for _, v := range value {
		a.Value = new(int64(v))
	}
	h.sent = append(h.sent, a)
}

// target is what a like of a post is of.
func (h *tables) target(n int) string {
	if h.posts[n].topic == n {
		return fmt.Sprint("t", n)
	}
	return fmt.Sprint("p", n)
}

// newTables makes up what members did on two days: topics, replies, likes, answers that solve a topic, visits.
func newTables(rng *rand.Rand) *tables {
	h := &tables{likes: map[[2]int]deed{}, visits: map[[2]int]deed{}, read: map[[2]int][2]int{}, solved: map[int]deed{}}
	for order := range 1500 {
		who, day := rng.IntN(membersOfPeers), order*daysOfPeers/1500
		n := 0
		if len(h.posts) > 0 {
			n = rng.IntN(len(h.posts))
		}
		switch kind := rng.IntN(20); {
		case kind == 0 || len(h.posts) == 0:
			h.posts = append(h.posts, post{author: who, topic: len(h.posts)})
			h.report(who, day, order, "publish", h.target(len(h.posts)-1), "")
		case kind <= 2:
			h.posts = append(h.posts, post{author: who, topic: h.posts[n].topic})
			h.reply(who, day, order, "comment", len(h.posts)-1)
		case kind == 3 && len(h.posts)%4 == 0:
			h.remove(n, day, order)
		case kind == 4:
			h.visits[[2]int{who, day}] = deed{by: who}
			h.report(who, day, order, "visit", fmt.Sprint("page", n), "")
		case kind == 5:
			r := [2]int{h.read[[2]int{who, day}][0] + rng.IntN(90), h.read[[2]int{who, day}][1] + rng.IntN(150)}
			h.read[[2]int{who, day}] = r
			h.report(who, day, order, "hours_read", "", "", r[0]/60)
			h.report(who, day, order, "hundreds_read", "", "", r[1]/100)
		case kind == 6:
			h.solve(n, day, order)
		case !h.posts[n].gone && h.posts[n].author != who:
			h.like(n, who, day, order, rng.IntN(4) == 0)
		}
	}
	return h
}

func (h *tables) reply(who, day, order int, action string, n int) {
	h.report(who, day, order, action, fmt.Sprint("t", h.posts[n].topic), fmt.Sprint("p", n))
}

// remove deletes a reply that nobody liked and that solves nothing.
func (h *tables) remove(n, day, order int) {
	p := &h.posts[n]
	for key := range h.likes {
		if key[0] == n {
			return
		}
	}
	if d := h.solved[p.topic]; p.topic == n || p.gone || d.to == n {
		return
	}
	p.gone = true
	h.reply(p.author, day, order, "uncomment", n)
}

// like likes a post, or takes that back.
func (h *tables) like(n, who, day, order int, back bool) {
	key, target, received := [2]int{n, who}, h.target(n), h.target(n)+"/"+fmt.Sprint("m", who)
	was, liked := h.likes[key]
	switch {
	case !liked && !back:
		h.likes[key] = deed{by: who, to: h.posts[n].author, day: day}
		h.report(who, day, order, "like", target, "")
		h.report(h.posts[n].author, day, order, "liked", received, "")
	case liked && back && !was.gone:
		was.gone = true
		h.likes[key] = was
		h.report(who, day, order, "unlike", target, "")
		h.report(h.posts[n].author, day, order, "unliked", received, "")
	}
}

// solve has a reply solve the topic of somebody else, once.
func (h *tables) solve(n, day, order int) {
	p := h.posts[n]
	asker := h.posts[p.topic].author
	if _, done := h.solved[p.topic]; done || p.topic == n || p.gone || p.author == asker {
		return
	}
	h.solved[p.topic] = deed{by: asker, to: n, day: day}
	h.report(p.author, day, order, "solved", fmt.Sprint("t", p.topic), "")
	h.report(asker, day, order, "accepted", fmt.Sprint("t", p.topic), "")
}

// discourse counts as the scorables of discourse-gamification do at commit 178cb22, by their SQL and the defaults of
// config/settings.yml.
func (h *tables) discourse() map[int]int {
	points := map[int]int{}
	for n, p := range h.posts {
		switch {
		case p.gone:
		case p.topic == n:
			points[p.author] += 5
		default:
			points[p.author] += 2
		}
	}
	for _, l := range h.likes {
		if !l.gone {
			points[l.by]++
			points[l.to]++
		}
	}
	for _, v := range h.visits {
		points[v.by]++
	}
	for key, r := range h.read {
		points[key[0]] += r[0]/60 + r[1]/100
	}
	for _, s := range h.solved {
		points[h.posts[s.to].author] += 10
	}
	return points
}

// fof counts as Vote::updateUserVotes of fof/gamification does at commit 08e8ebb: the votes for a user's posts.
func (h *tables) fof() map[int]int {
	points := map[int]int{}
	for _, l := range h.likes {
		if !l.gone {
			points[l.to]++
		}
	}
	return points
}

// stackExchange counts reputation as the help page "What is reputation?" says: 10 for a vote for a post, 15 for
// an accepted answer, 2 for accepting one, and at most 200 a day from votes.
func (h *tables) stackExchange() map[int]int {
	points, votes := map[int]int{}, map[[2]int]int{}
	for _, l := range h.likes {
		if !l.gone {
			votes[[2]int{l.to, l.day}]++
		}
	}
	for key, n := range votes {
		points[key[0]] += min(200, 10*n)
	}
	for _, s := range h.solved {
		points[h.posts[s.to].author] += 15
		points[s.by] += 2
	}
	return points
}

// With the rules that are made like a peer's, a forum's board is what the peer's own formula says.
func TestRulesLikePeersGiveWhatPeersGive(t *testing.T) {
	t.Parallel()
	for name, formula := range map[string]func(*tables) map[int]int{
		"like-discourse": (*tables).discourse, "like-fof": (*tables).fof, "like-stack-exchange": (*tables).stackExchange,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile("../../rules/" + name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			rules, err := activity.ParseRules(source)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				rng := rand.New(rand.NewPCG(seed, 9))
				history := newTables(rng)
				rng.Shuffle(len(history.sent), func(i, j int) {
					history.sent[i], history.sent[j] = history.sent[j], history.sent[i]
				})
				s := newAccounts(ledger.New(rules, board.NewCalendar(time.UTC)))
				known := slices.DeleteFunc(history.sent, func(a activity.Activity) bool { // as a forum's adapter does
					return rules.On(s.ledger.Calendar().Date(a.At)).Find(a.Action) == nil
				})
				s.record(t, known, ledger.Arrival{Now: board.Latest, AnyAge: true})
				want, got := map[string]int64{}, map[string]int64{}
				for member, points := range formula(history) {
					if points > 0 {
						want[fmt.Sprint("m", member)] = int64(points)
					}
				}
				for member, packed := range s.boards["activity"][board.PeriodOf(board.Month, board.DateOf(2026, 11, 20))] {
					got[member] = packed.Score()
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("seed %d (-%s +Laurel):\n%s", seed, name, diff)
				}
			}
		})
	}
}
