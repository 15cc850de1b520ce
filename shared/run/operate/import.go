package operate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/run/importer"
)

// Import is a part of an import, in one slice. Its object is an importer.Done.
type Import importer.Part

func (p *Import) do(ctx context.Context, s *slice) (Result, error) {
	done, err := importer.Here(s.App)(ctx, importer.Part(*p))
	return Result{Object: done}, err
}

// Importer returns an importer into stores of another process, whose Slicer it uses.
func (do Slicer) Importer(ctx context.Context) (*importer.Importer, error) {
	forum, err := do.part(ctx, importer.Part{Forum: true})
	if err != nil {
		return nil, err
	}
	rules, err := activity.ParseRules(forum.Rules)
	zone, zoneErr := time.LoadLocation(forum.Zone)
	if err := errors.Join(err, zoneErr); err != nil {
		return nil, err
	}
	return &importer.Importer{
		Stores: do.stores, Rules: rules, Calendar: board.NewCalendar(zone), Now: forum.Clock,
	}, nil
}

// mergedAtOnce is how many activities one slice merges: its request and its answer have limits.
const mergedAtOnce = 2_000

// stores sends parts of an import to a Slicer, many activities some at a time.
func (do Slicer) stores(ctx context.Context, p importer.Part) (done importer.Done, err error) {
	if len(p.Activities) <= mergedAtOnce {
		return do.part(ctx, p)
	}
	for some := range slices.Chunk(p.Activities, mergedAtOnce) {
		one, failed := do.part(ctx, importer.Part{Activities: some, Now: p.Now})
		if err == nil || errors.Is(failed, codec.ErrDamaged) {
			err = failed
		}
		if done.Statuses = append(done.Statuses, one.Statuses...); len(one.Statuses) == 0 {
			break // the others would fail, too
		}
	}
	return done, err
}

// part does a part in a slice.
func (do Slicer) part(ctx context.Context, p importer.Part) (done importer.Done, err error) {
	err = do.Object(ctx, (*Import)(&p), &done)
	if n, total := len(done.Statuses)+len(done.Articles), len(p.Activities)+len(p.Articles); n != total {
		return importer.Done{}, cmp.Or(err, fmt.Errorf("operate: %d outcomes for %d activities and articles", n, total))
	}
	return done, err
}
