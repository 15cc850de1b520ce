package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/testserver"
)

// A small site gives the same table on the embedded Redis and on a real one, twice
// in a row, draws its picture and leaves nothing behind.
func TestFrontPage(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	picture := filepath.Join(t.TempDir(), "ranks.svg")
	args := strings.Fields("--days 4 --articles 60 --good 3 --votes 40 --votes-per-day 40,20 --seed 9")
	simulated := func(more ...string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), append(args, more...), &out, io.Discard)
		return out.String(), err
	}
	first, err := simulated("--plot", picture)
	for _, piece := range []string{
		"60 articles a day, 3 of them good: 40 votes or more within a day; ", " votes in 4 days; seed 9\n",
		"  votes a day  good  after a day", "\n           40     3  ", "\n           20     3  ",
	} {
		if err != nil || !strings.Contains(first, piece) {
			t.Errorf("%v: no %q in\n%s", err, piece, first)
		}
	}
	svg, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(svg, new(struct{})); err != nil {
		t.Errorf("the picture is not XML: %v", err)
	}
	for _, piece := range []string{
		"60 articles a day, 3 of them good", "good: 40 votes or more", "others", "the first 100", goodStyle, commonStyle,
	} {
		if !bytes.Contains(svg, []byte(piece)) {
			t.Errorf("no %q in the picture", piece)
		}
	}
	for range 2 {
		if again, err := simulated("--redis", server.URL(), "--plot", picture); err != nil || again != first {
			t.Errorf("on a Redis: %v, %s", err, again)
		}
		if again, err := os.ReadFile(picture); err != nil || !bytes.Equal(svg, again) {
			t.Errorf("on a Redis the picture differs, %v", err)
		}
	}
	client := server.Client()
	if err := client.Set(t.Context(), "mine", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	_, err = simulated("--redis", server.URL())
	if err == nil || !strings.Contains(err.Error(), "the database of --redis is not empty") {
		t.Errorf("a Redis that holds something: %v", err)
	}
	if kept, err := client.Get(t.Context(), "mine").Result(); kept != "1" || err != nil {
		t.Errorf("what it held: %q, %v", kept, err)
	}
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--days 3":              "--days: 3 is not from 4 to 100",
		"--articles 0":          "--articles: 0 is not from 1 to",
		"--good 2000":           "--good: 2000 is not from 1 to 1000",
		"--votes 10001":         "--votes: 10001 is not from 1 to",
		"--votes-per-day 200,7": "votesPerDay: 7 does not divide 86400",
		"--votes-per-day two":   `--votes-per-day: "two" is not a number`,
		"--redis localhost":     "--redis: ",
		"front-page":            "unexpected argument front-page",
	} {
		var out bytes.Buffer
		if err := run(t.Context(), strings.Fields(args), &out, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
