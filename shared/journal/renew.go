package journal

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"laurel/shared/board"
	"laurel/shared/table"
)

// renewAt is the time before its expiry from which an entry is put again.
const renewAt = 15 * 24 * time.Hour

// Renew puts the entries of a day again that expire within 15 days from now, so that they
// expire 35 days from now, and returns their number: for a day that cannot be sealed. It
// can be repeated, and does not need what the entries hold.
func (j *Journal) Renew(ctx context.Context, day board.Date, now board.Moment) (int64, error) {
	var renewed atomic.Int64
	from, until := StartOf(day), StartOf(day+1)
	soon, expires := now.Add(renewAt).Time().Unix(), now.Add(lifetime).Time().Unix()
	for hour := hourOf(from); hour < hourOf(until); hour++ {
		err := j.readHour(ctx, hour, from, until, func(ctx context.Context, item table.Item) error {
			if item.Expires > soon {
				return nil
			}
			item.Expires = expires
			if err := j.table.Set(ctx, item); err != nil {
				return fmt.Errorf("journal: renew the entries of %s: %w", day, err)
			}
			renewed.Add(1)
			return nil
		})
		if err != nil {
			return renewed.Load(), err
		}
	}
	return renewed.Load(), nil
}
