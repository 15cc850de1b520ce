package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel/shared/api/auth/token"
	"laurel/shared/api/hooks"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/signatures"
)

// Nobody is the user of the standings that are read if a token names none.
const Nobody = "laurel-doctor"

// compareTokens is the act for a refused token whose claims are well.
const compareTokens = "compare the secret, or the issuer, and the audience with those of the server, and the clocks; " +
	"a secret is used as text, even if it is hex; docs/connect.md lists the checks"

// token checks that a token is accepted at its own user's route, that a damaged one and a missing one are refused,
// and that a member's is refused at another user's. It reports whether it is the service's.
func (c *client) token(ctx context.Context, text string) (l Line, service bool) {
	const do = compareTokens
	bearer := func(path, text string) (*answer, error) {
		return c.send(ctx, http.MethodGet, path, "", "Authorization", "Bearer "+text)
	}
	own := "/v1/users/" + cmp.Or(subject(text), Nobody) + "/standings"
	a, err := bearer(own, text)
	if err != nil {
		return Fail(do, "%v", err), false
	}
	if !a.accepted() {
		return refused(a, text), false
	}
	none, err := c.send(ctx, http.MethodGet, own, "")
	if err == nil && none.accepted() {
		return Fail("do not let this server be reached: anybody reads users' own data",
			"the route is open without a token: %s", none.shown()), false
	}
	damaged, err := bearer(own, damage(text))
	switch {
	case err != nil:
		return Fail(do, "%v", err), false
	case damaged.accepted():
		return Fail("do not let this server be reached: anybody can report as anybody",
			"a token whose signature was damaged is accepted: %s", damaged.shown()), false
	case damaged.status != http.StatusUnauthorized && damaged.status != http.StatusForbidden:
		return Fail(do, "a damaged token is not refused with 401 or 403: %s", damaged.shown()), false
	}
	a, err = bearer("/v1/status", text)
	switch service = err == nil && a.status == http.StatusOK; {
	case service:
		return Well("accepted, as the service's; a damaged one is refused with %d", damaged.status), true
	case err == nil && a.said.Code == string(httpapi.CodeServiceOnly):
		other, err := bearer("/v1/users/"+Nobody+"-other/standings", text)
		if err != nil {
			return Fail(do, "%v", err), false
		}
		if other.status != http.StatusForbidden {
			return Fail("do not let this server be reached: members read each other's standings",
				"a member's token is not refused at another user's standings: %s", other.shown()), false
		}
		return Well("accepted, as a user's; a damaged one is refused with %d, and one at another user's with 403",
			damaged.status), false
	case err == nil && a.status == http.StatusServiceUnavailable:
		return Well("accepted; a damaged one is refused with %d", damaged.status), true
	default:
		return Warn("update the server: this command is of a later version",
			"accepted; but the server does not answer GET /v1/status"), false
	}
}

// refused tells why a token is not accepted, and the act that mends it: from the server's message, else from the
// token itself, which is all where API Gateway answers.
func refused(a *answer, text string) Line {
	code := a.said.Code
	if do, known := remedy(code); known && code != string(token.Signature) {
		return Fail(do, "it is refused: %s", a.shown())
	}
	summary, err := token.Look(text, time.Now())
	if r, wrong := errors.AsType[*token.Refusal](err); wrong {
		do, _ := remedy(string(r.Fault))
		return Fail(do, "it is refused: %s; %s", a.shown(), r.Detail)
	}
	return Fail(compareTokens, "it is refused: %s; %s", a.shown(), summary)
}

// remedy returns the act for a refused token; false for any other code.
func remedy(code string) (do string, known bool) {
	for _, kind := range httpapi.Kinds() {
		if string(kind.Code) == code && strings.HasPrefix(code, "token_") {
			return kind.Action, true
		}
	}
	return "", false
}

// accepted reports whether the token of a request was: its user may differ from its subject.
func (a *answer) accepted() bool {
	return a.status == http.StatusOK || a.said.Code == string(httpapi.CodeOtherUser)
}

// subject returns the token's subject; "" if it has none.
func subject(text string) string {
	var claims struct {
		Subject string `json:"sub"`
	}
	if parts := strings.Split(text, "."); len(parts) == 3 {
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err == nil && json.Unmarshal(payload, &claims) == nil {
			return claims.Subject
		}
	}
	return ""
}

// damage changes one character in the middle of a token's last part, the signature.
func damage(text string) string {
	start := strings.LastIndexByte(text, '.') + 1
	middle := start + (len(text)-start)/2
	if middle >= len(text) {
		return text + "x"
	}
	other := byte('A')
	if text[middle] == other {
		other = 'B'
	}
	return text[:middle] + string(other) + text[middle+1:]
}

// hook sends a signed webhook that is ignored, and checks that it is.
func (c *client) hook(ctx context.Context, source, secret string) Line {
	const do = "compare the secret with those of the server (HOOK_SECRETS) and the forum, and the clocks; docs/connect.md"
	id := rand.Text()
	body, headers := hooks.Ping(source, id)
	for name, value := range signatures.Sign(source, secret, "msg_"+id, c.now(), []byte(body)) {
		headers = append(headers, name, value)
	}
	a, err := c.send(ctx, http.MethodPost, "/v1/hooks/"+source, body, headers...)
	var did httpapi.HookAnswer
	if err == nil {
		err = a.read(http.StatusOK, &did)
	}
	switch {
	case err != nil && a != nil && a.status == http.StatusUnauthorized:
		return Fail(do, "it is refused: %v", err)
	case err != nil:
		return Fail("look at the log of the server, or of the function record", "%v", err)
	case len(did.Receipts)+len(did.Changed) > 0 || len(did.Ignored) == 0:
		return Fail("tell Laurel's authors", "the test webhook was not ignored: %s", a.shown())
	}
	return Well("accepted, and ignored as it should be: %s", shortened(strings.Join(slices.Compact(did.Ignored), "; ")))
}
