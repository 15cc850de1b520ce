package people

import (
	"context"
	"maps"
	"slices"
	"time"
)

// patience is how long a board waits for names from the table.
const patience = 2 * time.Second

// Names returns the profiles of some users: from the copies of profiles that were read
// with them in a generation, or, when copies is nil, from those that it reads; and for
// missing copies from the table, which also fills the copies.
//
// It does not fail and waits at most patience. A board without some of its names is
// better than none: a store that is unavailable is logged, and those users appear with
// their ids only.
func (p *People) Names(
	ctx context.Context, users []string, copies map[string]string, generation string,
) map[string]Profile {
	g := p.gather(len(users))
	if copies == nil {
		g.read(ctx, users)
	} else {
		g.take(ctx, users, copies, generation)
	}
	g.complete(ctx)
	return g.names
}

// Of returns the profiles of some users, as Names does.
func (p *People) Of(ctx context.Context, users ...string) map[string]Profile {
	return p.Names(ctx, users, nil, "")
}

// A gathering is profiles being gathered.
type gathering struct {
	*People
	names   map[string]Profile
	missing map[string]map[string]bool // users whose copies are not there, by generation
	unread  []string                   // users whose copies could not be read
}

func (p *People) gather(users int) *gathering {
	return &gathering{People: p, names: make(map[string]Profile, users)}
}

// take adds the copies of some users that were read in a generation.
func (g *gathering) take(ctx context.Context, users []string, texts map[string]string, generation string) {
	for _, user := range users {
		if _, twice := g.names[user]; twice {
			continue
		}
		text, there := texts[user]
		c, valid := Copy{}, false
		if there {
			c, valid = g.parseCopy(ctx, text)
		}
		if !valid {
			g.miss(user, generation)
		} else if !c.None() {
			g.names[user] = c.Profile
		}
	}
}

// miss notes that the copy of a user is not there in a generation.
func (g *gathering) miss(user, generation string) {
	if g.missing == nil {
		g.missing = map[string]map[string]bool{}
	}
	if g.missing[generation] == nil {
		g.missing[generation] = map[string]bool{}
	}
	g.missing[generation][user] = true
}

// read reads the copies of some users in one round trip.
func (g *gathering) read(ctx context.Context, users []string) {
	if len(users) == 0 {
		return
	}
	users = slices.Compact(slices.Sorted(slices.Values(users)))
	texts, generation, err := g.Copies.Profiles(ctx, users)
	if err != nil {
		g.Log.WarnContext(ctx, "reading copies of profiles failed", "users", len(users), "error", err.Error())
		g.unread = users
		return
	}
	g.take(ctx, users, texts, generation)
}

// complete reads missing profiles from the table, and fills their copies in the generation
// in which each was missing.
func (g *gathering) complete(ctx context.Context) {
	if len(g.missing)+len(g.unread) == 0 {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for generation, users := range g.missing {
		copies := g.ask(bounded, slices.Sorted(maps.Keys(users)))
		g.fill(ctx, generation, copies)
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
