package operate

import (
	"context"

	"laurel/shared/night"
	"laurel/shared/record"
)

// Rebuild are the arguments of "rebuild": its result is a record.Compared.
type Rebuild struct {
	All     bool `json:"all,omitempty"`     // compare the scores themselves, as single keys were lost
	Reshard bool `json:"reshard,omitempty"` // into another number of shards
	Empty   bool `json:"empty,omitempty"`   // empty it first: the table was restored to an earlier moment
	Shards  int  `json:"shards,omitempty"`  // that the process has to have; 0: any
}

// rebuild fills the view.
func rebuild(ctx context.Context, s *slice, a Rebuild, c *auditCursor) (any, error) {
	if a.Shards != 0 && a.Shards != s.Shards {
		return nil, usage("the function has %d shards: set BoardShards and deploy, then reshard", s.Shards)
	}
	if a.Empty && !c.Began { // whoever still has the old id is refused from now on
		if err := night.NewTable(ctx, s.Records); err != nil {
			return nil, err
		}
	}
	done, err := s.compare(ctx, record.CompareOptions{Scores: a.All, Empty: a.Empty || a.Reshard}, c)
	if err != nil {
		return nil, err
	}
	return done, nil
}

// Recover are the arguments of "recover", which has none. What it finds are night.Findings, its
// result is a night.Recovered.
type Recover struct{}

// recover looks what is wrong, and does what can be done about it.
func recoverSlice(ctx context.Context, s *slice, _ Recover, _ *struct{}) (any, error) {
	done, err := night.Recover(ctx, s.Nights(), func(f night.Finding) { s.find(f) })
	if err == nil && done.Left {
		return nil, errPaused
	}
	if err != nil {
		return nil, err
	}
	return done, nil
}
