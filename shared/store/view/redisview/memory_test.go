package redisview_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/internal/viewtest"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// After any showings, in any order, the view in memory has the same answers as the one in Redis.
func TestMemoryAnswersAsRedisDoes(t *testing.T) {
	t.Parallel()
	redis := on(t, testserver.Redis(t), 1).View
	mem := viewtest.New(t, 1, func(o view.Options) view.View { return memory.New(o) })
	// A rank beside a unit whose script the server does not know yet takes another trip, and is 0: first both forms of
	// the script, for units that add places and for others, are made known.
	for _, places := range [][]ledger.Shown{{viewtest.Place(viewtest.Today, 1, 1)}, nil} {
		harness.Must(redis.ShowAll(t.Context(), 0, view.Showing{
			Units: []view.Unit{viewtest.Person(viewtest.Unit("ann", 1, 0, places...), 1, "A")},
			Ranks: []board.View{{Board: "activity", Period: viewtest.Today, User: "ann"}},
		}))(t)
	}
	rapid.Check(t, func(r *rapid.T) {
		redis.Fill()
		mem.Fill()
		stages := stages{
			closed: rapid.Int64Range(1, 5).Draw(r, "closed"),
			ended:  rapid.SampledFrom([]article.State{article.VotesFinal, article.Deleted}).Draw(r, "state"),
		}
		life := int64(0)
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			switch rapid.IntRange(0, 9).Draw(r, "kind") {
			case 0:
				life += rapid.Int64Range(-1, 2).Draw(r, "life")
				life = max(life, 0)
			case 1:
				final := finalised(r)
				if harness.Must(mem.Markers(t.Context()))(r)[0].Life > final.Number() {
					continue // Redis refuses it, and yet drops names of users who are on no board
				}
				both(r, redis, mem, func(v *viewtest.View) (any, error) { return nil, v.Sweep(t.Context(), final, life) })
				life = max(life, final.Number())
			case 2:
				both(r, redis, mem, func(v *viewtest.View) (any, error) {
					err := v.Clear(t.Context(), view.Articles, view.Marker{Table: "table-1", Fill: "one"})
					harness.OK(r, err)
					return v.Mark(t.Context(), view.Articles, view.Marker{Table: "table-1", Rules: "r", Beat: 2, Life: life}, "one")
				})
			default:
				units := showing(r, stages)
				both(r, redis, mem, func(v *viewtest.View) (any, error) { return v.ShowAll(t.Context(), life, units) })
			}
		}
		compareAnswers(r, redis, mem)
	})
}

func finalised(r *rapid.T) *board.Life {
	all := []board.Period{viewtest.Past, viewtest.Month, viewtest.Today}
	p := rapid.SampledFrom(all).Draw(r, "final")
	life, err := (*board.Life)(nil).Apply(p, board.EventClose, 1)
	if err == nil {
		life, err = life.Apply(p, board.EventMake, 1)
	}
	harness.OK(r, err)
	return life
}

// both asks both views, whose answers are to be equal, and so is whether they fail.
func both(r *rapid.T, redis, mem *viewtest.View, ask func(*viewtest.View) (any, error)) {
	r.Helper()
	want, wantErr := ask(redis)
	got, err := ask(mem)
	diff := cmp.Diff(want, got, cmpopts.EquateComparable(board.Period{}), cmpopts.EquateEmpty())
	if diff != "" || (err == nil) != (wantErr == nil) {
		r.Fatalf("-Redis +memory\n%s\n%v, %v", diff, wantErr, err)
	}
}

var users = []string{"ann", "bob", "-1", "zoë"}

// stages are the states of articles by revision: they change in one direction.
type stages struct {
	closed int64 // the first revision after voting
	ended  article.State
}

func (s stages) state(revision int64) article.State {
	if revision < s.closed {
		return article.Voting
	}
	return s.ended
}

