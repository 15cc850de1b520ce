package token

import (
	"crypto/sha256"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/shared/api/auth"
)

// maxChecked is how many tokens a generation of checked ones has; there are two.
const maxChecked = 2_048

// checked are tokens of shared secrets that were found valid, with their callers, so that a client's next request
// needs no second HMAC. Refused tokens are never among them, nor those of an issuer, whose keys may be withdrawn. They
// belong to one Verifier, and so to its secrets.
//
// A token is known by the SHA-256 of its whole text: a search compares parts of hashes, and how long that takes
// tells a guesser nothing about a token that he does not have. New tokens displace the oldest generation.
type checked struct {
	sync.Mutex
	young, old map[[sha256.Size]byte]found
}

// A found is a valid token's caller, and the times from which and until which the token is valid.
type found struct {
	caller       auth.Caller
	since, until time.Time
}

// caller returns the caller of a token that was added and is valid now.
func (c *checked) caller(hash [sha256.Size]byte, now time.Time) (auth.Caller, bool) {
	c.Lock()
	defer c.Unlock()
	f, young := c.young[hash]
	if !young {
		var known bool
		if f, known = c.old[hash]; !known {
			return auth.Caller{}, false
		}
	}
	if now.Before(f.since) || !now.Before(f.until) {
		return auth.Caller{}, false
	}
	if !young {
		c.put(hash, f)
	}
	return f.caller, true
}

// add adds a valid token.
func (c *checked) add(hash [sha256.Size]byte, f found) {
	c.Lock()
	defer c.Unlock()
	c.put(hash, f)
}

// put adds a token, under the lock.
func (c *checked) put(hash [sha256.Size]byte, f found) {
	if len(c.young) >= maxChecked || c.young == nil {
		c.old, c.young = c.young, make(map[[sha256.Size]byte]found)
	}
	c.young[hash] = f
}

// validity returns the time from which a token of a shared secret is valid, by each of its claims, and when it expires.
func validity(claims jwt.MapClaims) (since, until time.Time) {
	expires, _ := claims.GetExpirationTime() // the claims were checked
	until = expires.Time
	since = until.Add(-MaxAge - maxSkew)
	starts, _ := claims.GetNotBefore()
	issued, _ := claims.GetIssuedAt()
	for _, limit := range []*jwt.NumericDate{starts, issued} {
		if limit != nil && limit.Add(-maxSkew).After(since) {
			since = limit.Add(-maxSkew)
		}
	}
	return since, until
}
