package vectors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// ErrUsed is the error of a vector whose users the server has already.
var ErrUsed = errors.New("the server has users of the vector already: it has to be a new one")

// The reads of boards, which may be behind receipts, until work in the background is done.
const (
	boardsWithin = 10 * time.Second / readyAgain
	workWithin   = 3 * time.Minute / readyAgain
)

// Play sends the requests of a vector to a server, and returns the differences of its receipts and boards; ErrOther or
// ErrUsed if it is not the vector's server, of which nothing was changed then.
func (s *Server) Play(ctx context.Context, v *Vector) (differences []string, err error) {
	found, err := s.ask(ctx)
	if err != nil {
		return nil, err
	}
	if err := v.fits(found); err != nil {
		return nil, err
	}
	for _, want := range v.Boards {
		got, err := s.read(ctx, v, want)
		if err == nil && len(got) > 0 {
			err = fmt.Errorf("%w: %s is on %s", ErrUsed, got[0].id(), want)
		}
		if err != nil {
			return nil, err
		}
	}
	for i, step := range v.Steps {
		got, err := s.step(ctx, step)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		if len(step.Statuses) > 0 && !slices.Equal(got, step.Statuses) {
			differences = append(differences, fmt.Sprintf("step %d: statuses %s, want %s", i+1,
				strings.Join(got, " "), strings.Join(step.Statuses, " ")))
		}
	}
	onBoards, err := s.compare(ctx, v)
	return append(differences, onBoards...), err
}

// step sends a request, and returns the statuses of its receipts.
func (s *Server) step(ctx context.Context, step Step) (statuses []string, err error) {
	type receipt struct {
		Status string `json:"status"`
	}
	var answer struct {
		receipt
		Receipts []receipt `json:"receipts"`
	}
	err = s.send(ctx, s.state.token, step.Method, step.Path, step.Body, &answer)
	if answer.Status != "" {
		statuses = append(statuses, answer.Status)
	}
	for _, r := range answer.Receipts {
		statuses = append(statuses, r.Status)
	}
	return statuses, err
}

// compare compares the boards until they are equal, or for the time that they may take.
func (s *Server) compare(ctx context.Context, v *Vector) (differences []string, err error) {
	within := boardsWithin
	if v.Wait {
		within = workWithin
	}
	for reads := range within {
		if reads > 0 {
			if err := s.Sleep(ctx, readyAgain); err != nil {
				return nil, err
			}
		}
		differences = nil
		for _, want := range v.Boards {
			got, err := s.read(ctx, v, want)
			if err != nil {
				return nil, err
			}
			differences = append(differences, difference(want, got)...)
		}
		if len(differences) == 0 {
			break
		}
	}
	return differences, nil
}

// id returns the user or the team.
func (e Entry) id() string { return cmp.Or(e.User, e.Team) }

// read returns the entries of the vector's users, or teams, on a board. Ranks leave out others.
func (s *Server) read(ctx context.Context, v *Vector, b Board) (entries []Entry, err error) {
	others := int64(0)
	query := url.Values{"limit": {"100"}, "period": {b.Period}}
	for {
		var p page
		path := boardPath(b.Board, b.Window) + "?" + query.Encode()
		if err := s.send(ctx, "", http.MethodGet, path, nil, &p); err != nil {
			return nil, err
		}
		for _, e := range p.Entries {
			entry := Entry{Rank: e.Rank - others, User: e.User.ID, Score: e.Score}
			if e.Team != nil {
				entry.Team, entry.Members = e.Team.ID, &e.Team.Members
			} else {
				entry.ReachedAt = e.ReachedAt.UTC().Format(MomentForm)
			}
			if strings.HasPrefix(entry.id(), v.Name+".") {
				entries = append(entries, entry)
			} else {
				others++
			}
		}
		if p.Next == nil {
			return entries, nil
		}
		query.Set("after", *p.Next)
	}
}

// difference returns the places of which one side has another user, score or moment.
func difference(want Board, got []Entry) (lines []string) {
	text := func(entries []Entry, i int) string {
		if i >= len(entries) {
			return "nobody"
		}
		e := entries[i]
		if e.Members != nil {
			return fmt.Sprintf("%s at rank %d with %d of %d members", e.Team, e.Rank, e.Score, *e.Members)
		}
		return fmt.Sprintf("%s at rank %d with %d, reached at %s", e.User, e.Rank, e.Score, e.ReachedAt)
	}
	for i := range max(len(want.Entries), len(got)) {
		if has, should := text(got, i), text(want.Entries, i); has != should {
			lines = append(lines, fmt.Sprintf("%s: place %d: %s, want %s", want, i+1, has, should))
		}
	}
	return lines
}

// String returns the board, its window and the period.
func (b Board) String() string { return b.Board + " " + b.Window + " " + b.Period }

// A Result is the outcome of a vector.
type Result struct {
	Name        string   `json:"name"`
	Differences []string `json:"differences,omitempty"`
	Needs       string   `json:"needs,omitempty"` // the command that starts its server, if this is another one
}

// A Report has the outcomes of vectors.
type Report struct {
	Results []Result `json:"vectors"`
	Equal   int      `json:"equal"`
	Differ  int      `json:"differ"`
	Other   int      `json:"other"` // need another server
}

// PlayAll plays vectors, one after the other.
func (s *Server) PlayAll(ctx context.Context, all []*Vector) (r Report, err error) {
	var last error
	for _, v := range all {
		result := Result{Name: v.Name}
		result.Differences, err = s.Play(ctx, v)
		switch {
		case errors.Is(err, ErrOther):
			last = fmt.Errorf("%s: %w", v.Name, err)
			result.Needs = v.Setup()
			r.Other++
		case err != nil:
			return r, fmt.Errorf("%s: %w", v.Name, err)
		case len(result.Differences) > 0:
			r.Differ++
		default:
			r.Equal++
		}
		r.Results = append(r.Results, result)
	}
	if r.Equal+r.Differ == 0 {
		return r, fmt.Errorf("%w; start it so: %s", last, r.Results[len(r.Results)-1].Needs)
	}
	return r, nil
}

// String lists the differences, and the servers that further vectors need.
func (r Report) String() string {
	var text strings.Builder
	for _, result := range r.Results {
		for _, line := range result.Differences {
			fmt.Fprintf(&text, "%s: %s\n", result.Name, line)
		}
	}
	fmt.Fprintf(&text, "vectors: %d equal, %d different, %d for another server\n", r.Equal, r.Differ, r.Other)
	told := map[string]bool{}
	for _, result := range r.Results {
		if result.Needs != "" && !told[result.Needs] {
			told[result.Needs] = true
			fmt.Fprintf(&text, "  %s\n", result.Needs)
		}
	}
	return text.String()
}
