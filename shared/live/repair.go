package live

import (
	"context"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// A Repair is what to write over what is there of a user.
type Repair struct {
	Holding
	Pages  []ledger.Page
	Enter  []board.MonthOf // indexes that the user is missing in
	Strike []board.MonthOf // indexes that the user has no business in
	Scores []ledger.Move
}

// Empty says whether there is nothing to write.
func (r Repair) Empty() bool {
	return len(r.Pages)+len(r.Enter)+len(r.Strike)+len(r.Scores) == 0
}

// repairPart is how many scores one commit writes, far below what a script can
// take.
const repairPart = 1_000

// Repair writes all of it, if the pages and what is closed are still those of the
// holding; done is false when they are not.
func (in *Inspector) Repair(ctx context.Context, r Repair) (done bool, err error) {
	for len(r.Scores) > repairPart {
		part := Repair{Holding: r.Holding, Scores: r.Scores[:repairPart]}
		if done, err := in.repairOnce(ctx, part); err != nil || !done {
			return done, err
		}
		r.Scores = r.Scores[repairPart:]
	}
	return in.repairOnce(ctx, r) // the pages last: they change the version
}

func (in *Inspector) repairOnce(ctx context.Context, r Repair) (done bool, err error) {
	months := append(append([]board.MonthOf{}, r.Enter...), r.Strike...)
	keys := []string{pagesKey(r.Shard, r.User), closedKey(r.Shard), periodsKey(r.Shard)}
	args := []any{r.version, newVersion(), r.closedVersion, r.User, len(months), len(r.Pages)}
	for i, m := range months {
		keys = append(keys, monthKey(r.Shard, m))
		args = append(args, strconv.Itoa(min(1, max(0, len(r.Enter)-i))))
	}
	for _, p := range r.Pages {
		args = append(args, p.Key.String(), p.Data)
	}
	for _, m := range r.Scores {
		keys = append(keys, boardKey(r.Shard, m.Board, m.Period))
		args = append(args, packedArg(m.Packed), periodName(m.Board, m.Period))
	}
	c := &call{script: in.repair, keys: keys, args: args}
	in.store.run(ctx, []*call{c})
	reply, err := c.cmd.Int64()
	if err != nil {
		return false, unavailable("repair", err)
	}
	return reply == scriptDone, nil
}
