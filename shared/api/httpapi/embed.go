package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"laurel/shared/api/embed"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
)

// These headers limit how long others may keep embedded forms. A page in a frame is a minute old at most in a
// cache of many; pictures and feeds are kept by proxies of others in any case.
const (
	cacheEmbed   = "public, max-age=0, s-maxage=60, stale-while-revalidate=300"
	cachePicture = "public, max-age=300"
)

// These policies limit the resources that pages and pictures may load.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; " +
		"img-src https: http: data:; frame-ancestors "
	picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; sandbox"
)

// maxPicture is how many rows a picture has, maxRace how many people race.
const (
	maxPicture = 20
	maxRace    = 10
)

// An embedForm is a form of a board, by its ending.
type embedForm struct {
	contentType, cache, policy string
	limit, most                int64  // entries or periods: as a default, and at most; 0 when not to be chosen
	takes                      string // the other parameters
	read                       func(*api, context.Context, *embedded) (embed.Board, error)
	write                      func(io.Writer, embed.Board, embed.Options) error
	fail                       func(io.Writer, embed.Failure, embed.Options) error // nil for the problem itself
}

// These are the parameters of forms beside a language.
const (
	ofBoards  = "period theme user offset"
	ofWinners = "top before theme"
	ofRaces   = "period theme motion"
)

// embedForms are the forms of boards by the text after the window in their address; the badge is a user's.
func (a *api) embedForms() map[string]embedForm {
	const page, picture, text = "text/html; charset=utf-8", "image/svg+xml", "text/plain; charset=utf-8"
	framed := pagePolicy + cmp.Or(strings.Join(a.EmbedOrigins, " "), "*")
	read, won, race := (*api).embedPage, (*api).embedWinners, (*api).embedRace
	return map[string]embedForm{
		"":      {page, cacheEmbed, "", 10, 100, ofBoards, read, embed.Fragment, embed.FailureFragment},
		".html": {page, cacheEmbed, framed, 10, 100, ofBoards, read, embed.Page, embed.FailurePage},
		".svg":  {picture, cachePicture, picturePolicy, 10, maxPicture, ofBoards, read, embed.SVG, embed.FailureSVG},
		".txt":  {text, cachePicture, "", 10, 100, ofBoards, read, embed.Text, embed.FailureText},
		".atom": {"application/atom+xml", cachePicture, "", 0, 0, "", (*api).embedFeed, embed.Atom, nil},
		"badge": {picture, cachePicture, picturePolicy, 0, 0, "period theme", read, embed.Badge, embed.FailureBadge},

		"/race.svg":     {picture, cachePicture, picturePolicy, 0, 0, ofRaces, race, embed.Race, embed.FailureSVG},
		"/winners.html": {page, cacheEmbed, framed, 12, 31, ofWinners, won, embed.WinnersPage, embed.FailurePage},
		"/winners.svg":  {picture, cachePicture, picturePolicy, 6, 12, ofWinners, won, embed.WinnersSVG, embed.FailureSVG},
		"/winners.txt":  {text, cachePicture, "", 12, 31, ofWinners, won, embed.WinnersText, embed.FailureText},
	}
}

// An embedded is a request for a form of a board.
type embedded struct {
	boardPath
	embed.Options
	form   embedForm
	offset int64
	badge  bool
	top    int    // of each period
	before string // a period
}

const embedPattern = "GET /embed/{path...}"

// serveEmbed answers with a form of a board, or with a file of the module.
func (a *api) serveEmbed(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/embed/"), "/")
	if len(parts) == 1 {
		a.serveFile(w, r)
		return
	}
	x := &exchange{Request: r, rules: a.Ledger.Guests(), query: r.URL.Query()}
	ctx, work := a.Metrics.Begin(context.WithValue(r.Context(), exchangeKey{}, x), "embed")
	body, in, p := a.embed(ctx, r, parts)
	if work != nil {
		work.End(p != nil && p.Status >= http.StatusInternalServerError)
	}
	if p != nil {
		a.serveFailure(w, r, in, p)
		return
	}
	in.form.announce(w.Header())
	serveEmbeddable(w, r, body, in.form.cache)
}

// announce sets the headers of a form.
func (f embedForm) announce(header http.Header) {
	if f.policy != "" {
		header.Set("Content-Security-Policy", f.policy)
	}
	header.Set("Content-Type", f.contentType)
	header.Set("Referrer-Policy", "no-referrer") // to where avatars come from
}

// serveEmbeddable answers with bytes that any page may load, and that caches may hold.
func serveEmbeddable(w http.ResponseWriter, r *http.Request, body []byte, cache string) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cache-Control", cache)
	serveTagged(w, r, body, etagOf(body))
}

// embed renders the form that a request asks for.
func (a *api) embed(ctx context.Context, r *http.Request, parts []string) ([]byte, embedded, *Problem) {
	in, p := a.embedOf(r, parts)
	if p != nil {
		return nil, in, p
	}
	if in.User != "" {
		in.User = a.resolve(ctx, []string{in.User})[0]
	}
	b, err := in.form.read(a, ctx, &in)
	var body bytes.Buffer
	if err == nil {
		err = in.form.write(&body, b, in.Options)
	}
	if err != nil {
		return nil, in, problemOf(ctx, a.Log, err)
	}
	return body.Bytes(), in, nil
}

