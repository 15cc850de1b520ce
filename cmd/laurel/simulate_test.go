package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"laurel/internal/redistest"
)

// A small site gives the same table on the embedded Redis and on a real one, twice
// in a row, draws its picture and leaves nothing behind.
func TestSimulateFrontPage(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	picture := filepath.Join(t.TempDir(), "ranks.svg")
	args := strings.Fields("simulate front-page --days 4 --articles 60 --good 3 --votes 40 --votes-per-day 40,20 --seed 9")
	first, errs, code := laurel(t, "", append(args, "--plot", picture)...)
	for _, piece := range []string{
		"60 articles a day, 3 of them good: 40 votes or more within a day; ", " votes in 4 days; seed 9\n",
		"  votes a day  good  after a day", "\n           40     3  ", "\n           20     3  ",
	} {
		if code != exitDone || !strings.Contains(first, piece) {
			t.Errorf("%d, %s: no %q in\n%s", code, errs, piece, first)
		}
	}
	if svg, err := os.ReadFile(picture); err != nil || !strings.Contains(string(svg), "</svg>") {
		t.Errorf("the picture: %v", err)
	}
	for range 2 {
		if again, errs, code := laurel(t, "", append(args, "--redis", server.URL())...); code != exitDone || again != first {
			t.Errorf("on a Redis: %d, %s%s", code, errs, again)
		}
	}
	client := redis.NewClient(server.Options())
	defer client.Close()
	if err := client.Set(t.Context(), "mine", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := laurel(t, "", append(args, "--redis", server.URL())...); code != exitUsage || !strings.Contains(errs, "the database of --redis is not empty") {
		t.Errorf("a Redis that holds something: %d, %s", code, errs)
	}
	if kept, err := client.Get(t.Context(), "mine").Result(); kept != "1" || err != nil {
		t.Errorf("what it held: %q, %v", kept, err)
	}
}
