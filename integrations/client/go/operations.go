package laurel

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A BoardQuery selects a page of a board. The zero value is the first 30 of the current period.
type BoardQuery struct {
	Period        string // a past one; the current one if empty
	Limit, Offset int
	User          string   // the user whose standing is added
	Users         []string // the users whose standings are returned, at most 100
	Movement      bool     // whether entries have the rank of the period before
}

// Board reads a page of a board. All yields the entries from there on.
func (c *Client) Board(ctx context.Context, board, window string, q BoardQuery) (*Board, error) {
	with := ""
	if q.Movement {
		with = "movement"
	}
	return call[Board](ctx, c, open(ask(pathOf("/v1/boards/%s/%s", board, window), "period", q.Period, "limit", q.Limit,
		"offset", q.Offset, "user", q.User, "users", q.Users, "with", with)))
}

// Boards reads the boards of the rules, with their windows, names and questions.
func (c *Client) Boards(ctx context.Context) (*BoardList, error) {
	return call[BoardList](ctx, c, open("/v1/boards"))
}

// BoardWindows reads the top of the current periods of a board in one request: of the windows, or of all that it keeps.
func (c *Client) BoardWindows(ctx context.Context, board string, limit int, windows ...string) (*BoardWindows, error) {
	path := ask(pathOf("/v1/boards/%s", board), "limit", limit, "windows", strings.Join(windows, ","))
	return call[BoardWindows](ctx, c, open(path))
}

// Winners reads the first users of a board's ended periods, the newest first: so many of so many periods, 3 of 12 if
// they are 0, before a period if that is not empty.
func (c *Client) Winners(ctx context.Context, board, window, before string, periods, top int) (*Winners, error) {
	path := ask(pathOf("/v1/boards/%s/%s/winners", board, window), "before", before, "limit", periods, "top", top)
	return call[Winners](ctx, c, open(path))
}

// Wreaths reads the first ten places that a user has on final boards.
func (c *Client) Wreaths(ctx context.Context, user string) (*Wreaths, error) {
	return call[Wreaths](ctx, c, open(pathOf("/v1/users/%s/wreaths", user)))
}

// Standing reads a user's place, and 0 to 25 neighbours on each side, in the current period if that is empty.
func (c *Client) Standing(ctx context.Context, board, window, user, period string, around int) (*Board, error) {
	path := pathOf("/v1/boards/%s/%s/users/%s", board, window, user)
	return call[Board](ctx, c, open(ask(path, "period", period, "around", strconv.Itoa(around))))
}

// Friends reads the board of a user and those the user follows. Of the query it takes Period, Limit and Offset.
func (c *Client) Friends(ctx context.Context, board, window, user string, q BoardQuery) (*Friends, error) {
	path := pathOf("/v1/boards/%s/%s/users/%s/friends", board, window, user)
	return call[Friends](ctx, c, own(ask(path, "period", q.Period, "limit", q.Limit, "offset", q.Offset)))
}

// Periods reads a page of a board's periods before one, exclusively; from the current one if it is empty.
func (c *Client) Periods(ctx context.Context, board, window, before string, limit int) (*Periods, error) {
	path := pathOf("/v1/boards/%s/%s/periods", board, window)
	return call[Periods](ctx, c, open(ask(path, "before", before, "limit", limit)))
}

// Standings reads a user's present place on every board and window, for that user or the service.
func (c *Client) Standings(ctx context.Context, user string) (*Standings, error) {
	return call[Standings](ctx, c, own(pathOf("/v1/users/%s/standings", user)))
}

// ActivityDays reads the last days of a user, 31 if days is 0.
func (c *Client) ActivityDays(ctx context.Context, user string, days int) (*ActivityDays, error) {
	return call[ActivityDays](ctx, c, own(ask(pathOf("/v1/users/%s/activity", user), "days", days)))
}

// An EntryQuery selects entries of a user. The zero value is the newest 30.
type EntryQuery struct {
	Board, Action string
	Since         time.Time
	Limit, Offset int
}

// Entries reads a page of a user's entries, and why each counts or not.
func (c *Client) Entries(ctx context.Context, user string, q EntryQuery) (*Entries, error) {
	since := ""
	if !q.Since.IsZero() {
		since = q.Since.Format(time.RFC3339Nano)
	}
	return call[Entries](ctx, c, own(ask(pathOf("/v1/users/%s/entries", user), "board", q.Board, "action", q.Action,
		"since", since, "limit", q.Limit, "offset", q.Offset)))
}

// Profile reads a profile. A user without one is a problem with the code no_profile.
func (c *Client) Profile(ctx context.Context, user string) (*Profile, error) {
	return call[Profile](ctx, c, open(pathOf("/v1/users/%s", user)))
}

// PrivateProfile reads a profile with its private data, for the service. A user without one is a problem with the code
// no_profile.
func (c *Client) PrivateProfile(ctx context.Context, user string) (*Profile, error) {
	return call[Profile](ctx, c, own(pathOf("/v1/private/users/%s", user)))
}

