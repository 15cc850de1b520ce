package httpapi

import (
	"context"
	"net/http"
	"slices"

	"laurel/shared/board"
	"laurel/shared/records"
)

// Days are the scores by day of a user who opened them.
type Days struct {
	User     User        `json:"user"`
	Timezone string      `json:"timezone" example:"Europe/Berlin"`
	Days     []ScoredDay `json:"days" nullable:"false" doc:"Newest first; includes days without scores"`
}

// A ScoredDay has the scores of a day.
type ScoredDay struct {
	Day    string           `json:"day" format:"date" example:"2026-11-20"`
	Scores map[string]int64 `json:"scores" doc:"By board"`
}

func (a *api) registerDays() {
	register(a, operation{
		id: "read-days", method: http.MethodGet, path: "/v1/users/{user}/days", tag: "boards",
		summary: "Read the scores by day of a user who opened them",
		detail: "Of users whose visibility has public days; others are not found, and so is who is excluded. What was done " +
			"on the days stays the user's own.",
		access: forAll, cache: cacheLive, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.days)
}

func (a *api) days(ctx context.Context, in *activityInput) (Days, error) {
	today := a.today()
	days, status, err := a.People.Days(ctx, in.User, today-board.Date(in.Days)+1, today)
	if err != nil {
		return Days{}, err
	}
	if !status.DaysPublic || status.Excluded || status.Shadowed {
		return Days{}, newProblem(CodeDaysPrivate, "the user has no public days")
	}
	answer := Days{User: userOf(in.User, records.Public{}), Timezone: a.Ledger.Calendar().Zone().String()}
	for _, d := range slices.Backward(days) {
		answer.Days = append(answer.Days, ScoredDay{Day: d.Day.String(), Scores: d.Scores})
	}
	return answer, nil
}
