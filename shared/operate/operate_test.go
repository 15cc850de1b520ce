package operate_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/operate"
)

// inSlices does a command on a forum through events and answers, as a function does.
func inSlices(f *harness.Forum, c operate.Command, object any) (text string, err error) {
	slice := operate.By(1, func(ctx context.Context, event []byte) ([]byte, error) {
		return operate.Serve(ctx, f.App, event)
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

// What is at fault is told apart on the other side, too.
func TestFailuresKeepTheirKind(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, shards := inSlices(f, &operate.Rebuild{Shards: 7}, nil)
	_, nobody := inSlices(f, new(operate.Export), nil)
	for _, event := range []string{`{"operation":"fly"}`, `{"operation":"erase","arguments":{"id":"ann"}}`, `{`} {
		var reply operate.Reply
		text, err := operate.Serve(t.Context(), f.App, []byte(event))
		failed := json.Unmarshal(text, &reply)
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
