package operate

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/importer"
	"laurel/shared/night"
	"laurel/shared/record"
)

// Rebuild fills the view. Its object is a record.Compared.
type Rebuild struct {
	All     bool     `json:"all,omitempty"`             // compare the scores themselves, as single keys were lost
	Reshard bool     `json:"reshard,omitempty"`         // into another number of shards
	Empty   bool     `json:"empty,omitempty"`           // empty it first: the table was restored to an earlier moment
	Shards  int      `json:"shards,omitempty" kong:"-"` // that the process has to have; 0: any
	Begun   compared `json:"begun,omitzero" kong:"-"`
}

func (r *Rebuild) do(ctx context.Context, s *slice) (Result, error) {
	if r.Shards != 0 && r.Shards != s.Shards {
		return Result{}, Usage("the function has %d shards: set BoardShards and deploy, then reshard", s.Shards)
	}
	if r.Empty && !r.Begun.Began { // whoever still has the old id is refused from now on
		if err := night.NewTable(ctx, s.Records); err != nil {
			return Result{}, err
		}
	}
	done, err := s.compare(ctx, record.CompareOptions{Scores: r.All, Empty: r.Empty || r.Reshard}, &r.Begun)
	if err != nil && !errors.Is(err, errPaused) {
		err = fmt.Errorf("%w; run it again to continue", err)
	}
	return ended(done, func(done record.Compared) string {
		text := "nothing is missing"
		if done.Filled != 0 || done.Shown != 0 {
			text = fmt.Sprintf("%s shown, %d parts filled", importer.Thousands(done.Shown), done.Filled)
		}
		return fmt.Sprintf("%s people: %s\n", importer.Thousands(done.People), text)
	}, err)
}

// Recover looks what is wrong, and does what can be done about it. Its object is a night.Recovered;
// what it finds is told before.
type Recover struct {
	Outside []night.Finding `json:"outside,omitempty" kong:"-"` // that who asks has found, where the stores' process cannot look
}

func (r *Recover) do(ctx context.Context, s *slice) (Result, error) {
	tell := func(f night.Finding) { s.watch.Found(f.Says + " " + f.Does) }
	done, err := night.Recover(ctx, s.Nights(), tell)
	if err == nil && done.Left {
		err = errPaused
	}
	for _, f := range r.Outside {
		if done.Findings = append(done.Findings, f); err == nil {
			tell(f)
		}
	}
	result, err := ended(done, recovered, err)
	result.Differs = done.Audit == nil || done.Audit.Differ > 0
	return result, err
}

// recovered says what the audit at the end came to.
func recovered(r night.Recovered) (text string) {
	if len(r.Findings) == 0 {
		text = "Nothing is wrong.\n"
	}
	if r.Audit == nil {
		return text + "Redis cannot be reached: no audit was made.\n"
	}
	return text + fmt.Sprintf("The audit of %d people: %s.\n", r.Audit.People, differences(r.Audit.Differ))
}
