package people

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
)

// ErrBusy is wrapped when copies could not be set for all the erasures that came
// between. The profiles are written; doing it again is safe.
var ErrBusy = errors.New("people: too many erasures at once")

// attempts is how often copies are tried to be set. Each failure is an erasure in
// the same shard within a few milliseconds.
const attempts = 10

// A Table has the truth; archive.Profiles is one.
type Table interface {
	// Get reads profiles; who has none has a copy that says so. What cannot be read
	// is an error, and the others are there.
	Get(ctx context.Context, users ...string) (map[string]Copy, error)
	// Put writes profiles, and returns the copies of what is there then.
	Put(ctx context.Context, profiles map[string]Profile) (map[string]Copy, error)
	// Delete removes a profile, and says whether there was one.
	Delete(ctx context.Context, user string) (bool, error)
}

// Copies has the copies; a live.Store is one.
type Copies interface {
	// Profiles reads the copies that are there, and the era that it takes to set
	// others.
	Profiles(ctx context.Context, users []string) (copies map[string]string, era string, err error)
	// SetProfiles sets copies where older ones are, or none; it says false in another
	// era.
	SetProfiles(ctx context.Context, era string, copies map[string]string) (bool, error)
	// DropProfiles drops copies and ends the era.
	DropProfiles(ctx context.Context, users ...string) error
}

// People are the users of a forum by name. They are safe for concurrent use.
type People struct {
	Table    Table
	Copies   Copies
	Articles Authors      // the copies of authors; nil: there are no articles
	Log      *slog.Logger // of what a board was answered without
}

// Get returns a user's profile, from the copy if there is one. Nothing is filled for
// who has none, so that nobody fills Redis by asking for ids that are made up.
func (p *People) Get(ctx context.Context, user string) (found Profile, ok bool, err error) {
	texts, era, err := p.Copies.Profiles(ctx, []string{user})
	if err != nil {
		return Profile{}, false, err
	}
	if c, known := p.parse(ctx, texts)[user]; known {
		return c.Profile, !c.None(), nil
	}
	copies, err := p.Table.Get(ctx, user)
	if err != nil {
		return Profile{}, false, err
	}
	c := copies[user]
	if !c.None() {
		p.fill(ctx, era, copies)
	}
	return c.Profile, !c.None(), nil
}

// Put writes profiles, each whole, into the table and then their copies. It may be
// done again, and is to be after an error: until then a copy may be the older one.
func (p *People) Put(ctx context.Context, profiles map[string]Profile) error {
	users := slices.Sorted(maps.Keys(profiles))
	_, era, err := p.Copies.Profiles(ctx, nil)
	if err != nil {
		return err // before anything is written
	}
	copies, err := p.Table.Put(ctx, profiles)
	errs := []error{err} // those that were written get their copies all the same
	for range attempts {
		done, err := p.Copies.SetProfiles(ctx, era, textsOf(copies))
		if err == nil && done {
			err = p.refresh(ctx, copies)
		}
		if done || err != nil {
			return errors.Join(append(errs, err)...)
		}
		// Somebody was erased: it may be one of these, so they are read again.
		if _, era, err = p.Copies.Profiles(ctx, nil); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if copies, err = p.Table.Get(ctx, users...); err != nil {
			return errors.Join(append(errs, err)...)
		}
		maps.DeleteFunc(copies, func(_ string, c Copy) bool { return c.None() })
	}
	return errors.Join(append(errs, fmt.Errorf("%w: %d profiles", ErrBusy, len(profiles)))...)
}

// refresh sets the copies of those who are authors of articles.
func (p *People) refresh(ctx context.Context, copies map[string]Copy) error {
	if p.Articles == nil || len(copies) == 0 {
		return nil
	}
	return p.Articles.RefreshAuthors(ctx, textsOf(copies))
}

// Erase removes a user's profile and its copy, and says whether there was one. After
// it nobody who has read the profile before fills it again. It may be done again.
func (p *People) Erase(ctx context.Context, user string) (bool, error) {
	was, err := p.Table.Delete(ctx, user)
	if err != nil {
		return false, err
	}
	return was, p.Copies.DropProfiles(ctx, user)
}

// fill sets copies that were missing, also of who has no profile, so that the table
// is not asked again. Another era refuses them, and who needs them next tries anew.
func (p *People) fill(ctx context.Context, era string, copies map[string]Copy) {
	if len(copies) == 0 {
		return
	}
	if _, err := p.Copies.SetProfiles(ctx, era, textsOf(copies)); err != nil {
		p.Log.WarnContext(ctx, "copies of profiles are not filled", "users", len(copies), "error", err.Error())
	}
}

// parse reads copies; what is none is missing.
func (p *People) parse(ctx context.Context, texts map[string]string) map[string]Copy {
	copies := make(map[string]Copy, len(texts))
	for user, text := range texts {
		c, err := ParseCopy(text)
		if err != nil {
			p.Log.WarnContext(ctx, "a copy of a profile is damaged", "error", err.Error())
			continue
		}
		copies[user] = c
	}
	return copies
}

func textsOf(copies map[string]Copy) map[string]string {
	texts := make(map[string]string, len(copies))
	for user, c := range copies {
		texts[user] = c.String()
	}
	return texts
}
