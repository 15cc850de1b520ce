package httpapi

import (
	"crypto/subtle"
	"net/http"
)

// CDNHeader is the header in which a CDN sends its secret.
const CDNHeader = "X-Laurel-Cdn"

// ThroughCDN returns a handler that answers only requests with the secret of a CDN, and
// others with 403: who asks the API itself would pass by the CDN's limits. Without a secret
// it is the handler itself.
func ThroughCDN(secret string, next http.Handler) http.Handler {
	if secret == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(CDNHeader)), []byte(secret)) == 0 {
			w.Header().Set("Cache-Control", "private, no-store")
			newProblem(CodeForbidden, "the API answers at the address of its CDN only").write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
