package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/embed"
	"laurel/shared/request"
)

// How long others may keep what is embedded. A page in a frame is a minute old at most in a
// cache of many; pictures and feeds are kept by proxies of others in any case.
const (
	cacheEmbed   = "public, max-age=0, s-maxage=60, stale-while-revalidate=300"
	cachePicture = "public, max-age=300"
)

// What pages and pictures may load.
const (
	pagePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; " +
		"img-src https: http: data:; frame-ancestors "
	picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; sandbox"
)

// maxFeed is how many closed periods a feed has, maxPicture how many rows a picture.
const (
	maxFeed    = 10
	winners    = 3
	maxPicture = 20
)

// An embedForm is a form of a board, by its ending.
type embedForm struct {
	contentType, cache, policy string
	limit, most                float64 // entries: as a default, and at most; 0 when not to be chosen
	write                      func(io.Writer, embed.Board, embed.Options) error
}

// embedForms are the forms of boards; the badge is a user's.
func (a *api) embedForms() map[string]embedForm {
	return map[string]embedForm{
		"":      {"text/html; charset=utf-8", cacheEmbed, "", 10, 100, embed.Fragment},
		".html": {"text/html; charset=utf-8", cacheEmbed, pagePolicy + a.frameAncestors(), 10, 100, embed.Page},
		".svg":  {"image/svg+xml", cachePicture, picturePolicy, 10, maxPicture, embed.SVG},
		".txt":  {"text/plain; charset=utf-8", cachePicture, "", 10, 100, embed.Text},
		".atom": {"application/atom+xml", cachePicture, "", 0, 0, nil},
		"badge": {"image/svg+xml", cachePicture, picturePolicy, 0, 0, embed.Badge},
	}
}

// frameAncestors are the sources whose pages may have a board in a frame.
func (a *api) frameAncestors() string {
	if len(a.EmbedOrigins) == 0 {
		return "*"
	}
	return strings.Join(a.EmbedOrigins, " ")
}

// An embedded is a request for a form of a board.
type embedded struct {
	BoardPath
	embed.Options
	form   embedForm
	offset int64
	badge  bool
}

func (a *api) registerEmbed() {
	a.module = sync.OnceValue(newModule)
	a.mux.HandleFunc("GET /embed", a.serveFile)
	const pattern = "GET /embed/{path...}"
	a.mux.HandleFunc(pattern, a.serveEmbed)
	a.public[pattern] = true
}

// serveEmbed answers with a form of a board, or with a file of the module.
func (a *api) serveEmbed(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/embed/"), "/")
	if len(parts) == 1 {
		a.serveFile(w, r)
		return
	}
	ctx, work := a.Metrics.Begin(context.WithValue(r.Context(), exchangeKey{}, &exchange{Request: r}), "embed")
	body, in, p := a.embed(ctx, r, parts)
	if work != nil {
		work.End(p != nil && p.Status >= http.StatusInternalServerError)
	}
	if p != nil {
		p.write(w)
		return
	}
	header := w.Header()
	if in.form.policy != "" {
		header.Set("Content-Security-Policy", in.form.policy)
	}
	header.Set("Content-Type", in.form.contentType)
	header.Set("Referrer-Policy", "no-referrer") // to where avatars come from
	a.serveEmbeddable(w, r, body, in.form.cache)
}

// serveEmbeddable answers with bytes that any page may load, and that caches may hold.
func (a *api) serveEmbeddable(w http.ResponseWriter, r *http.Request, body []byte, cache string) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Cache-Control", cache)
	header.Set("ETag", etagOf(body, ""))
	if isMatched(r.Header, header.Get("ETag")) {
		header.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(body) //nolint:gosec // what users wrote is escaped; the client may be gone
}

