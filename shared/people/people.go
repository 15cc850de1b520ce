package people

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
)

// ErrBusy is wrapped if copies could not be set because of concurrent erasures. The
// profiles are written; Put can be repeated.
var ErrBusy = errors.New("people: too many erasures at once")

// attempts is how often setting copies is tried. Each failure is an erasure in the same
// shard within a few milliseconds.
const attempts = 10

// A Table stores profiles; archive.Profiles is one.
type Table interface {
	// Get reads profiles; a user without one has a copy of version 0. If some cannot be
	// read, it returns the others with the error.
	Get(ctx context.Context, users ...string) (map[string]Copy, error)
	// Put writes profiles and returns their copies.
	Put(ctx context.Context, profiles map[string]Profile) (map[string]Copy, error)
	// Delete removes a profile and reports whether there was one.
	Delete(ctx context.Context, user string) (bool, error)
}

// Copies has the copies; a live.Store is one.
type Copies interface {
	// Profiles reads the copies that are there, and the generation that it takes to set
	// others.
	Profiles(ctx context.Context, users []string) (copies map[string]string, generation string, err error)
	// SetProfiles sets copies where older ones are, or none; it says false in another
	// generation.
	SetProfiles(ctx context.Context, generation string, copies map[string]string) (bool, error)
	// DropProfiles drops copies and ends the generation.
	DropProfiles(ctx context.Context, users ...string) error
}

// People reads and writes profiles and their copies. It is safe for concurrent use.
type People struct {
	Table    Table
	Copies   Copies
	Articles Authors      // the copies of authors; nil without articles
	Log      *slog.Logger // of names that are missing in an answer
}

// Get returns a user's profile, from the copy if there is one. It fills no copy for a
// user without a profile, so that requests for invented ids do not fill Redis.
func (p *People) Get(ctx context.Context, user string) (found Profile, ok bool, err error) {
	texts, generation, err := p.Copies.Profiles(ctx, []string{user})
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
		p.fill(ctx, generation, copies)
	}
	return c.Profile, !c.None(), nil
}

// Put writes whole profiles into the table and then their copies. Repeat it after an
// error: until then a copy may be an older one.
func (p *People) Put(ctx context.Context, profiles map[string]Profile) error {
	users := slices.Sorted(maps.Keys(profiles))
	_, generation, err := p.Copies.Profiles(ctx, nil)
	if err != nil {
		return err // nothing is written yet
	}
	copies, err := p.Table.Put(ctx, profiles)
	errs := []error{err} // profiles that were written get their copies even so
	for range attempts {
		done, err := p.Copies.SetProfiles(ctx, generation, textsOf(copies))
		if err == nil && done {
			err = p.refresh(ctx, copies)
		}
		if done || err != nil {
			return errors.Join(append(errs, err)...)
		}
		// A user was erased, maybe one of these: read them again.
		if _, generation, err = p.Copies.Profiles(ctx, nil); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if copies, err = p.Table.Get(ctx, users...); err != nil {
			return errors.Join(append(errs, err)...)
		}
		maps.DeleteFunc(copies, func(_ string, c Copy) bool { return c.None() })
	}
	return errors.Join(append(errs, fmt.Errorf("%w: %d profiles", ErrBusy, len(profiles)))...)
}

// refresh sets the copies of users who are authors of articles.
func (p *People) refresh(ctx context.Context, copies map[string]Copy) error {
	if p.Articles == nil || len(copies) == 0 {
		return nil
	}
	return p.Articles.RefreshAuthors(ctx, textsOf(copies))
}

// Erase removes a user's profile and its copy, and reports whether there was one. A
// reader who read the profile before cannot fill the copy again. It can be repeated.
func (p *People) Erase(ctx context.Context, user string) (bool, error) {
	was, err := p.Table.Delete(ctx, user)
	if err != nil {
		return false, err
	}
	return was, p.Copies.DropProfiles(ctx, user)
}

// fill sets missing copies, also of users without a profile, so that the table is not
// read again. In another generation they are refused, and the next reader fills them.
func (p *People) fill(ctx context.Context, generation string, copies map[string]Copy) {
	if len(copies) == 0 {
		return
	}
	if _, err := p.Copies.SetProfiles(ctx, generation, textsOf(copies)); err != nil {
		p.Log.WarnContext(ctx, "filling copies of profiles failed", "users", len(copies), "error", err.Error())
	}
}

// parse reads copies; an invalid one counts as missing.
func (p *People) parse(ctx context.Context, texts map[string]string) map[string]Copy {
	copies := make(map[string]Copy, len(texts))
	for user, text := range texts {
		if c, valid := p.parseCopy(ctx, text); valid {
			copies[user] = c
		}
	}
	return copies
}

// parseCopy reads a copy; it logs that one is invalid.
func (p *People) parseCopy(ctx context.Context, text string) (c Copy, valid bool) {
	c, err := ParseCopy(text)
	if err != nil {
		p.Log.WarnContext(ctx, "damaged copy of a profile", "error", err.Error())
	}
	return c, err == nil
}

func textsOf(copies map[string]Copy) map[string]string {
	texts := make(map[string]string, len(copies))
	for user, c := range copies {
		texts[user] = c.String()
	}
	return texts
}
