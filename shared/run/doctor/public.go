package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"laurel/shared/api/hooks"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
)

// publicPath is Laurel's path for the categories that guests of a Discourse read.
const publicPath = "/v1/hooks/discourse/categories"

// maxSite is the maximum number of bytes of a site.json: some forums have thousands of categories.
const maxSite = 16 << 20

// public reads the categories that a Discourse shows guests, and tells Laurel, whose webhooks do not have them. It is
// the one check that changes something. Until the list was filled once, no topic has a title.
func (c *client) public(ctx context.Context, token string, rules *activity.Rules) Line {
	if token == "" {
		return skipped("give --secret-file or --token, of the service", "the service's token is needed")
	}
	auth := []string{"Authorization", "Bearer " + token}
	var kept httpapi.Categories
	if _, err := c.get(ctx, publicPath, &kept, auth...); err != nil {
		return Fail("look at the log of the server, or of the function query", "%s: %v", publicPath, err)
	}
	since := "not known yet: topics count without titles"
	if kept.FilledAt != nil {
		since = fmt.Sprintf("%d, as of %s", len(kept.Categories), shortened(*kept.FilledAt))
	}
	forum := ""
	if rules != nil {
		forum = rules.Hook(activity.DiscourseHooks).Instance
	}
	if forum == "" {
		return Warn("name the forum as instance of the hooks in the rules, so that this command can read the "+
			"categories of guests, or run laurel pull discourse", "%s", since)
	}
	public, err := c.guests(ctx, forum)
	if err != nil {
		return Warn("see whether "+forum+"/site.json can be read from here without a login, and run this again",
			"%s; the forum: %v", since, err)
	}
	body, err := json.Marshal(map[string][]int64{"categories": append([]int64{}, public...)})
	var a *answer
	if err == nil {
		a, err = c.send(ctx, http.MethodPut, publicPath, string(body), auth...)
	}
	var now httpapi.Categories
	if err == nil {
		err = a.read(http.StatusOK, &now)
	}
	if err != nil {
		return Fail("look at the log of the server, or of the function record", "%s; %s: %v", since, publicPath, err)
	}
	hidden := ""
	if now.Hidden > 0 {
		hidden = fmt.Sprintf("; %d articles in others have lost their titles", now.Hidden)
	}
	if len(public) == 0 {
		return Warn("nothing, if only members read the forum; else see the categories that "+forum+
			"/site.json lists without a login", "guests read none: topics count without titles%s", hidden)
	}
	return Well("%d, which guests read: topics elsewhere count without titles%s", len(public), hidden)
}

// guests returns the categories that a forum shows guests: none if it requires a login.
func (c *client) guests(ctx context.Context, forum string) ([]int64, error) {
	address, err := url.Parse(forum)
	if err != nil {
		return nil, err
	}
	guest := client{base: address, http: c.http, now: c.now, most: maxSite}
	a, err := guest.send(ctx, http.MethodGet, "/site.json", "", "Accept", "application/json")
	switch {
	case err != nil:
		return nil, err
	case a.status == http.StatusUnauthorized || a.status == http.StatusForbidden:
		return nil, nil
	case a.status != http.StatusOK || a.long:
		return nil, fmt.Errorf("/site.json: %s", a.shown())
	}
	return hooks.PublicCategories(a.body)
}