// PutProfile replaces the profile of the user in it.
func (c *Client) PutProfile(ctx context.Context, p Profile) (*Profile, error) {
	return call[Profile](ctx, c, request{method: http.MethodPut, path: pathOf("/v1/users/%s", p.ID), body: p})
}

// maxProfiles is how many profiles a request may have.
const maxProfiles = 100

// PutProfiles replaces any number of profiles, 100 in a request. On an error it returns those that were put.
func (c *Client) PutProfiles(ctx context.Context, profiles ...Profile) (all []Profile, err error) {
	type list struct {
		Users []Profile `json:"users"`
	}
	for part := range slices.Chunk(profiles, maxProfiles) {
		answer, err := call[list](ctx, c, request{method: http.MethodPut, path: "/v1/users", body: list{part}})
		if err != nil {
			return all, err
		}
		all = append(all, answer.Users...)
	}
	return all, nil
}

// Erase erases a user everywhere, within minutes; Erasure returns its progress.
func (c *Client) Erase(ctx context.Context, user string) (*Erasure, error) {
	return call[Erasure](ctx, c, request{method: http.MethodDelete, path: pathOf("/v1/users/%s", user)})
}

// Erasure reads the progress of a user's erasure.
func (c *Client) Erasure(ctx context.Context, user string) (*Erasure, error) {
	return call[Erasure](ctx, c, own(pathOf("/v1/users/%s/erasure", user)))
}

// Following reads a page of a user's follow list.
func (c *Client) Following(ctx context.Context, user string, limit, offset int) (*Following, error) {
	return call[Following](ctx, c, own(ask(pathOf("/v1/users/%s/following", user), "limit", limit, "offset", offset)))
}

// PutFollowing replaces a user's follow list, 5,000 ids at most, and returns how many there are on it.
func (c *Client) PutFollowing(ctx context.Context, user string, ids ...string) (total int, err error) {
	var list struct {
		Users []UserRef `json:"users"`
	}
	list.Users = []UserRef{}
	for _, id := range ids {
		list.Users = append(list.Users, UserRef{ID: id})
	}
	path := pathOf("/v1/users/%s/following", user)
	answer, err := call[struct{ Total int }](ctx, c, request{method: http.MethodPut, path: path, body: list})
	if err != nil {
		return 0, err
	}
	return answer.Total, nil
}

// Visibility reads whether others see a user.
func (c *Client) Visibility(ctx context.Context, user string) (*Visibility, error) {
	return call[Visibility](ctx, c, own(pathOf("/v1/users/%s/visibility", user)))
}

// PutVisibility sets whether others see a user.
func (c *Client) PutVisibility(ctx context.Context, user string, v VisibilityChange) (*Visibility, error) {
	path := pathOf("/v1/users/%s/visibility", user)
	return call[Visibility](ctx, c, request{method: http.MethodPut, path: path, body: v})
}

// CreateArticle publishes an article. One without an id or a moment gets a random id and the moment of this call
// before it is sent: sent again with the same ones, it is the same article and not a second.
func (c *Client) CreateArticle(ctx context.Context, a NewArticle) (*Article, error) {
	a.ID = cmp.Or(a.ID, rand.Text())
	if a.PublishedAt.IsZero() {
		a.PublishedAt = time.Now().UTC().Truncate(time.Millisecond)
	}
	return call[Article](ctx, c, request{method: http.MethodPost, path: "/v1/articles", body: a})
}

// Article reads an article.
func (c *Client) Article(ctx context.Context, id string) (*Article, error) {
	return call[Article](ctx, c, open(pathOf("/v1/articles/%s", id)))
}

// EditArticle replaces an article's title, link and groups.
func (c *Client) EditArticle(ctx context.Context, id string, e ArticleEdit) (*Article, error) {
	return call[Article](ctx, c, request{method: http.MethodPut, path: pathOf("/v1/articles/%s", id), body: e})
}

// DeleteArticle deletes an article for good. Deleting one again is a problem with the code unknown_article, even if
// the answer to the first try was lost.
func (c *Client) DeleteArticle(ctx context.Context, id string) error {
	return c.do(ctx, request{method: http.MethodDelete, path: pathOf("/v1/articles/%s", id)}, new(struct{}))
}

// An ArticleQuery selects articles. Sort is hot, which it is if empty, or new.
type ArticleQuery struct {
	Sort, Group   string
	Limit, Offset int
}

// Articles reads a page of hot or new articles.
func (c *Client) Articles(ctx context.Context, q ArticleQuery) (*Articles, error) {
	return call[Articles](ctx, c, open(ask("/v1/articles", "sort", q.Sort, "group", q.Group, "limit", q.Limit,
		"offset", q.Offset)))
}

// Votes returns those of up to 100 articles that a user has voted for.
func (c *Client) Votes(ctx context.Context, user string, articles ...string) ([]string, error) {
	path := ask(pathOf("/v1/users/%s/votes", user), "article", articles)
	answer, err := call[struct{ Votes []string }](ctx, c, own(path))
	if err != nil {
		return nil, err
	}
	return answer.Votes, nil
}