// embed renders what a request asks for.
func (a *api) embed(ctx context.Context, r *http.Request, parts []string) ([]byte, embedded, *Problem) {
	in, p := a.embedOf(r, parts)
	if p != nil {
		return nil, in, p
	}
	var body bytes.Buffer
	if err := a.render(ctx, &body, &in); err != nil {
		return nil, in, problemOf(ctx, a.Log, err)
	}
	return body.Bytes(), in, nil
}

// embedOf returns what a path and a query ask for.
func (a *api) embedOf(r *http.Request, parts []string) (in embedded, p *Problem) {
	notFound := newProblem(CodeNotFound, "not found")
	if in.badge = len(parts) == 4 && parts[0] == "users"; in.badge {
		user, err := url.PathUnescape(parts[1])
		if code, _ := request.Check("user-id", user); err != nil || code != "" {
			return in, notFound
		}
		in.User, parts = user, parts[2:]
	}
	if len(parts) != 2 {
		return in, notFound
	}
	name, ending := parts[1], ""
	if at := strings.IndexByte(name, '.'); at >= 0 {
		name, ending = name[:at], name[at:]
	}
	in.Address = originIn(r) + strings.TrimSuffix(r.URL.EscapedPath(), ending)
	if in.badge && ending == ".svg" {
		ending = "badge"
	} else if in.badge {
		return in, notFound
	}
	form, ok := a.embedForms()[ending]
	if !ok {
		return in, notFound
	}
	r.SetPathValue("board", parts[0])
	r.SetPathValue("window", name)
	if p := a.missing(r); p != nil {
		return in, p
	}
	in.form, in.Board, in.Window = form, parts[0], name
	p = in.take(r.URL.RawQuery)
	return in, p
}

// originIn returns the origin that a request was sent to, as the proxy before this server says.
func originIn(r *http.Request) string {
	scheme, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	if scheme != "https" {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

// parameters are those of a form's address.
func (in *embedded) parameters() map[string]*huma.Schema {
	all := map[string]*huma.Schema{"lang": {Type: huma.TypeString, Format: "language"}}
	if in.form.limit > 0 {
		all["limit"] = &huma.Schema{Type: huma.TypeInteger, Minimum: new(1.0), Maximum: new(in.form.most)}
		all["offset"] = &huma.Schema{Type: huma.TypeInteger, Minimum: new(0.0), Maximum: new(float64(maxOffset))}
		all["user"] = &huma.Schema{Type: huma.TypeString, Format: "user-id"}
	}
	if in.form.write != nil {
		all["period"] = &huma.Schema{Type: huma.TypeString, Format: "period"}
		all["theme"] = &huma.Schema{Type: huma.TypeString, Enum: []any{"auto", "light", "dark"}}
	}
	return all
}

// take takes the parameters in, or says what is wrong with them.
func (in *embedded) take(raw string) *Problem {
	query, found := pageQuery(raw, in.parameters())
	in.Period = query.Get("period")
	if found = append(found, periodViolations(in.Window, "query.period", in.Period)...); len(found) > 0 {
		return problemWith(&request.Violations{}, found)
	}
	in.Lang, in.Theme, in.Limit = query.Get("lang"), query.Get("theme"), int64(in.form.limit)
	if n, err := strconv.ParseInt(query.Get("limit"), 10, 64); err == nil {
		in.Limit = n
	}
	in.offset, _ = strconv.ParseInt(query.Get("offset"), 10, 64)
	if in.Asked = in.Period; !in.badge {
		in.User = query.Get("user")
	}
	return nil
}

// pageQuery returns the parameters of a page, which is no operation, and what is wrong with them.
func pageQuery(raw string, known map[string]*huma.Schema) (query url.Values, found []activity.Violation) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, []activity.Violation{newViolation(activity.CodeInvalidQuery, "query", "invalid query: "+err.Error(), raw)}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		at, values := "query."+activity.Shorten(name), query[name]
		switch s := known[name]; {
		case s == nil:
			found = append(found, newViolation(activity.CodeUnknownParameter, at, "unknown parameter", values[0]))
		case len(values) > 1:
			found = append(found, newViolation(activity.CodeRepeatedParameter, at, "must not be repeated", values[0]))
		case s.Format == "language":
			if !isLanguage(values[0]) {
				found = append(found, newViolation(activity.CodePattern, at, "must be a language tag, such as zh-CN", values[0]))
			}
		default:
			if code, message := check(values[0], s); code != "" {
				found = append(found, newViolation(code, at, message, values[0]))
			}
		}
	}
	return query, found
}

