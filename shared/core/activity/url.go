package activity

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// MaxURL is the longest URL, in bytes.
const MaxURL = 2_048

// URLPattern is the pattern of URLs that a page may show as a link or a picture: http or https, a host, and a port,
// path, query or fragment without blanks. Browsers are lenient about blanks, backslashes and missing slashes, so
// these do not match; nor does a user name before the host, which misleads readers, nor another scheme, which could
// run code.
const URLPattern = `^[Hh][Tt][Tt][Pp][Ss]?://` +
	`(\.*[^` + urlBlank + hostEnd + `.][^` + urlBlank + hostEnd + `]*|\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\])` +
	`(:[0-9]{1,5})?([/?#]([^%` + urlBlank + `]|%[0-9A-Fa-f]{2})*)?$`

const (
	urlBlank = `\x00-\x20\x7f-\xa0` + blanks + overrides + noncharacters + `\\<>"` // nowhere in a URL
	hostEnd  = `/?#\[\]@:%!$&'()*+,;=`                                             // not in a host
)

//nolint:gocritic // it is published, and blanks are next to each other
var urlForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(URLPattern) })

// CheckURL returns the violation of a URL, as its code and message, both empty for a valid one.
func CheckURL(url string) (Code, string) {
	switch {
	case len(url) > MaxURL:
		return CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxURL)
	case !utf8.ValidString(url), strings.ContainsFunc(url, isNonCharacter), !urlForm().MatchString(url):
		return CodeInvalidURL, "must be an absolute http or https URL"
	default:
		return "", ""
	}
}
