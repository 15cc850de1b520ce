package httpapi

import (
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"
	"sync"
)

// problemPath is where the pages about problems are.
const problemPath = "/problems/"

// A Code names a kind of problem. Codes do not change and are not used again for anything else;
// codes may be added. Titles and texts may change.
type Code string

// The codes of all problems, beside those of tokens, which are token.Fault.
const (
	CodeUnreadable       Code = "unreadable"
	CodeInvalidJSON      Code = "invalid_json"
	CodeBadSignature     Code = "bad_signature"
	CodeForbidden        Code = "forbidden"
	CodeServiceOnly      Code = "service_only"
	CodeOtherUser        Code = "other_user"
	CodePairingRefused   Code = "pairing_refused"
	CodeTLSRequired      Code = "tls_required"
	CodeNotFound         Code = "not_found"
	CodeUnknownBoard     Code = "unknown_board"
	CodeUnknownWindow    Code = "unknown_window"
	CodeUnknownPeriod    Code = "unknown_period"
	CodeUnknownArticle   Code = "unknown_article"
	CodeNoFriendsBoard   Code = "no_friends_board"
	CodeNoProfile        Code = "no_profile"
	CodeDaysPrivate      Code = "days_private"
	CodeNoErasure        Code = "no_erasure"
	CodeNoVoid           Code = "no_void"
	CodeNoAward          Code = "no_award"
	CodeNoPair           Code = "no_void_pair"
	CodeNoMerge          Code = "no_merge"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeUserExcluded     Code = "user_excluded"
	CodeUserErased       Code = "user_erased"
	CodeArticleDeleted   Code = "article_deleted"
	CodeArticleTaken     Code = "article_taken"
	CodeAuthorErased     Code = "author_erased"
	CodeVoidBegun        Code = "void_begun"
	CodeTooManyVoids     Code = "too_many_voids"
	CodeAwardDiffers     Code = "award_differs"
	CodeTooManyAwards    Code = "too_many_awards"
	CodeTooManyPairs     Code = "too_many_void_pairs"
	CodeMergedElsewhere  Code = "merged_elsewhere"
	CodeTooManyMerges    Code = "too_many_merges"
	CodeTooLarge         Code = "too_large"
	CodeMediaType        Code = "media_type"
	CodeInvalid          Code = "invalid"
	CodeNotOfSource      Code = "not_of_source"
	CodeTooManyRequests  Code = "too_many_requests"
	CodeInternal         Code = "internal"
	CodeNotSupported     Code = "not_supported"
	CodeUnavailable      Code = "unavailable"
	CodeFilling          Code = "filling"
	CodeNotReady         Code = "not_ready"
	CodeQueueFull        Code = "queue_full"
)

// A Kind is a kind of problem: its status, its title, its meaning and its remedy. Answers, the
// OpenAPI document, the pages under /problems/ and the list of codes in docs/api.md are made of the list of them.
type Kind struct {
	Code    Code
	Status  int
	Title   string
	Meaning string
	Action  string
}

// Type returns the URI of the problem's page, relative to the API's address.
func (k Kind) Type() string { return problemPath + strings.ReplaceAll(string(k.Code), "_", "-") }

// KindOf returns the kind of problem that a code names.
func KindOf(code Code) Kind {
	for _, k := range Kinds() {
		if k.Code == code {
			return k
		}
	}
	panic(fmt.Sprintf("httpapi: %q is no code of a problem", code))
}

// problems has three lines for each kind: its status, code and title; its meaning; its remedy.
//
//go:embed problems.txt
var problems string

// Kinds returns every kind of problem, by status.
func Kinds() []Kind { return kinds() }

var kinds = sync.OnceValue(func() (all []Kind) {
	for block := range strings.SplitSeq(strings.TrimSpace(problems), "\n\n") {
		line := strings.Split(block, "\n")
		head, title, _ := strings.Cut(line[0], ": ")
		status, code, _ := strings.Cut(head, " ")
		k := Kind{Code: Code(code), Title: title, Meaning: line[1], Action: line[2]}
		k.Status, _ = strconv.Atoi(status) // a test holds it against net/http's
		all = append(all, k)
	}
	return all
})

// index is the name of the page of all problems.
const index = "index"

// problemPage returns the page of the problem whose type ends in a name, in HTML; that of index
// lists all problems and violations. ok is false for a name that no problem has.
func problemPage(name string) (text string, ok bool) {
	var b strings.Builder
	title, violations := "Problems of Laurel", true
	for _, p := range Kinds() {
		if name != index && p.Type() != problemPath+name {
			continue
		}
		ok = true
		if name != index {
			title, violations = p.Title, p.Code == CodeInvalid || p.Code == CodeForbidden
		}
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<p>%d <code>%s</code></p>\n<p>%s</p>\n<p>%s</p>\n",
			p.Code, html.EscapeString(p.Title), p.Status, p.Code, html.EscapeString(p.Meaning), html.EscapeString(p.Action))
	}
	if violations {
		b.WriteString("<h2>Codes of violations</h2>\n<dl>\n")
		for code, meaning := range ViolationCodes() {
			fmt.Fprintf(&b, "<dt><code>%s</code></dt><dd>%s</dd>\n", code, html.EscapeString(meaning))
		}
		b.WriteString("</dl>\n")
	}
	const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title></head>
<body><h1>%s</h1>
%s<p><a href="` + problemPath + index + `">All problems</a></p>
</body></html>
`
	return fmt.Sprintf(page, html.EscapeString(title), html.EscapeString(title), b.String()), ok
}
