package localserver

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"laurel/shared/httpapi"
)

type timingKey struct{}

// RedisTook adds the time of a round trip to Redis to that of the request that made it.
func RedisTook(ctx context.Context, took time.Duration) {
	if t, ok := ctx.Value(timingKey{}).(*timing); ok {
		t.redis.Add(int64(took))
	}
}

// Answered is what came of a request.
type Answered struct {
	Method, URI string
	Route       string // the pattern of its operation; "" for none
	Status      int
	Took, Redis time.Duration // in all, and in Redis
}

// timed identifies each request. It says in the header Server-Timing how many milliseconds an answer took, in Redis and
// beside it, and tells of it when it is over. Round trips that are made at once all count.
func timed(next http.Handler, answered func(context.Context, Answered)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &timing{ResponseWriter: w, began: time.Now()}
		t.Method, t.URI = r.Method, r.URL.RequestURI()
		asked := r.WithContext(context.WithValue(httpapi.Identify(w, r), timingKey{}, t))
		next.ServeHTTP(t, asked)
		t.Route, t.Status = asked.Pattern, cmp.Or(t.Status, http.StatusOK)
		t.Took, t.Redis = time.Since(t.began), time.Duration(t.redis.Load())
		answered(asked.Context(), t.Answered)
	})
}

// timing is an answer with the time that it took.
type timing struct {
	http.ResponseWriter
	Answered
	began time.Time
	redis atomic.Int64 // in nanoseconds
}

// WriteHeader adds the header, the first time.
func (t *timing) WriteHeader(status int) {
	if t.Status == 0 {
		t.Status = status
		redis := time.Duration(t.redis.Load())
		app := max(time.Since(t.began)-redis, 0)
		const ms = float64(time.Millisecond)
		t.Header().Set("Server-Timing", fmt.Sprintf("redis;dur=%.3f, app;dur=%.3f", float64(redis)/ms, float64(app)/ms))
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write sends some of the body.
func (t *timing) Write(p []byte) (int, error) {
	if t.Status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *timing) Unwrap() http.ResponseWriter { return t.ResponseWriter }
