package operate

import (
	"context"
	"errors"
	"time"

	"laurel/shared/recovery"
)

// Rebuild are the arguments of "rebuild", as recovery.Options has them; its result is a
// Rebuilt. With All an audit that repairs follows.
type Rebuild struct {
	All     bool `json:"all,omitempty"`
	Reshard bool `json:"reshard,omitempty"`
	Empty   bool `json:"empty,omitempty"`
	Shards  int  `json:"shards,omitempty"` // that the process has to have; 0: any
}

// Rebuilt is what was filled.
type Rebuilt struct {
	recovery.Result
	Audit *Audited `json:"audit,omitempty"` // after all was filled
}

// rebuildCursor is a rebuild in slices.
type rebuildCursor struct {
	Began  bool            `json:"began,omitempty"` // what was to be removed first is removed
	From   string          `json:"from,omitempty"`  // the user after whom rows are merged
	Filled bool            `json:"filled,omitempty"`
	Result recovery.Result `json:"result,omitzero"`
	Audit  auditCursor     `json:"audit,omitzero"`
}

// rebuild fills Redis. Where it is filled to without All is kept in Redis, too.
func rebuild(ctx context.Context, s *slice, a Rebuild, c *rebuildCursor) (any, error) {
	if a.Shards != 0 && a.Shards != s.Shards {
		return nil, usage("the function has %d shards: set BoardShards and deploy, then reshard", s.Shards)
	}
	if !c.Filled {
		o := s.Recovery(s.now)
		o.All, o.Slice = a.All, &recovery.Slice{Pause: s.over, From: c.From}
		o.Reshard, o.Empty = a.Reshard && !c.Began, a.Empty && !c.Began
		before := c.Result.Rows
		o.Progress = func(p recovery.Progress) {
			if p.Step == "rows" {
				s.progress(before+p.Done, 0, "rows")
			}
		}
		result, err := recovery.Rebuild(ctx, o)
		c.Result.Add(result)
		c.Began, c.From, c.Filled = true, o.Slice.From, err == nil
		if err != nil {
			return nil, err
		}
	}
	if !a.All { // where a page was there, merging has not written what follows from it
		return Rebuilt{Result: c.Result}, nil
	}
	totals, err := s.audit(ctx, true, &c.Audit)
	if err != nil {
		if errors.Is(err, errPaused) {
			return nil, err
		}
		return Rebuilt{Result: c.Result}, err
	}
	return Rebuilt{c.Result, &Audited{totals, c.Audit.Seconds}}, nil
}

// took adds to seconds, when it is called, what it took since.
func (s *slice) took(seconds *float64) func() {
	began := time.Now()
	return func() { *seconds += time.Since(began).Seconds() }
}
