package httpapi

import (
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// loginPath is where a page sends its visitor to get a token, and where the forum sends the visitor back to.
const loginPath = "/v1/login/discourse"

// loginCookie has the secret that the visitor's browser alone knows: an answer of the forum is taken from the
// browser that asked. Its prefix has browsers hold it for this host, by https (or localhost).
const (
	loginCookie = "__Host-laurel-login"
	loginMaxAge = 600 // seconds
)

// login sends a visitor to the forum, and from there back to the page with a token. It is for people, no operation.
func (a *api) login(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "private, no-store")
	header.Set("Referrer-Policy", "no-referrer") // the address has the text that the forum signed
	rules := a.Ledger.Rules().Hook(activity.DiscourseHooks)
	if a.SignUser == nil || rules.Login == "" || a.Hooks.CheckLogin() != nil {
		newProblem(CodeNotFound, "no login by Discourse is configured: it takes hooks.discourse.login of the rules, "+
			"a secret of discourse for webhooks with 32 bytes or more, and one that signs users' tokens").write(w)
		return
	}
	query, p := a.loginQuery(r, rules)
	if p != nil {
		p.write(w)
		return
	}
	login := signatures.Login{
		Forum: rules.Instance, Return: query.Get("return"), State: query.Get("state"), Browser: browserOf(r),
	}
	back := url.Values{"return": {login.Return}, "state": {login.State}}
	login.Address = rules.Login + loginPath + "?" + back.Encode()
	var target string
	var err error
	status := http.StatusFound
	if query.Has("sso") {
		status = http.StatusSeeOther
		target, err = a.loggedIn(login, query)
	} else {
		http.SetCookie(w, &http.Cookie{
			Name: loginCookie, Value: login.Browser, Path: "/", MaxAge: loginMaxAge, Secure: true, HttpOnly: true,
			SameSite: http.SameSiteLaxMode,
		})
		target, err = a.Hooks.Ask(login, query.Get("prompt") == "none", a.Now())
	}
	switch {
	case errors.Is(err, signatures.ErrSignature):
		newProblem(CodeBadSignature, strings.TrimPrefix(err.Error(), "signatures: ")).write(w)
	case err != nil:
		problemOf(r.Context(), a.Log, err).write(w)
	default:
		header.Set("Location", target)
		w.WriteHeader(status)
	}
}

// loggedIn returns the page with the token of the user whom the forum has named, or with the
// error, and with the state by which the page knows that it has asked: another user's link to it has
// that user's token. A fragment is sent to no server.
func (a *api) loggedIn(login signatures.Login, query url.Values) (string, error) {
	state := "&state=" + login.State
	user, err := a.Hooks.Named(login, query.Get("sso"), query.Get("sig"), a.Now())
	if errors.Is(err, signatures.ErrNobody) {
		return login.Return + "#laurel_error=login_required" + state, nil
	}
	if err != nil {
		return "", err //nolint:wrapcheck // it says all
	}
	signed, err := a.SignUser(user)
	return login.Return + "#laurel=" + signed + state, err
}

// loginParameters are those of a page, and those that the forum adds. loginQuery looks at return and state.
var loginParameters = map[string]parameter{
	"return": {}, "state": {}, "prompt": {enum: []string{"none"}}, "sso": {}, "sig": {},
}

// loginQuery returns the parameters, or their violations. The page has to be the
// forum's, or one of EmbedOrigins: the operator decides which pages may have a token.
func (a *api) loginQuery(r *http.Request, rules activity.Hook) (url.Values, *Problem) {
	query, found := pageQuery(r.URL.RawQuery, loginParameters)
	if query == nil {
		return nil, problemWith(&wire.Violations{}, found)
	}
	page := query.Get("return")
	if code, message := activity.CheckURL(page); code != "" {
		found = append(found, newViolation(code, "query.return", message, page))
	} else if !slices.Contains(append([]string{originOf(rules.Instance)}, a.EmbedOrigins...), originOf(page)) ||
		strings.Contains(page, "#") {
		found = append(found, newViolation(activity.CodeUnknownValue, "query.return",
			"must be a page of the forum or of an origin in EMBED_ORIGINS, without a fragment", page))
	}
	if state := query.Get("state"); !query.Has("state") {
		found = append(found, newViolation(activity.CodeMissingParameter, "query.state",
			"missing required parameter: a random text, by which the page takes only the token that it has asked for", nil))
	} else if state == "" || len(state) > maxState || strings.Trim(state, alphanumeric+"-_.~") != "" {
		found = append(found, newViolation(activity.CodePattern, "query.state",
			"must be 1 to 128 letters, digits and any of -_.~", state))
	}
	return query, problemWith(&wire.Violations{}, found)
}

const maxState = 128 // bytes

// originOf returns the origin of an address that CheckURL takes.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// browserOf returns the secret that the visitor's browser alone knows. It has it already if another login is under way.
func browserOf(r *http.Request) string {
	fresh := rand.Text()
	if cookie, err := r.Cookie(loginCookie); err == nil && len(cookie.Value) == len(fresh) {
		return cookie.Value
	}
	return fresh
}
