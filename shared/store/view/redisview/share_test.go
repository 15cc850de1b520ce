package redisview_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/redis/go-redis/v9"

	"laurel/shared/store/view/redisview"
)

// server is one that sets every command's value to its key, answers those with the key "wrong"
// with an error, and waits for a signal to continue.
type server struct {
	mu   sync.Mutex
	sent []int // commands of each pipeline
	goOn chan struct{}
}

var errWrong = errors.New("WRONGTYPE")

func (s *server) send(ctx context.Context, cmds []redis.Cmder) error {
	s.mu.Lock()
	s.sent = append(s.sent, len(cmds))
	s.mu.Unlock()
	<-s.goOn
	for _, cmd := range cmds {
		key := fmt.Sprint(cmd.Args()[1])
		if cmd.(*redis.StringCmd).SetVal(key); ctx.Err() != nil {
			cmd.SetErr(ctx.Err())
		} else if key == "wrong" {
			cmd.SetErr(errWrong)
		}
	}
	return cmds[0].Err()
}

// client sends pipelines that get keys.
type client struct {
	t    *testing.T
	send redis.ProcessPipelineHook
	all  sync.WaitGroup
}

// get begins to send a pipeline, which has to get the keys that are not "wrong", or the error,
// and waits until it is on its way or waits itself.
func (c *client) get(ctx context.Context, want error, keys ...string) {
	cmds := make([]redis.Cmder, len(keys))
	for i, key := range keys {
		cmds[i] = redis.NewStringCmd(ctx, "get", key)
	}
	c.all.Go(func() {
		if err := c.send(ctx, cmds); !errors.Is(err, want) {
			c.t.Errorf("%q: error %v, want %v", keys, err, want)
		}
		for i, cmd := range cmds {
			alone := keys[i] == "wrong" || want != nil && !errors.Is(want, errWrong)
			if val, err := cmd.(*redis.StringCmd).Result(); alone != (err != nil) || err == nil && val != keys[i] {
				c.t.Errorf("%q got %q, %v", keys[i], val, err)
			}
		}
	})
	synctest.Wait()
}

// Pipelines that come while two are on their way go together; each gets its own replies and
// its own errors, and one that is long goes by itself.
func TestPipelinesAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{goOn: make(chan struct{})}
		c := &client{t: t, send: redisview.Shared(s.send)}
		c.get(t.Context(), nil, "a")
		c.get(t.Context(), nil, "b", "c")
		c.get(t.Context(), nil, "d", "e")
		c.get(t.Context(), errWrong, "f", "wrong", "g")
		c.get(t.Context(), nil, "h")
		c.get(t.Context(), nil, slices.Repeat([]string{"long"}, 65)...)
		s.goOn <- struct{}{} // one of the three is back
		synctest.Wait()
		c.get(t.Context(), nil, "i")
		close(s.goOn)
		c.all.Wait()
		c.get(t.Context(), nil, "j")
		if want := []int{1, 2, 65, 6, 1, 1}; !slices.Equal(s.sent, want) {
			t.Errorf("pipelines of %d commands, want %d", s.sent, want)
		}
	})
}

// Waiting commands are divided where the pipeline would become too long, in the order in which they came.
func TestSharedPipelinesHaveAnEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{goOn: make(chan struct{})}
		c := &client{t: t, send: redisview.Shared(s.send)}
		for range 2 + 17 {
			c.get(t.Context(), nil, slices.Repeat([]string{"k"}, 60)...)
		}
		close(s.goOn)
		c.all.Wait()
		slices.Sort(s.sent)
		if want := []int{60, 60, 60, 480, 480}; !slices.Equal(s.sent, want) {
			t.Errorf("pipelines of %d commands, want %d", s.sent, want)
		}
	})
}

// A pipeline whose context ends while it waits is not sent, and the others are; one whose
// context ends on its way does not take the others with it.
func TestSharedPipelinesEndAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{goOn: make(chan struct{})}
		c := &client{t: t, send: redisview.Shared(s.send)}
		c.get(t.Context(), nil, "a")
		c.get(t.Context(), nil, "b")
		waiting, cancelWaiting := context.WithCancel(t.Context())
		c.get(waiting, context.Canceled, "c", "d")
		sent, cancelSent := context.WithCancel(t.Context())
		c.get(sent, nil, "e") // the first of those that go together
		c.get(t.Context(), nil, "f")
		cancelWaiting()
		synctest.Wait()
		s.goOn <- struct{}{}
		synctest.Wait()
		cancelSent()
		synctest.Wait()
		close(s.goOn)
		c.all.Wait()
		if want := []int{1, 1, 2}; !slices.Equal(s.sent, want) {
			t.Errorf("pipelines of %d commands, want %d", s.sent, want)
		}
	})
}
