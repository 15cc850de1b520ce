package httpapi_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// What answers append is what encoding/json makes of their types: for random values, so that
// no field is left out.
func TestAppendedIsEncoded(t *testing.T) {
	t.Parallel()
	for name, draw := range map[string]func(*rapid.T) httpapi.Appender{
		"Board": func(r *rapid.T) httpapi.Appender {
			b := rapid.Make[httpapi.Board]().Draw(r, "board")
			for i := range b.Standings {
				b.Standings[i].Percentile = percentile(r)
			}
			if b.Standing != nil {
				b.Standing.Percentile = percentile(r)
			}
			return b
		},
		"FriendsBoard": func(r *rapid.T) httpapi.Appender {
			b := rapid.Make[httpapi.FriendsBoard]().Draw(r, "board")
			b.Standing.Percentile = percentile(r)
			return b
		},
		"Standings": func(r *rapid.T) httpapi.Appender {
			s := rapid.Make[httpapi.Standings]().Draw(r, "standings")
			for i := range s.Standings {
				s.Standings[i].Percentile = percentile(r)
			}
			return s
		},
		"Receipts": func(r *rapid.T) httpapi.Appender {
			return httpapi.Receipts{Receipts: rapid.Make[[]httpapi.Receipt]().Draw(r, "receipts")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(r *rapid.T) {
				v := draw(r)
				asEncoded(r, v, v)
			})
		})
	}
}

// Texts of every kind are those of encoding/json.
func TestAppendedTexts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		piece := rapid.OneOf(rapid.String(), rapid.Just("\xff"), rapid.Just("<&>\u2028\u2029\x7f\"\\\n\ufffd"))
		id := piece.Draw(r, "id")
		name := piece.Draw(r, "name") + piece.Draw(r, "rest")
		s := httpapi.Standings{User: httpapi.User{ID: httpapi.UserID(id), Name: name}}
		asEncoded(r, s, s)
	})
}

func percentile(r *rapid.T) *float64 {
	tenths := rapid.IntRange(-1, 1_000).Draw(r, "tenths")
	if tenths < 0 {
		return nil
	}
	return new(float64(tenths) / 10)
}

func asEncoded(r *rapid.T, v httpapi.Appender, like any) {
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	harness.OK(r, encoder.Encode(like))
	if got, err := httpapi.Marshal(v); err != nil || !bytes.Equal(got, want.Bytes()) {
		r.Errorf("%v\n got %s\nwant %s", err, got, want.Bytes())
	}
}

// BenchmarkMarshal writes a page of 30 with names.
func BenchmarkMarshal(b *testing.B) {
	p := httpapi.Board{Entries: make([]httpapi.Entry, 30)}
	for i := range p.Entries {
		id := strconv.Itoa(10_000_000 + i)
		user := httpapi.User{
			ID: httpapi.UserID(id), Name: "Người dùng " + id, Avatar: "https://forum.example/a/" + id + ".png",
			Link: "https://forum.example/u/" + id,
		}
		p.Entries[i] = httpapi.Entry{Rank: int64(i), Score: 500, ReachedAt: "2026-11-20T13:45:10.250+01:00", User: user}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := httpapi.Marshal(p); err != nil {
			b.Fatal(err)
		}
	}
}
