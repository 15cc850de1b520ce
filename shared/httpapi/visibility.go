package httpapi

import (
	"context"
	"net/http"

	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// The two ways a user can be with the boards.
const (
	boardsHidden = "hidden"
	boardsShown  = "shown"
)

// A Visibility is whether a user is on the boards that others see.
type Visibility struct {
	Boards string `json:"boards" enum:"hidden,shown" example:"hidden"`
}

// UserVisibility is a visibility with whose it is.
type UserVisibility struct {
	User string `json:"user" example:"ann"`
	Visibility
}

// An Exclusion is whether an operator has taken a user off the boards.
type Exclusion struct {
	User     string `json:"user" example:"ann"`
	Excluded bool   `json:"excluded"`
}

func (a *api) registerVisibility() {
	register(a, operation{
		id: "put-visibility", method: http.MethodPut, path: "/v1/users/{user}/visibility", tag: "people",
		summary: "Hides a user from the boards, or shows the user again",
		detail: "A hidden user is on no live board that others see, and the places close up; what the user does is recorded as ever, and the user's own standings tell the place it would be. " +
			"What is final stays as it is.",
		parts: Record, access: forUser, body: Visibility{}, errors: bodyErrors,
	}, a.putVisibility)
	const detail = "An excluded user is on no live board, and nothing is kept of what is reported meanwhile. Taken back, the user is on the boards again with what was earned before."
	exclusion := operation{
		id: "put-exclusion", method: http.MethodPut, path: "/v1/users/{user}/exclusion", tag: "people",
		summary: "Excludes a user from the boards", detail: detail,
		parts: Record, access: forService, errors: []int{http.StatusServiceUnavailable},
	}
	register(a, exclusion, func(ctx context.Context, in *onlyUser) (Exclusion, error) { return a.exclude(ctx, in.User, true) })
	exclusion.id, exclusion.method, exclusion.summary = "delete-exclusion", http.MethodDelete, "Takes an exclusion back"
	register(a, exclusion, func(ctx context.Context, in *onlyUser) (Exclusion, error) { return a.exclude(ctx, in.User, false) })
}

func (a *api) putVisibility(ctx context.Context, in *userBody) (UserVisibility, error) {
	verdict := &report.Verdict{}
	boards, err := readVisibility(in.body, &verdict.Faults)
	if err != nil {
		return UserVisibility{}, badBody(strictjson.Reason(err))
	}
	if p := faulty(verdict, in.query); p != nil {
		return UserVisibility{}, p
	}
	if err := a.Store.SetHidden(ctx, in.User, boards == boardsHidden); err != nil {
		return UserVisibility{}, err
	}
	return UserVisibility{User: in.User, Visibility: Visibility{Boards: boards}}, nil
}

// readVisibility reads {"boards":"hidden"} or "shown".
func readVisibility(body []byte, f *strictjson.Faults) (boards string, err error) {
	r := strictjson.NewReader(body, f)
	given := false
	ok, err := r.Object("body", func(name string) error {
		if name != "boards" {
			return r.Wrong("body."+strictjson.Shorten(name), "is not a field here; there is only boards")
		}
		given = true
		text, err := r.Text("body.boards")
		if text == nil {
			return err
		}
		if boards = *text; boards != boardsHidden && boards != boardsShown {
			f.Add("body.boards", "must be hidden or shown", boards)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if ok && !given {
		f.Add("body.boards", "is missing", nil)
	}
	return boards, r.End()
}

func (a *api) exclude(ctx context.Context, user string, excluded bool) (Exclusion, error) {
	if err := a.Store.SetExclusion(ctx, user, excluded); err != nil {
		return Exclusion{}, err
	}
	return Exclusion{User: user, Excluded: excluded}, nil
}
