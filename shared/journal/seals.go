package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/table"
)

// ErrNotSealed is wrapped if a day is not sealed.
var ErrNotSealed = errors.New("journal: day is not sealed")

// sealsPartition has a manifest for each sealed day.
const sealsPartition = "SEALS"

// Sealed is a sealed day.
type Sealed struct {
	Day      board.Date
	Rows     int64
	runs     []run
	manifest []byte // nil before the first
	draft    string // names the segments of a draft, "" for a sealed day
	expires  int64  // of a draft's segments
}

// A run is rows of some hours, sorted by user.
type run struct {
	sum      string // of its rows: the name of its partition
	segments int64
}

func (s Sealed) segmentKey(r run, n int64) table.Key {
	return table.Key{Partition: "SEAL#" + s.Day.String() + "#" + s.draft + r.sum, Sort: fmt.Sprintf("%06d", n)}
}

// keys returns the keys of the segments of runs.
func (s Sealed) keys(runs ...run) (keys []table.Key) {
	for _, r := range runs {
		for n := range r.segments {
			keys = append(keys, s.segmentKey(r, n))
		}
	}
	return keys
}

// commit writes the manifest of a day, in place of the former one, whose segments it
// deletes unless they are the same.
func (j *Journal) commit(ctx context.Context, s *Sealed) error {
	key := table.Key{Partition: sealsPartition, Sort: s.Day.String()}
	s.manifest = encodeManifest(key, *s)
	before, err := j.Sealed(ctx, s.Day)
	if err != nil && !errors.Is(err, ErrNotSealed) {
		return err
	}
	err = j.table.Replace(ctx, table.Item{Key: key, Data: s.manifest}, before.manifest)
	if err == nil {
		former := slices.DeleteFunc(before.runs, func(r run) bool { return slices.Contains(s.runs, r) })
		err = j.table.Delete(ctx, before.keys(former...)...)
	}
	if err != nil {
		return fmt.Errorf("journal: seal %s: %w", s.Day, err)
	}
	return nil
}

func encodeManifest(key table.Key, s Sealed) []byte {
	b := binary.AppendUvarint(nil, uint64(s.Rows))
	b = binary.AppendUvarint(b, uint64(len(s.runs)))
	for _, r := range s.runs {
		b = binary.AppendUvarint(codec.AppendText(b, r.sum), uint64(r.segments))
	}
	return pack(key, formatSeal, b)
}

func decodeManifest(item table.Item) (Sealed, error) {
	day, err := board.ParseDate(item.Sort)
	if err != nil {
		return Sealed{}, damaged(item.Key, "no day in the sort key")
	}
	r, err := unpack(item, formatSeal)
	if err != nil {
		return Sealed{}, err
	}
	s := Sealed{Day: day, Rows: int64(r.Uvarint()), manifest: item.Data}
	s.runs = make([]run, r.Count(2))
	for i := range s.runs {
		s.runs[i] = run{sum: r.Text(), segments: int64(r.Uvarint())}
		r.Check(s.runs[i].segments <= s.Rows, "more segments than rows")
	}
	if err := r.Done(); err != nil {
		return Sealed{}, damaged(item.Key, err.Error())
	}
	return s, nil
}

// Sealed returns a sealed day. The error wraps ErrNotSealed if it is not sealed.
func (j *Journal) Sealed(ctx context.Context, day board.Date) (Sealed, error) {
	days, err := j.SealedDays(ctx, day, day)
	if err != nil {
		return Sealed{}, err
	}
	if len(days) == 0 {
		return Sealed{}, fmt.Errorf("%w: %s", ErrNotSealed, day)
	}
	return days[0], nil
}

// SealedDays returns the sealed days from the first to the last, in order.
func (j *Journal) SealedDays(ctx context.Context, first, last board.Date) (days []Sealed, err error) {
	err = j.readPartition(ctx, sealsPartition, (first - 1).String(), last.String(), func(item table.Item) error {
		s, err := decodeManifest(item)
		days = append(days, s)
		return err
	})
	return days, err
}

// Expire deletes the seals of the days that are more than so many whole months before the
// month of today, and returns their number. It can be repeated.
func (j *Journal) Expire(ctx context.Context, today board.Date, months int) (int, error) {
	days, err := j.SealedDays(ctx, 1, (today.Month()-board.MonthOf(months)).First()-1)
	if err != nil {
		return 0, err
	}
	for i, day := range days {
		// The manifest is last: without it the segments would not be found again.
		keys := day.keys(day.runs...)
		err := j.table.Delete(ctx, keys...)
		if err == nil {
			err = j.table.Delete(ctx, table.Key{Partition: sealsPartition, Sort: day.Day.String()})
		}
		if err != nil {
			return i, fmt.Errorf("journal: delete the seal of %s: %w", day.Day, err)
		}
	}
	return len(days), nil
}