// embedOf returns the form that a path and a query ask for.
func (a *api) embedOf(r *http.Request, parts []string) (in embedded, p *Problem) {
	notFound := newProblem(CodeNotFound, "not found")
	if in.badge = len(parts) == 4 && parts[0] == "users"; in.badge {
		user, err := url.PathUnescape(parts[1])
		if code, _ := wire.Check("user-id", user); err != nil || code != "" {
			return in, notFound
		}
		in.User, parts = user, parts[2:]
	}
	if len(parts) != 2 && (in.badge || len(parts) != 3) {
		return in, notFound
	}
	name, ending := parts[1], ""
	if dot := strings.IndexByte(name, '.'); dot >= 0 {
		name, ending = name[:dot], name[dot:]
	}
	if len(parts) == 3 {
		ending += "/" + parts[2]
	}
	in.Address = name // beside the others: any client can choose the Host, and a proxy may have a prefix
	if in.badge && ending == ".svg" {
		ending = "badge"
	} else if in.badge {
		return in, notFound
	}
	form, ok := a.embedForms()[ending]
	if !ok {
		return in, notFound
	}
	in.form, in.Board, in.Window = form, parts[0], name
	r.SetPathValue("board", parts[0])
	r.SetPathValue("window", name)
	if p := missing(a.Ledger.Guests(), r); p != nil {
		return in, p
	}
	p = in.take(r.URL.RawQuery)
	return in, p
}

// embedParameters are those that some forms take; each form has a limit of its own.
var embedParameters = map[string]parameter{
	"lang":   {format: "language"},
	"limit":  {integer: true},
	"offset": {integer: true, maximum: maxOffset},
	"top":    {integer: true, minimum: 1, maximum: 10},
	"user":   {format: "user-id"},
	"period": {format: "period"},
	"before": {format: "period"},
	"theme":  {enum: []string{"auto", "light", "dark"}},
	"motion": {enum: []string{"auto", "still"}},
}

// parameters are those of a form's address.
func (in *embedded) parameters() map[string]parameter {
	all := map[string]parameter{"lang": embedParameters["lang"]}
	if in.form.limit > 0 {
		all["limit"] = parameter{integer: true, minimum: 1, maximum: in.form.most}
	}
	for name := range strings.FieldsSeq(in.form.takes) {
		all[name] = embedParameters[name]
	}
	return all
}

// ownQuery returns a query of an embedded form without the parameters that no form has: pages, networks and mails
// append their own to every address.
func ownQuery(raw string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(raw, "&"), func(pair string) bool {
		coded, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(coded)
		_, known := embedParameters[name]
		return err != nil || !known
	}), "&")
}

// take takes the parameters in, or returns their violations.
func (in *embedded) take(raw string) *Problem {
	query, found := pageQuery(ownQuery(raw), in.parameters())
	in.Period, in.before = query.Get("period"), query.Get("before")
	found = append(found, periodViolations(in.Window, "query.period", in.Period)...)
	if found = append(found, periodViolations(in.Window, "query.before", in.before)...); len(found) > 0 {
		return problemWith(&wire.Violations{}, found)
	}
	in.Lang, in.Theme, in.Still = query.Get("lang"), query.Get("theme"), query.Get("motion") == "still"
	in.Limit, in.top = in.form.limit, 3
	if n, err := strconv.ParseInt(query.Get("limit"), 10, 64); err == nil {
		in.Limit = n
	}
	if n, err := strconv.Atoi(query.Get("top")); err == nil {
		in.top = n
	}
	in.offset, _ = strconv.ParseInt(query.Get("offset"), 10, 64)
	if in.Asked = in.Period; !in.badge {
		in.User = query.Get("user")
	}
	return nil
}

// pageQuery returns the parameters of a page, which is no operation, and their violations.
func pageQuery(raw string, known map[string]parameter) (query url.Values, found activity.Violations) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, []activity.Violation{newViolation(activity.CodeInvalidQuery, "query", "invalid query: "+err.Error(), raw)}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		place, values := "query."+activity.Shorten(name), query[name]
		switch p, ok := known[name]; {
		case !ok:
			found = append(found, newViolation(activity.CodeUnknownParameter, place, "unknown parameter", values[0]))
		case len(values) > 1:
			found = append(found, newViolation(activity.CodeRepeatedParameter, place, "must not be repeated", values[0]))
		case p.format == "language":
			if tag := values[0]; tag == "" || len(tag) > 35 || strings.Trim(tag, alphanumeric+"-") != "" {
				found = append(found, newViolation(activity.CodePattern, place, "must be a language tag, such as zh-CN", values[0]))
			}
		default:
			found.Check(place, activity.Shorten(values[0]))(p.check(values[0]))
		}
	}
	return query, found
}
