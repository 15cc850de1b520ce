package people

import (
	"context"
	"maps"
	"slices"
	"time"

	"laurel/shared/board"
)

// patience is how long a board waits for the table to say names.
const patience = 2 * time.Second

// Names returns what the users on some pages are called, whoever has a profile: of
// live boards by the copies that came with them, of final ones by copies that are
// read now, and in both cases what is missing by the table, from which the copies
// are filled.
//
// It does not fail, and does not wait long. A board without some of its names is
// better than none: what is away is logged, and those users appear with their ids
// alone.
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

// Of returns what some users are called, as Names does.
func (p *People) Of(ctx context.Context, users ...string) map[string]Profile {
	g := p.gather()
	g.read(ctx, users)
	g.complete(ctx)
	return g.names
}

// usersOf are those a page shows; who was erased is none.
func usersOf(page board.Page) []string {
	var users []string
	for _, p := range slices.Concat(page.Places, page.Neighbours) {
		if !p.Erased() {
			users = append(users, p.User)
		}
	}
	return users
}

// gathering is names being gathered.
type gathering struct {
	*People
	names   map[string]Profile
	missing map[string]map[string]bool // users whose copies are not there, by era
	away    []string                   // users whose copies could not be asked for
}

func (p *People) gather() *gathering {
	return &gathering{People: p, names: map[string]Profile{}, missing: map[string]map[string]bool{}}
}

// take takes in the copies that were read of some users in an era.
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
		g.Log.WarnContext(ctx, "copies of profiles are away", "users", len(users), "error", err.Error())
		g.away = users
		return
	}
	g.take(ctx, users, texts, era)
}

// complete reads from the table what is missing, and fills the copies in the era in
// which each was missed.
func (g *gathering) complete(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for era, users := range g.missing {
		copies := g.ask(bounded, slices.Sorted(maps.Keys(users)))
		g.fill(ctx, era, copies)
	}
	g.ask(bounded, g.away)
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
