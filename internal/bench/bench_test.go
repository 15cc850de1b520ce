package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/testserver"
)

// A small run prints a figure for every bar and leaves the database empty.
func TestRunReportsEveryBar(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	var out bytes.Buffer
	if err := Run(t.Context(), Options{URL: server.URL(), Out: &out, Users: []int{200}, Quick: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"100 entries, KB", "600 entries, KB", "on a page of 100 entries", "batches against the seven calls",
		"single activities against",
		"batches against the plain pipeline, events/s", "Redis CPU an event", "a page of 30 with a standing",
		"a standing with 5 neighbours", "of 9 bars reached",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, out.String())
		}
	}
	if n := server.Client().DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// A database that holds something is left alone.
func TestRunRefusesADatabaseInUse(t *testing.T) {
	t.Parallel()
	client := testserver.OwnRedis(t)
	client.Client().Set(t.Context(), "somebody's", "1", 0)
	err := Run(t.Context(), Options{URL: client.URL(), Out: &bytes.Buffer{}, Quick: true})
	if !errors.Is(err, ErrNotEmpty) {
		t.Errorf("got %v", err)
	}
	if n := client.Client().DBSize(t.Context()).Val(); n != 1 {
		t.Errorf("%d keys, want the one that was there", n)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	o, err := parse(strings.Fields("--quick --users 10,200"), "redis://h", io.Discard)
	if want := (Options{URL: "redis://h", Users: []int{10, 200}, Quick: true}); err != nil || !cmp.Equal(o, want) {
		t.Errorf("%+v, %v", o, err)
	}
	for args, want := range map[string]string{
		"":                            "there is no Redis",
		"--redis redis://h --users 0": `"0" is not a number of users`,
		"--redis redis://h fast":      "unexpected argument fast",
	} {
		if _, err := parse(strings.Fields(args), "", io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
