package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

const (
	// runRows is the number of rows from which a run is written: it limits the memory
	// of Seal. A run has whole hours, so that the same journal gives the same runs.
	runRows = 250_000
	// segmentRows is the number of rows of a segment: it limits the memory of ByUser,
	// which reads a segment of each run.
	segmentRows = 1_000
)

// A Compact returns the form in which a row that arrived at a moment is sealed, and whether
// it is kept.
type Compact = func(arrival board.Moment, row ledger.Row) (_ ledger.Row, keep bool)

// Seal reads the arrivals of a day in UTC, sorts the rows by user and writes them as
// segments, each in the form that compact returns with its arrival, without those that it
// does not keep. Sealing a day again replaces its segments if the journal has other rows
// by then.
func (j *Journal) Seal(ctx context.Context, day board.Date, compact Compact) (Sealed, error) {
	sealed := Sealed{Day: day}
	err := j.writeRuns(ctx, &sealed, StartOf(day), compact)
	if err == nil {
		err = j.commit(ctx, &sealed)
	}
	return sealed, err
}

// Draft is Seal for ByUser alone, of a day that may not be over or that the night is to
// seal, with its arrivals from a moment on: the day is not sealed by it. The segments expire;
// Discard deletes them before.
func (j *Journal) Draft(
	ctx context.Context, day board.Date, from board.Moment, compact Compact, expires int64,
) (Sealed, error) {
	_, sort := randomKey(board.Earliest)
	sealed := Sealed{Day: day, draft: sort[arrivalLen:], expires: expires}
	err := j.writeRuns(ctx, &sealed, max(from, StartOf(day)), compact)
	return sealed, err
}

// Discard deletes the segments of drafts. It can be repeated.
func (j *Journal) Discard(ctx context.Context, days ...Sealed) error {
	for _, day := range days {
		if day.draft == "" {
			continue
		}
		if err := j.table.Delete(ctx, day.keys(day.runs...)...); err != nil {
			return fmt.Errorf("journal: delete the draft of %s: %w", day.Day, err)
		}
	}
	return nil
}

// writeRuns writes the runs of a day from a moment on.
func (j *Journal) writeRuns(ctx context.Context, sealed *Sealed, from board.Moment, compact Compact) error {
	var rows []ledger.Row
	for end := StartOf(sealed.Day + 1); from < end; {
		next := StartOf(0).Add(time.Duration(hourOf(from)+1) * time.Hour)
		err := j.Read(ctx, from, next, func(arrival board.Moment, more []ledger.Row) error {
			for _, row := range more {
				if row, keep := compact(arrival, row); keep {
					rows = append(rows, row)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if from = next; len(rows) >= runRows || (from == end && len(rows) > 0) {
			if err := j.writeRun(ctx, sealed, rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return nil
}

// StartOf returns the first moment of a day of the journal, which is one in UTC.
func StartOf(day board.Date) board.Moment { return board.MomentOf(time.Unix(int64(day)*86_400, 0)) }

// DayOf returns the day of the journal that a moment is in.
func DayOf(m board.Moment) board.Date { return board.Date(m / StartOf(1)) }

// compareRows orders rows by user and moment, and equal rows next to each other.
func compareRows(a, b ledger.Row) int {
	if order := cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.At, b.At)); order != 0 {
		return order
	}
	return bytes.Compare(encode(table.Key{}, []ledger.Row{a}), encode(table.Key{}, []ledger.Row{b}))
}

// writeRun sorts rows and writes them as the segments of a run.
func (j *Journal) writeRun(ctx context.Context, sealed *Sealed, rows []ledger.Row) error {
	slices.SortFunc(rows, compareRows)
	rows = slices.CompactFunc(rows, func(a, b ledger.Row) bool { return compareRows(a, b) == 0 })
	segments := divide(rows, segmentRows)
	sum := sha256.New()
	for _, segment := range segments {
		sum.Write(encode(table.Key{}, segment))
	}
	r := run{sum: hex.EncodeToString(sum.Sum(nil)[:8]), segments: int64(len(segments))}
	for n, segment := range segments {
		key := sealed.segmentKey(r, int64(n))
		item := table.Item{Key: key, Data: encode(key, segment), Expires: sealed.expires}
		if err := j.table.Put(ctx, item); err != nil {
			return fmt.Errorf("journal: seal %s: %w", sealed.Day, err)
		}
	}
	sealed.runs = append(sealed.runs, r)
	sealed.Rows += int64(len(rows))
	return nil
}
