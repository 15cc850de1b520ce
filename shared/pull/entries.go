package pull

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"laurel/shared/board"
)

// A LedgerEntry is one of what Laurel has of a user, as far as it is read.
type LedgerEntry struct {
	Action     string        `json:"action"`
	Target     string        `json:"target"`
	TargetHash string        `json:"targetHash"`
	Ref        string        `json:"ref"`
	RefHash    string        `json:"refHash"`
	State      string        `json:"state"`
	Points     int64         `json:"points"`
	Month      board.MonthOf `json:"month"`
	Day        board.Date    `json:"day"`
	LastAt     string        `json:"lastAt"`
	UndoneAt   string        `json:"undoneAt"`
	RestoredAt string        `json:"restoredAt"`
}

// Undone is the state of an entry that does not stand.
const Undone = "undone"

// Get reads an answer of Laurel.
func (s *Service) Get(ctx context.Context, path string, into any) error {
	text, err := s.Do(ctx, Request{Method: http.MethodGet, Path: path})
	if err != nil {
		return err
	}
	return s.decode(text, into)
}

func (s *Service) decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: not an answer of Laurel: %w", s.Name, err)
	}
	return nil
}

// LedgerEntries reads all pages of a user's entries, those that a query asks for.
func (s *Service) LedgerEntries(ctx context.Context, user string, query url.Values) (all []LedgerEntry, err error) {
	query.Set("limit", "100")
	for path := "/v1/users/" + url.PathEscape(user) + "/entries?" + query.Encode(); path != ""; {
		var p struct {
			Entries []LedgerEntry `json:"entries"`
			Next    string        `json:"next"`
		}
		if err := s.Get(ctx, path, &p); err != nil {
			return nil, err
		}
		all, path = append(all, p.Entries...), p.Next
	}
	return all, nil
}
