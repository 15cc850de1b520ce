package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// floorKey is the board of the floor: everybody by number.
const floorKey = "floor"

// serveFloor serves what nothing can be below: a bare handler of net/http, which answers
// with the bytes that it was told, after one bare command to Redis.
func serveFloor(ctx context.Context, c invocation) error {
	url, users := c.String("redis", "redis://localhost:6379", "where"), c.Int("users", 10_000, "members of the board")
	if err := c.parse(); err != nil {
		return err
	}
	o, err := redis.ParseURL(*url)
	if err != nil {
		return err
	}
	client := redis.NewClient(o)
	if err := fillFloor(ctx, client, *users); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(c.out, "http://%s\n", l.Addr())
	server := &http.Server{Handler: &floor{client: client}, ReadHeaderTimeout: time.Minute}
	return server.Serve(l) // until it is killed
}

// fillFloor makes the board.
func fillFloor(ctx context.Context, client *redis.Client, users int) error {
	for from := 0; from < users; from += 1000 {
		var some []redis.Z
		for i := from; i < min(from+1000, users); i++ {
			some = append(some, redis.Z{Score: float64(i % 1000), Member: userID(i)})
		}
		if err := client.ZAdd(ctx, floorKey, some...).Err(); err != nil {
			return err
		}
	}
	return nil
}

// A floor answers all requests of a method and a query alike.
type floor struct {
	client  *redis.Client
	answers sync.Map
	scores  atomic.Int64
}

func (f *floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	if r.Method == http.MethodPut { // what to answer from now on
		f.answers.Store(r.URL.RawQuery, body)
		return
	}
	if err := f.command(r, body); err != nil && !errors.Is(err, redis.Nil) {
		panic(err)
	}
	w.Header().Set("Content-Type", "application/json")
	answer, _ := f.answers.Load(r.URL.RawQuery)
	_, _ = w.Write(answer.([]byte)) //nolint:forcetypeassert,gosec // PUT stores no other
}

// command sends the one command that a request cannot do without.
func (f *floor) command(r *http.Request, body []byte) error {
	ctx, user := r.Context(), filepath.Base(r.URL.Path)
	if r.Method == http.MethodGet {
		switch r.URL.RawQuery {
		case "limit=30":
			return f.client.ZRangeArgsWithScores(ctx, redis.ZRangeArgs{Key: floorKey, Start: 0, Stop: 29, Rev: true}).Err()
		case "around=0":
			return f.client.ZRevRank(ctx, floorKey, user).Err()
		}
		// Neighbours of a member whose rank is known.
		return f.client.ZRangeArgs(ctx, redis.ZRangeArgs{Key: floorKey, Start: 5000, Stop: 5030, Rev: true}).Err()
	}
	var scores []redis.Z
	for part := range strings.SplitSeq(string(body), `{"user":"`) {
		if id, _, found := strings.Cut(part, `"`); found && id[0] != '{' {
			scores = append(scores, redis.Z{Score: float64(f.scores.Add(1) % 1000), Member: id})
		}
	}
	return f.client.ZAdd(ctx, floorKey, scores...).Err()
}

// learn tells the floor what another side answers to a request.
func (s *side) learn(ctx context.Context, other *side, r request) error {
	answer, err := other.ask(ctx, r)
	if err != nil {
		return err
	}
	_, err = s.ask(ctx, request{method: http.MethodPut, path: "/", query: r.query, body: answer})
	return err
}
