package operate_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/operate"
	"laurel/shared/people"
	"laurel/shared/record"
)

// inSlices does an operation on a forum through events and answers, as a function does.
func inSlices(f *harness.Forum, name string, arguments, result any) (found int, err error) {
	err = operate.Run{Seconds: 1, Slice: func(ctx context.Context, r operate.Request, _ operate.Watch) (
		operate.Reply, error,
	) {
		event, err := operate.Event(r)
		if err != nil {
			return operate.Reply{}, err
		}
		answer, err := operate.Serve(ctx, f.App, f.Now, event)
		if err != nil {
			return operate.Reply{}, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return operate.Reply{}, err
		}
		return operate.ReadReply(text)
	}, Watch: operate.Watch{
		Progress: func(operate.Progress) {}, Found: func(json.RawMessage) { found++ },
	}}.Do(f.TB.Context(), name, arguments, result)
	return found, err
}

// What an operator asks of a function comes back with its findings, its result and its error.
func TestOperationsOfAFunction(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Shards: 2}).Serve()
	f.Did("ann like a1", "bob like a1")
	var audited operate.Audited
	f.Redis.Del(t.Context(), f.Redis.Keys(t.Context(), "*:board:*").Val()...)
	if n, err := inSlices(f, "audit", operate.Audit{}, &audited); err != nil || n != 4 || !audited.Differs() {
		t.Errorf("%d findings, %+v, %v", n, audited, err)
	}
	if _, err := inSlices(f, "audit", operate.Audit{Apply: true}, &audited); err != nil || audited.Differs() {
		t.Errorf("applied: %+v, %v", audited, err)
	}
	var filled record.Compared
	if _, err := inSlices(f, "rebuild", operate.Rebuild{Empty: true}, &filled); err != nil || filled.Filled != 3 {
		t.Errorf("%+v, %v", filled, err)
	}
	if n, err := inSlices(f, "audit", operate.Audit{Final: true}, &audited); err != nil || n > 0 || audited.Differs() {
		t.Errorf("%d findings, %+v, %v", n, audited, err)
	}
	var erased people.ErasureData
	if _, err := inSlices(f, "erase", operate.User{ID: "ann"}, &erased); err != nil || erased.Removed["ledgers"] != 1 {
		t.Errorf("%+v, %v", erased, err)
	}
}

// What is at fault is told apart on the other side, too.
func TestFailuresKeepTheirKind(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, shards := inSlices(f, "rebuild", operate.Rebuild{Shards: 7}, nil)
	_, unknown := inSlices(f, "fly", struct{}{}, nil)
	_, field := inSlices(f, "erase", map[string]string{"user": "ann"}, nil)
	for _, err := range []error{shards, unknown, field} {
		if !errors.Is(err, operate.ErrUsage) {
			t.Error(err)
		}
	}
	var p board.Period
	if err := p.UnmarshalText([]byte("2026-11-20")); err != nil {
		t.Fatal(err)
	}
	if _, err := inSlices(f, "reopen", operate.Reopen{Period: p}, nil); err == nil || errors.Is(err, operate.ErrUsage) {
		t.Error(err)
	}
}
