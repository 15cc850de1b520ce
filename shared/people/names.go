package people

import (
	"context"
	"maps"
	"slices"
	"time"

	"laurel/shared/board"
)

// patience is how long a board waits for names from the table.
const patience = 2 * time.Second

// Names returns the profiles of the users on some pages: for live boards from the
// copies that were read with them, for final ones from copies that it reads, and for
// missing copies from the table, which also fills the copies.
//
// It does not fail and waits at most patience. A board without some of its names is
// better than none: a store that is unavailable is logged, and those users appear with
// their ids only.
func (p *People) Names(ctx context.Context, pages ...board.Page) map[string]Profile {
	g := p.gather()
	var others []string
	for _, page := range pages {
		users := usersOf(page)
		if page.Profiles == nil { // a final one
			others = append(others, users...)
			continue
		}
		g.take(ctx, users, page.Profiles, page.Era)
	}
	g.read(ctx, others)
	g.complete(ctx)
	return g.names
}

// Of returns the profiles of some users, as Names does.
func (p *People) Of(ctx context.Context, users ...string) map[string]Profile {
	g := p.gather()
	g.read(ctx, users)
	g.complete(ctx)
	return g.names
}

// usersOf returns the users on a page, without erased ones.
func usersOf(page board.Page) []string {
	var users []string
	for _, p := range slices.Concat(page.Places, page.Neighbours) {
		if !p.Erased() {
			users = append(users, p.User)
		}
	}
	return users
}

// A gathering is profiles being gathered.
type gathering struct {
	*People
	names   map[string]Profile
	missing map[string]map[string]bool // users whose copies are not there, by era
	unread  []string                   // users whose copies could not be read
}

func (p *People) gather() *gathering {
	return &gathering{People: p, names: map[string]Profile{}, missing: map[string]map[string]bool{}}
}

// take adds the copies of some users that were read in an era.
func (g *gathering) take(ctx context.Context, users []string, texts map[string]string, era string) {
	copies := g.parse(ctx, texts)
	for _, user := range users {
		c, known := copies[user]
		switch {
		case known && !c.None():
			g.names[user] = c.Profile
		case !known:
			if g.missing[era] == nil {
				g.missing[era] = map[string]bool{}
			}
			g.missing[era][user] = true
		}
	}
}

// read reads the copies of some users in one round trip.
func (g *gathering) read(ctx context.Context, users []string) {
	if len(users) == 0 {
		return
	}
	users = slices.Compact(slices.Sorted(slices.Values(users)))
	texts, era, err := g.Copies.Profiles(ctx, users)
	if err != nil {
		g.Log.WarnContext(ctx, "reading copies of profiles failed", "users", len(users), "error", err.Error())
		g.unread = users
		return
	}
	g.take(ctx, users, texts, era)
}

// complete reads missing profiles from the table, and fills their copies in the era in
// which each was missing.
func (g *gathering) complete(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for era, users := range g.missing {
		copies := g.ask(bounded, slices.Sorted(maps.Keys(users)))
		g.fill(ctx, era, copies)
	}
	g.ask(bounded, g.unread)
}

// ask reads profiles from the table.
func (g *gathering) ask(ctx context.Context, users []string) map[string]Copy {
	if len(users) == 0 {
		return nil
	}
	copies, err := g.Table.Get(ctx, users...)
	if err != nil {
		g.Log.WarnContext(ctx, "answered without some names", "users", len(users), "error", err.Error())
	}
	for user, c := range copies {
		if !c.None() {
			g.names[user] = c.Profile
		}
	}
	return copies
}
