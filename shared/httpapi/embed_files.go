package httpapi

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
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

// module is the module as it is served.
type module struct {
	hash      string // in its immutable name
	integrity string // as an attribute of a script has it
	gzip      []byte
}

// newModule returns the module as it is served.
func newModule() module {
	short, long := sha256.Sum256(web.Module()), sha512.Sum384(web.Module())
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, _ = w.Write(web.Module())                               // a buffer takes all
	_ = w.Close()
	return module{hex.EncodeToString(short[:5]), "sha384-" + base64.StdEncoding.EncodeToString(long[:]), packed.Bytes()}
}

// serveFile answers with a file for pages: the module, its types and manifest, and the page that
// makes snippets.
func (a *api) serveFile(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), "/embed"), "/")
	if name == "laurel.js" || (strings.HasPrefix(name, "laurel.") && name == "laurel."+a.module().hash+".js") {
		cache := cacheModule
		if name != "laurel.js" {
			cache = cacheImmutable
		}
		header.Set("Content-Type", "text/javascript; charset=utf-8")
		body := web.Module()
		if acceptsGzip(r.Header) {
			body = a.module().gzip // smaller than what is compressed in a hurry
			header.Set("Content-Encoding", "gzip")
		}
		a.serveEmbeddable(w, r, body, cache)
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
		page = bytes.ReplaceAll(page, []byte("{{hash}}"), []byte(a.module().hash))
		page = bytes.ReplaceAll(page, []byte("{{integrity}}"), []byte(a.module().integrity))
	}
	a.serveEmbeddable(w, r, page, cacheStatic)
}
