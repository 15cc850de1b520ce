package httpapi

import (
	"crypto/sha512"
	"encoding/base64"
	"html"
	"net/http"
	"strings"
	"sync"

	"laurel/shared/core/activity"
	"laurel/web"
)

// How long browsers may keep the module: under its plain name until there may be another one.
const (
	cacheModule    = "public, max-age=300, stale-while-revalidate=86400"
	cacheImmutable = "public, max-age=31536000, immutable"
)

// ownerPolicy lets the page that makes snippets load the files that it shows, and no others.
const ownerPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src https: http: data:; " +
	"frame-ancestors 'none'"

// A script is a part of the module as it is served.
type script struct {
	web.Script
	hash      string // after the name in the immutable one
	integrity string // as an attribute of a script has it
}

// module returns the parts of the module.
var module = sync.OnceValue(func() (all []script) {
	for _, s := range web.Scripts() {
		long := sha512.Sum384(s.Content)
		all = append(all, script{s, web.HashOf(s.Content), "sha384-" + base64.StdEncoding.EncodeToString(long[:])})
	}
	return all
})

// serveScript answers with a part of the module; the first one has a name that stays, too.
func serveScript(w http.ResponseWriter, r *http.Request, name string) bool {
	header := w.Header()
	for i, s := range module() {
		cache := cacheImmutable
		if i == 0 && name == s.Name+".js" {
			cache = cacheModule
		} else if name != s.Name+"."+s.hash+".js" {
			continue
		}
		header.Set("Content-Type", "text/javascript; charset=utf-8")
		body := s.Content
		if accepts(r.Header, "br") {
			body = s.Brotli
			header.Set("Content-Encoding", "br")
		}
		serveEmbeddable(w, r, body, cache)
		return true
	}
	return false
}

// serveFile answers with a file for pages: the module, its types and manifest, and the page that makes snippets.
func (a *api) serveFile(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), "/embed"), "/")
	if serveScript(w, r, name) {
		return
	}
	page, contentType, ok := web.Embed(name)
	if !ok {
		a.serveFailure(w, r, embedded{}, newProblem(CodeNotFound, "not found"))
		return
	}
	header.Set("Content-Type", contentType)
	if name == "" {
		header.Set("Content-Security-Policy", ownerPolicy)
		page = a.ownerPage(page, strings.HasSuffix(r.URL.EscapedPath(), "/"))
	}
	serveEmbeddable(w, r, page, cacheStatic)
}

// firstBoard returns the address of the first board of some rules; without one, of the built-in rules'.
func firstBoard(rules *activity.Rules) string {
	if len(rules.Boards()) == 0 {
		rules = activity.Default()
	}
	name := rules.Boards()[0]
	return name + "/" + rules.Windows(name)[0].String()
}

// ownerPage fills in the page that makes snippets. Its links are relative, as a proxy may serve Laurel under a path;
// they lead to the same place with a slash after /embed and without one.
func (a *api) ownerPage(page []byte, slash bool) []byte {
	address := firstBoard(a.Ledger.Guests())
	base := "embed/"
	if slash {
		base = "./"
	}
	values := []string{
		"{{base}}", base,
		"{{board}}", html.EscapeString(address),
	}
	for _, s := range module() {
		values = append(values, "{{"+s.Name+"}}", s.hash, "{{"+s.Name+"-integrity}}", s.integrity)
	}
	return []byte(strings.NewReplacer(values...).Replace(string(page)))
}