// showing is of a few units of all kinds, each at any revisions.
func showing(r *rapid.T, stages stages) (units view.Showing) {
	low := rapid.Int64Range(0, 3)
	for _, user := range rapid.SliceOfNDistinct(rapid.SampledFrom(users), 0, 3, rapid.ID).Draw(r, "users") {
		places := []ledger.Shown{}
		for _, p := range []board.Period{viewtest.Today, viewtest.Today.Prev(), viewtest.Month, viewtest.Past} {
			if rapid.Bool().Draw(r, "on") {
				places = append(places, viewtest.Place(p, low.Draw(r, "score"), low.Draw(r, "ticks")))
			}
		}
		u := viewtest.Unit(user, low.Draw(r, "revision"), low.Draw(r, "was"), places...)
		if rapid.Bool().Draw(r, "october") {
			u.Months = append(u.Months, view.MonthUnit{
				MonthRevision: view.MonthRevision{Month: viewtest.October, Revision: low.Draw(r, "old")}, Was: low.Draw(r, "older"),
			})
		} else if rapid.Bool().Draw(r, "other") {
			u.Others = []view.MonthRevision{{Month: viewtest.October, Revision: low.Draw(r, "old")}}
		}
		u.Person, u.Whole = low.Draw(r, "person"), rapid.Bool().Draw(r, "whole")
		u.Months[0].Changed = !u.Whole && rapid.Bool().Draw(r, "changed")
		u.Name = rapid.SampledFrom([]string{"", "A", "B"}).Draw(r, "name")
		u.Suppressed = rapid.Bool().Draw(r, "suppressed")
		units.Units = append(units.Units, u)
	}
	ids := rapid.SampledFrom([]string{"a", "b", "c"})
	for _, id := range rapid.SliceOfNDistinct(ids, 0, 2, rapid.ID).Draw(r, "articles") {
		groups := rapid.SampledFrom([][]string{nil, {"g"}, {"g", "h"}}).Draw(r, "groups")
		u := viewtest.PageOf(id, 1+low.Draw(r, "revision"), groups...)
		u.State = stages.state(u.Revision)
		u.Unlisted, u.Withheld = rapid.Bool().Draw(r, "unlisted"), rapid.Bool().Draw(r, "withheld")
		if u.State == article.VotesFinal {
			u.Votes = low.Draw(r, "votes")
		}
		units.Articles = append(units.Articles, u)
	}
	for _, user := range rapid.SliceOfNDistinct(rapid.SampledFrom(users), 0, 2, rapid.ID).Draw(r, "voters") {
		voted := rapid.SliceOfNDistinct(ids, 0, 3, rapid.ID).Draw(r, "voted")
		units.Votes = append(units.Votes, viewtest.Votes(user, low.Draw(r, "revision"), voted...))
	}
	units.Ranks = []board.View{{Board: "activity", Period: viewtest.Today, User: "ann"}}
	return units
}

// compareAnswers compares all that two views answer.
func compareAnswers(r *rapid.T, redis, mem *viewtest.View) {
	ctx := mem.T.Context()
	months := []board.MonthOf{viewtest.October, viewtest.November}
	for _, p := range []board.Period{viewtest.Today, viewtest.Month, viewtest.Past} {
		v := board.View{Board: "activity", Period: p, Limit: 3, User: "ann", Around: 1, Users: users, Movement: true}
		both(r, redis, mem, func(store *viewtest.View) (any, error) {
			page, err := store.Read(ctx, v)
			shown := page.Users()
			for user := range page.Previous { // Redis also has the one before the neighbours
				if !slices.Contains(shown, user) {
					delete(page.Previous, user)
				}
			}
			return page, err
		})
		both(r, redis, mem, func(store *viewtest.View) (any, error) {
			asked := board.View{Board: "activity", Period: p, User: "ann", Limit: 9}
			page, err := store.Friends(ctx, asked, users, board.Pack(2, 1))
			page.Names = nil // a view may lack those of users who are not on the board
			return page, err
		})
		both(r, redis, mem, func(store *viewtest.View) (any, error) {
			var entries []board.Member
			for e, err := range store.Members(ctx, "activity", p) {
				harness.OK(r, err)
				entries = append(entries, e)
			}
			return entries, nil
		})
	}
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.Boards(ctx) })
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.PeriodsOf(ctx, "activity", board.Day) })
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.Markers(ctx) })
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.Groups(ctx) })
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.Articles(ctx, "a", "b", "c", "d") })
	both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.SeenArticles(ctx, "a", "b", "c", "d") })
	for _, user := range users {
		bucket := viewtest.Head.KeyOf(user).Bucket()
		both(r, redis, mem, func(store *viewtest.View) (any, error) {
			people, seen, err := store.Seen(ctx, months, bucket)
			return fmt.Sprint(people, seen), err
		})
		both(r, redis, mem, func(store *viewtest.View) (any, error) { return store.SeenVotes(ctx, months, bucket) })
		both(r, redis, mem, func(store *viewtest.View) (any, error) {
			return store.Users(ctx, []string{user}, [][]ledger.Shown{{viewtest.Place(viewtest.Month, 1, 1)}})
		})
	}
	for _, group := range []string{"", "g", "h"} {
		for _, sort := range []article.Sort{article.Hot, article.New} {
			both(r, redis, mem, func(store *viewtest.View) (any, error) {
				return store.List(ctx, article.View{Sort: sort, Group: group, Offset: 0, Limit: 2})
			})
		}
	}
}
