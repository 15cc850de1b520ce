package erasure

import (
	"context"
	"strconv"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/state"
)

// FollowLists are the follow lists in the table; state.Store has them.
type FollowLists interface {
	ForgetFollows(ctx context.Context, partition int, user string, until board.Moment) (lists int64, err error)
}

// Journal is what was accepted; journal.Journal is one.
type Journal interface {
	EraseSealed(ctx context.Context, user string, until board.Moment, after board.Date) (
		last board.Date, more bool, err error)
	ErasePending(ctx context.Context, user string, until board.Moment, follows func(*activity.Activity) bool) error
}

// follows erases the user from the others' follow lists in the table, a partition at a
// time. Those in Redis come before, as the nightly run copies them.
func (e *Eraser) follows(ctx context.Context, user string, was archive.Erasure) (archive.Erasure, error) {
	n, _ := strconv.Atoi(was.Cursor) // "" is the first
	if e.Follows != nil && was.At > 0 {
		hash := codec.Hash(user)
		for ; n < state.FollowPartitions && !short(ctx); n++ {
			if _, err := e.Follows.ForgetFollows(ctx, n, user, ledger.Erased{hash: was.At}.Followed(hash)); err != nil {
				return was, err
			}
		}
		if was.Cursor = strconv.Itoa(n); n < state.FollowPartitions {
			return was, nil
		}
	}
	was.Step, was.Cursor = stepJournal, ""
	return was, nil
}

// journal erases the user from what is pending and from the seals, some days at a time.
func (e *Eraser) journal(ctx context.Context, user string, was archive.Erasure) (archive.Erasure, error) {
	if e.Journal != nil && was.At > 0 {
		after, err := board.ParseDate(was.Cursor)
		if err != nil { // the first days
			after = 0
			if err := e.Journal.ErasePending(ctx, user, was.At, e.isFollow); err != nil {
				return was, err
			}
		}
		last, more, err := e.Journal.EraseSealed(ctx, user, was.At, after)
		if err != nil {
			return was, err
		}
		if was.Cursor = last.String(); more {
			return was, nil
		}
	}
	was.Step, was.Cursor = stepFinal, ""
	return was, nil
}

func (e *Eraser) isFollow(a *activity.Activity) bool {
	return a.Action == "follow" || a.Action == "unfollow"
}
