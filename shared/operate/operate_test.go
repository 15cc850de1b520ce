package operate_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/operate"
	"laurel/shared/people"
	"laurel/shared/record"
)

// inSlices does a command on a forum through events and answers, as a function does.
func inSlices(f *harness.Forum, c operate.Command, object any) (text string, err error) {
	slice := operate.Slicer(func(ctx context.Context, r operate.Request, _ operate.Watch) (operate.Reply, error) {
		r.Seconds = 1
		event, err := operate.Event(r)
		if err != nil {
			return operate.Reply{}, err
		}
		answer, err := operate.Serve(ctx, f.App, event)
		if err != nil {
			return operate.Reply{}, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return operate.Reply{}, err
		}
		return operate.ReadReply(text)
	})
	r, err := operate.Ask(c)
	if err != nil {
		return "", err
	}
	reply, err := slice.Run(f.TB.Context(), r, operate.Quiet(), func(json.RawMessage) error { return nil })
	if err == nil && reply.Failure != nil {
		err = reply.Failure
	}
	if err == nil {
		err = json.Unmarshal([]byte(reply.Object), object)
	}
	return reply.Text, err
}

// What an operator asks of a function comes back as an object and as text.
func TestCommandsOfAFunction(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{Shards: 2}).Serve()
	f.Did("ann like a1", "bob like a1")
	var audited operate.Audited
	f.Redis.Del(t.Context(), f.Redis.Keys(t.Context(), "*:board:*").Val()...)
	if text, err := inSlices(f, new(operate.Audit), &audited); err != nil || strings.Count(text, "\n") != 5 ||
		len(audited.Findings) != 4 || !audited.Differs() {
		t.Errorf("%s, %+v, %v", text, audited, err)
	}
	if _, err := inSlices(f, &operate.Audit{Apply: true}, &audited); err != nil || audited.Differs() {
		t.Errorf("applied: %+v, %v", audited, err)
	}
	var filled record.Compared
	if _, err := inSlices(f, &operate.Rebuild{Empty: true}, &filled); err != nil || filled.Filled != 3 {
		t.Errorf("%+v, %v", filled, err)
	}
	if text, err := inSlices(f, &operate.Audit{Final: true}, &audited); err != nil || audited.Differs() ||
		!strings.HasSuffix(text, "0 final boards, 0 entries: no differences\n") {
		t.Errorf("%s, %+v, %v", text, audited, err)
	}
	var erased people.ErasureData
	if _, err := inSlices(f, &operate.Erase{Person: operate.Person{User: "ann"}}, &erased); err != nil ||
		erased.Removed["ledgers"] != 1 {
		t.Errorf("%+v, %v", erased, err)
	}
}

// What is at fault is told apart on the other side, too.
func TestFailuresKeepTheirKind(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, shards := inSlices(f, &operate.Rebuild{Shards: 7}, nil)
	_, nobody := inSlices(f, new(operate.Export), nil)
	for _, event := range []string{`{"operation":"fly"}`, `{"operation":"erase","arguments":{"id":"ann"}}`, `{`} {
		answer, err := operate.Serve(t.Context(), f.App, []byte(event))
		text, _ := json.Marshal(answer)
		reply, failed := operate.ReadReply(text)
		if err != nil || failed != nil || !errors.Is(reply.Failure, operate.ErrUsage) {
			t.Errorf("%s: %s, %v", event, text, err)
		}
	}
	if !errors.Is(shards, operate.ErrUsage) || !errors.Is(nobody, operate.ErrUsage) {
		t.Error(shards, nobody)
	}
	if _, err := inSlices(f, &operate.Reopen{Period: "2026-11-20"}, nil); err == nil || errors.Is(err, operate.ErrUsage) {
		t.Error(err)
	}
}
