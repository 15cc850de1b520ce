package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/night"
)

// A function whose environment is at fault says all of it and does not start.
func TestFaultyEnvironment(t *testing.T) {
	t.Setenv("REDIS_URL", "")
	t.Setenv("TABLE_NAME", "")
	t.Setenv("HOT_DAYS", "many")
	err := run(t.Context())
	if !errors.Is(err, app.ErrRedisMissing) || !errors.Is(err, app.ErrTableMissing) ||
		!strings.Contains(err.Error(), "HOT_DAYS") {
		t.Errorf("error %v", err)
	}
}

// asking is a forum whose function gets events.
func asking(t *testing.T) (f *harness.Forum, ask func(event string) night.Result) {
	t.Helper()
	f = harness.NewForum(t, harness.Setup{}).Serve()
	handle := handler(f.App)
	return f, func(event string) night.Result {
		t.Helper()
		answer, err := handle(t.Context(), []byte(event))
		result, ok := answer.(night.Result)
		if err != nil || !ok {
			t.Fatalf("%s: %+v, %v", event, answer, err)
		}
		return result
	}
}

// A nightly run that somebody asks for takes all steps of what is due, and says so; again it takes
// none.
func TestANightTakesAllSteps(t *testing.T) {
	t.Parallel()
	f, ask := asking(t)
	f.Did("ann like a1")
	f.Now = harness.At(t, "2026-11-24T01:02").Time()
	text, err := json.Marshal(ask(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"today":"2026-11-24"`, `"event":"close"`, `"event":"make"`, `"event":"remove"`,
		`"left":[]`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if a := f.Get("/v1/boards/activity/day?period=2026-11-20", ""); !strings.Contains(a.Body, `"final":true,"total":1`) {
		t.Errorf("the board: %s", a.Body)
	}
	if again := ask(`{}`); len(again.Moved) != 0 {
		t.Errorf("again: %+v", again)
	}
}

// What is no event of ours is an error, and nothing is done.
func TestAnUnknownEventIsAnError(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	_, err := handler(f.App)(t.Context(), []byte(`{"time":"2026-11-24T01:00:00Z"}`))
	if !errors.Is(err, errEvent) {
		t.Errorf("an event with a time: %v", err)
	}
}
