package people

import (
	"context"
	"maps"
	"slices"

	"laurel/shared/board"
)

// Since returns when the accounts of users were made, by the copies of their profiles; for a
// missing copy, "", it reads the profile from the table and fills the copy. It leaves out
// those of whom it is not known.
func (p *People) Since(ctx context.Context, copies map[string]string) (map[string]board.Moment, error) {
	texts := maps.Clone(copies)
	maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	found := p.parse(ctx, texts)
	missing := slices.DeleteFunc(slices.Sorted(maps.Keys(copies)), func(user string) bool {
		_, known := found[user]
		return known
	})
	if len(missing) > 0 {
		_, generation, err := p.Copies.Profiles(ctx, nil)
		if err != nil {
			return nil, err
		}
		read, err := p.Table.Get(ctx, missing...)
		if err != nil {
			return nil, err
		}
		p.fill(ctx, generation, read)
		maps.Copy(found, read)
	}
	since := map[string]board.Moment{}
	for user, c := range found {
		if at, err := board.ParseMoment(c.Profile.Since); err == nil {
			since[user] = at
		}
	}
	return since, nil
}
