package httpapi

import (
	"bytes"
	"maps"
	"net/http"
	"net/url"
	"path"
	"strings"

	"laurel/shared/api/embed"
)

// serveFailure answers in the form that was asked for with why there is no board: a frame or a picture with a problem
// of the API in it is broken to a browser. No cache may hold it.
func (a *api) serveFailure(w http.ResponseWriter, r *http.Request, in embedded, p *Problem) {
	form, address := in.form, strings.TrimPrefix(r.URL.EscapedPath(), "/embed")
	if ending := path.Ext(address); form.read == nil && ending != "" { // the rest of the address does not matter
		if form = a.embedForms()[ending]; strings.HasPrefix(address, "/users/") && ending == ".svg" {
			form = a.embedForms()["badge"]
		}
	}
	if form.fail == nil {
		p.write(w)
		return
	}
	options, depth := in.Options, strings.Count(address, "/")-1
	query, _ := url.ParseQuery(ownQuery(r.URL.RawQuery))
	options.Lang, options.Theme = query.Get("lang"), query.Get("theme")
	failure := embed.Failure{
		Code: string(p.Code), Status: p.Status, Details: detailsOf(p), Board: in.Board, Window: in.Window,
		Root: "." + strings.Repeat("/..", max(0, depth)),
	}
	var body bytes.Buffer
	if err := form.fail(&body, failure, options); err != nil {
		p.write(w)
		return
	}
	maps.Copy(w.Header(), p.header)
	form.announce(w.Header())
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.WriteHeader(p.Status)
	_, _ = w.Write(body.Bytes()) // the client may be gone
}

// detailsOf returns the errors of an address, for its author; no errors of Laurel.
func detailsOf(p *Problem) (all []string) {
	for _, v := range p.Errors {
		all = append(all, v.Location+": "+v.Message)
	}
	if len(all) == 0 && p.Status < http.StatusInternalServerError {
		all = append(all, p.Detail)
	}
	return all
}
