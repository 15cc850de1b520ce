package doctor

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
)

// tests are webhooks that change nothing, by source: an article that nobody knows is deleted, and
// events that do not count.
func testOf(source, id string) (body string, headers []string) {
	switch source {
	case activity.DiscourseHooks:
		return `{"ping":"OK"}`, []string{"X-Discourse-Event", "ping", "X-Discourse-Instance", "https://laurel-doctor.invalid"}
	case activity.NodeBBHooks:
		return `{"hook":"action:laurel.doctor","params":{}}`, nil
	default:
		return `{"deletedArticles":["laurel-doctor-` + id + `"]}`, nil
	}
}

// hook sends a signed webhook that is ignored, and looks whether it is.
func (c *client) hook(ctx context.Context, source, secret string) Line {
	const do = "compare the secret with those of the server (HOOK_SECRETS) and the forum, and the clocks; docs/connect.md"
	id := rand.Text()
	body, headers := testOf(source, id)
	signed, err := hooks.Sign(source, secret, "msg_"+id, c.now(), []byte(body))
	if err != nil {
		return failure(do, "%v", err)
	}
	for name, value := range signed {
		headers = append(headers, name, value)
	}
	a, err := c.send(ctx, http.MethodPost, "/v1/hooks/"+source, []byte(body), headers...)
	var did httpapi.HookAnswer
	if err == nil {
		err = a.read(http.StatusOK, &did)
	}
	switch {
	case err != nil && a != nil && a.status == http.StatusUnauthorized:
		return failure(do, "it is refused: %v", err)
	case err != nil:
		return failure("look at the log of the server, or of the function record", "%v", err)
	case len(did.Receipts)+len(did.Changed) > 0 || len(did.Ignored) == 0:
		return failure("tell Laurel's authors", "the test webhook was not ignored: %s", a.shown())
	}
	return ok("accepted, and ignored as it should be: %s", shortened(strings.Join(slices.Compact(did.Ignored), "; ")))
}
