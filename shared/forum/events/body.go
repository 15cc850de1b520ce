package events

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
)

// A Body is the JSON of a request: about a board, with Data, or about points that were taken from a person.
type Body[T any] struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // when the reported change happened, RFC 3339 in UTC
	Data      T      `json:"data"`
}

// encode writes the body of an event.
func encode[T any](e *items.Event, data T) ([]byte, error) {
	return json.Marshal(Body[T]{e.Type, e.At.Time().Format(time.RFC3339), data})
}

// Data is a board of the period that an event is about, with its first entries.
type Data struct {
	Board    string   `json:"board"`
	Window   string   `json:"window"`
	Period   string   `json:"period"`
	Timezone string   `json:"timezone"`
	StartsAt string   `json:"startsAt"`
	EndsAt   string   `json:"endsAt"`
	Final    bool     `json:"final"`
	Of       string   `json:"of,omitempty"` // "teams" of a board of teams
	Total    int64    `json:"total"`        // how many are on the board
	Entries  []Member `json:"entries"`
}

// A Member is a user on a board, or a team, in the form that the API has.
type Member struct {
	Rank      int64         `json:"rank"`
	Score     int64         `json:"score"`
	ReachedAt string        `json:"reachedAt,omitempty"`
	User      *profile.User `json:"user,omitempty"`
	Team      *Team         `json:"team,omitempty"`
}

// A Team is a team on a board.
type Team struct {
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Members int64  `json:"members"`
}

// resolve reads the present users behind an event's keys. A user who was erased since the end of its period, by the
// calendar, or since the act, is nobody. On a board a hidden or excluded user is nobody, too; the event of
// one's own points names them.
func resolve(ctx context.Context, store *items.Store, c *board.Calendar, e *items.Event) (
	map[items.Key]profile.User, error,
) {
	var keys []items.Key
	for _, entry := range e.Entries {
		keys = append(keys, entry.Key)
	}
	_, end := c.Bounds(e.Period)
	if e.Taken != nil {
		keys, end = append(keys, e.Taken.Person), e.At
	}
	people, err := store.StandIns(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("events: users on the board: %w", err)
	}
	users := make(map[items.Key]profile.User, len(e.Entries))
	for key, row := range people {
		p := row.Value
		if p != nil && p.ID != "" && !p.Tombstone() && p.Erased < end && (e.Taken != nil || !p.Status.Suppressed()) {
			users[key] = profile.User{ID: &p.ID, Public: p.Profile.Public()}
		}
	}
	return users, nil
}

// bodyOf writes the body of an event, whose people are known. label returns that of a team on the event's board.
func bodyOf(e *items.Event, c *board.Calendar, users map[items.Key]profile.User, label func(group string) string) (
	[]byte, error,
) {
	start, end := c.Bounds(e.Period)
	data := Data{
		Board: e.Board, Window: e.Period.Window().String(), Period: e.Period.String(), Timezone: c.Zone().String(),
		StartsAt: start.Time().In(c.Zone()).Format(time.RFC3339), EndsAt: end.Time().In(c.Zone()).Format(time.RFC3339),
		Final: e.Type == activity.EventPeriodFinal, Total: e.Total, Entries: []Member{},
	}
	if e.OfTeams {
		data.Of = "teams"
	}
	for _, t := range e.Teams {
		team := &Team{t.Group, label(t.Group), t.Members}
		data.Entries = append(data.Entries, Member{Rank: t.Rank, Score: t.Sum, Team: team})
	}
	for i, entry := range e.Entries {
		data.Entries = append(data.Entries, Member{
			Rank: int64(i) + 1, Score: entry.Packed.Score(), User: new(users[entry.Key]),
			ReachedAt: c.Text(c.AtTicks(e.Period, entry.Packed.Ticks())),
		})
	}
	return encode(e, data)
}
