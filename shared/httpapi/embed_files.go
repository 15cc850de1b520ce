package httpapi

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"

	"laurel/web"
)

// How long browsers may keep the module: under its plain name until there may be another one.
const (
	cacheModule    = "public, max-age=300, stale-while-revalidate=86400"
	cacheImmutable = "public, max-age=31536000, immutable"
)

// ownerPolicy is what the page that makes snippets may load: what it shows, and no more.
const ownerPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src https: http: data:; " +
	"frame-ancestors 'none'"

// A script is a part of the module as it is served.
type script struct {
	name, hash string // laurel and what is after it in the immutable name
	integrity  string // as an attribute of a script has it
	plain      []byte
	gzip       []byte
}

// newModule returns the parts of the module.
func newModule() []script {
	var all []script
	for _, s := range web.Scripts() {
		all = append(all, newScript(s.Name, s.Content))
	}
	return all
}

func newScript(name string, content []byte) script {
	long := sha512.Sum384(content)
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, _ = w.Write(content)                                    // a buffer takes all
	_ = w.Close()
	integrity := "sha384-" + base64.StdEncoding.EncodeToString(long[:])
	return script{name, web.HashOf(content), integrity, content, packed.Bytes()}
}

// serveScript answers with a part of the module; the first one has a name that stays, too.
func (a *api) serveScript(w http.ResponseWriter, r *http.Request, name string) bool {
	header := w.Header()
	for i, s := range a.module() {
		cache := cacheImmutable
		if i == 0 && name == s.name+".js" {
			cache = cacheModule
		} else if name != s.name+"."+s.hash+".js" {
			continue
		}
		header.Set("Content-Type", "text/javascript; charset=utf-8")
		body := s.plain
		if acceptsGzip(r.Header) {
			body = s.gzip // smaller than what is compressed in a hurry
			header.Set("Content-Encoding", "gzip")
		}
		a.serveEmbeddable(w, r, body, cache)
		return true
	}
	return false
}

// serveFile answers with a file for pages: the module, its types and manifest, and the page that
// makes snippets.
func (a *api) serveFile(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), "/embed"), "/")
	if a.serveScript(w, r, name) {
		return
	}
	page, contentType, ok := web.Embed(name)
	if !ok {
		newProblem(CodeNotFound, "not found").write(w)
		return
	}
	header.Set("Content-Type", contentType)
	if name == "" {
		header.Set("Content-Security-Policy", ownerPolicy)
		for _, s := range a.module() {
			page = bytes.ReplaceAll(page, []byte("{{"+s.name+"}}"), []byte(s.hash))
			page = bytes.ReplaceAll(page, []byte("{{"+s.name+"-integrity}}"), []byte(s.integrity))
		}
	}
	a.serveEmbeddable(w, r, page, cacheStatic)
}
