package erasure_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/erasure"
	"laurel/shared/pages"
)

// nobody is a Redis and a table of profiles without the user.
type nobody struct{}

func (nobody) EraseStep(context.Context, string, string) (pages.ErasureStep, error) {
	return pages.ErasureStep{}, nil
}

func (nobody) Erase(context.Context, string) (bool, error) { return false, nil }

func (nobody) Read(context.Context, board.View) (boards.Page, error) {
	return boards.Page{Page: board.Page{Standing: &board.Standing{}}}, nil
}

// slow erases a user from two articles; its first call runs out of time after one.
type slow struct{ calls int }

func (s *slow) Erase(ctx context.Context, _ string) (articles.Erased, error) {
	if s.calls++; s.calls > 1 {
		return articles.Erased{Articles: 1, Votes: 3}, nil
	}
	<-ctx.Done()
	return articles.Erased{Articles: 1}, ctx.Err()
}

type final struct{ calls int }

func (f *final) Erase(context.Context, string) (int64, error) {
	f.calls++
	return 4, nil
}

// An erasure that runs out of time at the articles saves its state, and continues there.
func TestErasureRunsOutOfTimeAtArticles(t *testing.T) {
	t.Parallel()
	lists, finals := &slow{}, &final{}
	e := erasure.New(erasure.Options{
		Live: nobody{}, People: nobody{}, Archive: archive.New(harness.Memory(t, time.Now)),
		Articles: lists, FinalArticles: finals,
	})
	short, cancel := context.WithTimeout(t.Context(), 1200*time.Millisecond) // a second is the reserve
	defer cancel()
	state, err := e.Erase(short, "ann")
	if err != nil || state.State != archive.ErasureRunning || finals.calls != 0 {
		t.Fatalf("%+v, %v", state, err)
	}
	if diff := cmp.Diff(map[string]int64{"articles": 1}, state.Removed); diff != "" {
		t.Errorf("out of time (-want +got):\n%s", diff)
	}
	if state, err = e.Erase(t.Context(), "ann"); err != nil || state.State != archive.ErasureDone {
		t.Fatalf("%+v, %v", state, err)
	}
	if diff := cmp.Diff(map[string]int64{"articles": 2, "votes": 3, "finalArticles": 4}, state.Removed); diff != "" ||
		lists.calls != 2 {
		t.Errorf("done (-want +got):\n%s", diff)
	}
}
