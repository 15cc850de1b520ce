package httpapi

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/report"
	"laurel/shared/strictjson"
)

// FollowList is whom a user is to follow.
type FollowList struct {
	Users []string `json:"users" maxItems:"5000" nullable:"false" example:"[\"bob\",\"cid\"]" doc:"Their ids, each once, and not the user's own"`
}

// Followed says how long a follow list is.
type Followed struct {
	User  string `json:"user" example:"ann"`
	Total int64  `json:"total" example:"2" doc:"How many are on the list"`
}

// Following is a page of whom a user follows.
type Following struct {
	Users []User `json:"users" nullable:"false" doc:"By id"`
	Total int64  `json:"total" example:"2" doc:"How many are on the whole list"`
}

type followingInput struct {
	UserPath
	Paging
}

// Resolve names what is wrong with the request beside what huma finds.
func (in *followingInput) Resolve(ctx huma.Context) []error {
	return append(queryFaults(ctx), userFaults("path.user", in.User)...)
}

func (a *api) registerFollowing() {
	register(a, operation{
		id: "put-following", method: http.MethodPut, path: "/v1/users/{user}/following", tag: "people",
		summary: "Replaces whom a user follows",
		detail:  "The activities follow and unfollow keep the list too. Replacing it gives no points.",
		parts:   Record, access: forUser, body: FollowList{}, errors: append([]int{http.StatusConflict}, bodyErrors...),
	}, a.follow)
	register(a, operation{
		id: "read-following", method: http.MethodGet, path: "/v1/users/{user}/following", tag: "people",
		summary: "Whom a user follows",
		parts:   Query, access: forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.following)
}

func (a *api) follow(ctx context.Context, in *userBody) (Followed, error) {
	verdict := &report.Verdict{}
	users, err := readFollowList(in.body, in.User, &verdict.Faults)
	if err != nil {
		return Followed{}, badBody(strictjson.Reason(err))
	}
	if p := faulty(verdict, in.query); p != nil {
		return Followed{}, p
	}
	if err := a.Store.ReplaceFollowing(ctx, in.User, users, board.MomentOf(a.Now())); err != nil {
		return Followed{}, err
	}
	return Followed{User: in.User, Total: int64(len(users))}, nil
}

func (a *api) following(ctx context.Context, in *followingInput) (Following, error) {
	page, err := a.Store.Following(ctx, in.User, in.Offset, in.Limit)
	if err != nil {
		return Following{}, err
	}
	profiles := a.names(ctx, listed(page.Users, page.Profiles, page.Era))
	answer := Following{Users: make([]User, len(page.Users)), Total: page.Total}
	for i, id := range page.Users {
		answer.Users[i] = userOf(id, profiles[id])
	}
	return answer, nil
}

// readFollowList reads {"users":["id",...]}.
func readFollowList(body []byte, user string, f *strictjson.Faults) (users []string, err error) {
	users = []string{}
	seen := map[string]bool{}
	err = readList(body, f, "users", ledger.MaxReplaced, func(r *strictjson.Reader, i int) error {
		at := fmt.Sprintf("body.users[%d]", i)
		id, err := r.Text(at)
		if id == nil {
			return err
		}
		switch message := checkUser(*id); {
		case message != "":
			f.Add(at, message, *id)
		case *id == user:
			f.Add(at, "is the user's own id", *id)
		case seen[*id]:
			f.Add(at, "is there before", *id)
		}
		seen[*id] = true
		users = append(users, *id)
		return nil
	})
	return users, err
}

// checkUser says what is wrong with a user's id, "" for nothing.
func checkUser(id string) string { return activity.CheckID(id, activity.MaxUserID) }