// isLanguage reports whether a text may be a language tag.
func isLanguage(tag string) bool {
	return tag != "" && len(tag) <= 35 && strings.IndexFunc(tag, func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) < 0
}

// render reads a board and writes it in the form asked for.
func (a *api) render(ctx context.Context, w io.Writer, in *embedded) error {
	if in.form.write == nil {
		return a.renderFeed(ctx, w, in)
	}
	v := board.View{Limit: in.Limit, Offset: in.offset, User: in.User, Movement: in.Limit > 0}
	if in.User != "" && in.Limit > 0 {
		v.Around = 1
	}
	b, err := a.embedBoard(ctx, in.BoardPath, v)
	if err != nil {
		return err
	}
	return in.form.write(w, b, in.Options)
}

// renderFeed writes the winners of closed periods.
func (a *api) renderFeed(ctx context.Context, w io.Writer, in *embedded) error {
	now, err := a.embedBoard(ctx, in.BoardPath, board.View{Limit: 1})
	if err != nil {
		return err
	}
	head, err := a.Records.Head(ctx)
	if err != nil {
		return err //nolint:wrapcheck // it says all
	}
	in.Forum = head.Table
	list, err := a.periods(ctx, &periodsInput{WindowPath: in.WindowPath, Limit: maxFeed + 1, Before: now.Period})
	if err != nil {
		return err
	}
	var closed []embed.Board
	for _, p := range list.Periods[:min(maxFeed, len(list.Periods))] {
		b, err := a.embedBoard(ctx, BoardPath{in.WindowPath, p.Period}, board.View{Limit: winners})
		if err != nil {
			return err
		}
		closed = append(closed, b)
	}
	return embed.Atom(w, now, closed, in.Options)
}

// embedBoard reads a piece of a board, as the renderers take it.
func (a *api) embedBoard(ctx context.Context, path BoardPath, v board.View) (embed.Board, error) {
	var page int // how many are on it, before the neighbours
	b, err := a.board(ctx, path, v, func(p board.Page) []board.Place {
		page = len(p.Places)
		return append(slices.Clone(p.Places), p.Neighbours...)
	})
	if err != nil {
		return embed.Board{}, err
	}
	text := a.Ledger.Rules().Text(path.Board)
	of := embed.Board{
		Name: path.Board, Window: path.Window, Period: b.Period, Labels: text.Labels, Unit: text.Unit, Total: b.Total,
		StartsAt: timeOf(b.StartsAt), AsOf: timeOf(b.AsOf),
	}
	if b.EndsAt != nil {
		of.EndsAt = timeOf(*b.EndsAt)
	}
	for i, e := range b.Entries {
		entry := embed.Entry{
			Rank: e.Rank, Score: e.Score, Previous: max(0, int64(e.PreviousRank)), ID: string(e.User.ID),
			Name: e.User.Name, Avatar: e.User.Avatar, Link: e.User.Link, Firsts: e.User.Firsts,
		}
		if i < page {
			of.Entries = append(of.Entries, entry)
		} else {
			of.Near = append(of.Near, entry)
		}
	}
	if s := b.Standing; s != nil {
		of.Standing = &embed.Standing{Score: s.Score}
		if s.Rank != nil {
			of.Standing.Rank = *s.Rank
		}
		if s.ToNext != nil {
			of.Standing.ToNext = *s.ToNext
		}
	}
	return of, nil
}

// timeOf reads a moment of an answer of ours.
func timeOf(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(fmt.Sprintf("httpapi: a moment of ours: %v", err))
	}
	return t
}
