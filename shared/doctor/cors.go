package doctor

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// cors asks as a browser does for a page of the forum: for a report with a token, and for a board.
func (c *client) cors(ctx context.Context, origin string) Line {
	if origin == "" {
		return skipped("give --origin https://..., that of the forum's pages", "no origin to ask as")
	}
	const do = "add the origin to CorsOrigins in AWS, to --origins of laurel serve; a proxy must leave OPTIONS to " +
		"Laurel, and add no such header itself"
	for _, asked := range []struct {
		method, path string
		headers      []string
	}{
		{http.MethodOptions, "/v1/activities", []string{
			"Access-Control-Request-Method", http.MethodPost, "Access-Control-Request-Headers", "authorization,content-type",
		}},
		{http.MethodGet, "/v1/boards", nil},
	} {
		a, err := c.ask(ctx, asked.method, asked.path, append(asked.headers, "Origin", origin)...)
		if err == nil {
			err = a.allows(origin, asked.method == http.MethodOptions)
		}
		if err != nil {
			return failure(do, "%s %s: %v", asked.method, asked.path, err)
		}
	}
	return ok("pages of %s may read and report", origin)
}

// allows says why a browser would not give an answer to a page, or not send the report.
func (a *answer) allows(origin string, preflight bool) error {
	const allowed = "Access-Control-Allow-Origin"
	if a.status >= http.StatusMultipleChoices {
		return fmt.Errorf("%s", a.shown())
	}
	switch values := a.header.Values(allowed); {
	case len(values) == 0:
		return fmt.Errorf("no %s: pages of %s may not", allowed, origin)
	case len(values) > 1:
		return fmt.Errorf("%s is there %d times, which browsers refuse", allowed, len(values))
	case values[0] != "*" && values[0] != origin:
		return fmt.Errorf("%s is %s, not %s", allowed, shortened(values[0]), origin)
	}
	if !preflight {
		return nil
	}
	for _, wanted := range [...][2]string{
		{"Access-Control-Allow-Methods", "post"},
		{"Access-Control-Allow-Headers", "authorization"},
		{"Access-Control-Allow-Headers", "content-type"},
	} {
		list := strings.Split(strings.ToLower(strings.ReplaceAll(a.header.Get(wanted[0]), " ", "")), ",")
		if !slices.Contains(list, wanted[1]) {
			return fmt.Errorf("%s has no %s", wanted[0], wanted[1])
		}
	}
	return nil
}
