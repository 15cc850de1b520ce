package article

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"laurel/shared/activity"
)

const linkForm = "must be an absolute http or https URL, such as https://example.org/page"

// checkLink returns the violation of a link, as its code and message, both empty for a
// URL that a page may show as a link. Browsers are lenient about blanks, backslashes
// and missing slashes, so these are violations; so is a user name before the host,
// which misleads readers.
func checkLink(link string) (activity.Code, string) {
	if link == "" {
		return "", ""
	}
	if len(link) > MaxLink {
		return activity.CodeTooLong, fmt.Sprintf("must be at most %d bytes", MaxLink)
	}
	scheme, rest, ok := strings.Cut(link, "://")
	if scheme = strings.ToLower(scheme); !ok || (scheme != "http" && scheme != "https") || !utf8.ValidString(link) {
		return activity.CodeInvalidURL, linkForm
	}
	if strings.ContainsFunc(link, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`\<>"`, r)
	}) {
		return activity.CodeInvalidURL, linkForm
	}
	host := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		host = rest[:end]
	}
	if !isHost(host) {
		return activity.CodeInvalidURL, linkForm
	}
	return "", ""
}

// isHost reports whether a text is a host, with or without a port.
func isHost(host string) bool {
	if name, port, ok := cutPort(host); ok {
		if port == "" || len(port) > 5 || strings.Trim(port, "0123456789") != "" {
			return false
		}
		host = name
	}
	if address, ok := strings.CutPrefix(host, "["); ok {
		address, ok = strings.CutSuffix(address, "]")
		return ok && strings.Contains(address, ":") && strings.Trim(address, "0123456789abcdefABCDEF:.") == ""
	}
	return strings.Trim(host, ".") != "" && !strings.ContainsAny(host, "[]@:%!$&'()*+,;=")
}

// cutPort cuts a host at the colon before its port; an IPv6 address is in brackets.
func cutPort(host string) (name, port string, ok bool) {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || i < strings.LastIndexByte(host, ']') {
		return host, "", false
	}
	return host[:i], host[i+1:], true
}
