package httpapi

import (
	"fmt"
	"net/http"
	"strings"
)

// problemPath is where the pages about problems are.
const problemPath = "/problems/"

// A Code names a kind of problem. Codes do not change and are not used again for anything else;
// codes may be added. Titles and texts may change.
type Code string

// The codes of all problems.
const (
	CodeUnreadable       Code = "unreadable"
	CodeInvalidJSON      Code = "invalid_json"
	CodeTokenMissing     Code = "token_missing"
	CodeTokenMalformed   Code = "token_malformed"
	CodeTokenSignature   Code = "token_signature"
	CodeTokenIssuer      Code = "token_issuer"
	CodeTokenExpiry      Code = "token_expiry"
	CodeTokenExpired     Code = "token_expired"
	CodeTokenLifetime    Code = "token_lifetime"
	CodeTokenIssued      Code = "token_issued"
	CodeTokenAudience    Code = "token_audience"
	CodeTokenSubject     Code = "token_subject"
	CodeBadSignature     Code = "bad_signature"
	CodeForbidden        Code = "forbidden"
	CodeServiceOnly      Code = "service_only"
	CodeOtherUser        Code = "other_user"
	CodePairingRefused   Code = "pairing_refused"
	CodeTLSRequired      Code = "tls_required"
	CodeNotFound         Code = "not_found"
	CodeUnknownBoard     Code = "unknown_board"
	CodeUnknownWindow    Code = "unknown_window"
	CodeUnknownArticle   Code = "unknown_article"
	CodeNoProfile        Code = "no_profile"
	CodeDaysPrivate      Code = "days_private"
	CodeNoErasure        Code = "no_erasure"
	CodeNoVoid           Code = "no_void"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeUserExcluded     Code = "user_excluded"
	CodeUserErased       Code = "user_erased"
	CodeArticleDeleted   Code = "article_deleted"
	CodeArticleTaken     Code = "article_taken"
	CodeAuthorErased     Code = "author_erased"
	CodeVoidBegun        Code = "void_begun"
	CodeTooManyVoids     Code = "too_many_voids"
	CodeTooLarge         Code = "too_large"
	CodeMediaType        Code = "media_type"
	CodeInvalid          Code = "invalid"
	CodeNotOfSource      Code = "not_of_source"
	CodeTooManyRequests  Code = "too_many_requests"
	CodeInternal         Code = "internal"
	CodeNotSupported     Code = "not_supported"
	CodeUnavailable      Code = "unavailable"
	CodeFilling          Code = "filling"
	CodeQueueFull        Code = "queue_full"
)

// A Kind is a kind of problem: its status, its title, what it means and what to do. Answers, the
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
	for _, k := range kinds {
		if k.Code == code {
			return k
		}
	}
	panic(fmt.Sprintf("httpapi: %q is no code of a problem", code))
}

// Kinds returns every kind of problem, by status.
func Kinds() []Kind { return kinds }

// refused is the kind of problem of a refused token.
func refused(code Code, title, meaning, action string) Kind {
	return Kind{code, http.StatusUnauthorized, title, meaning, action}
}

const retry = "Send the same request again after the seconds in Retry-After. What was applied is not applied twice."

var kinds = []Kind{
	{
		CodeUnreadable, http.StatusBadRequest, "Unreadable request",
		"The bytes are not an HTTP request.", "Check the sender: an HTTP client does not do that.",
	},
	{
		CodeInvalidJSON, http.StatusBadRequest, "Invalid JSON",
		"The body is not one JSON value in UTF-8: it is empty or truncated, an object has a name twice, or data follow it.",
		"The violation says where. Use a JSON library.",
	},
	refused(CodeTokenMissing, "Missing token", "The request has no token.",
		"Send a valid token in the header Authorization, after the word Bearer."),
	refused(CodeTokenMalformed, "Malformed token", "The text after Bearer is not a JSON Web Token.",
		"Send the token unchanged: three parts with dots between them, without quotes or line breaks."),
	refused(CodeTokenSignature, "Wrong signature of a token",
		"No secret or key of the server made this signature, or the algorithm is not HS256.",
		"Compare the secret with the server's, letter by letter. It is used as text, even if it looks like hex."),
	refused(CodeTokenIssuer, "Unknown issuer", "The token has an OpenID issuer that is not configured.",
		"Compare the claim iss with the configured issuer."),
	refused(CodeTokenExpiry, "Token without expiry", "The claim exp is missing or not a number.",
		"Set exp to the moment of expiry, in seconds since 1970."),
	refused(CodeTokenExpired, "Expired token", "The token has expired.",
		"Get a new token; if it is new, compare the clocks."),
	refused(CodeTokenLifetime, "Too long-lived token", "The token expires more than an hour ahead.",
		"Let tokens expire within an hour; exp is in seconds, not in milliseconds. Compare the clocks."),
	refused(CodeTokenIssued, "Token from the future", "The token was issued after now, or is not valid yet (iat, nbf).",
		"Compare the clocks; iat and nbf are in seconds."),
	refused(CodeTokenAudience, "Token for another audience", "The claim aud does not name this server.",
		"Put the configured audience into aud."),
	refused(CodeTokenSubject, "Token without a user",
		"The claim that names the user is missing, or is not a user's id as text.",
		"Put the user's id into the claim sub, as text, or name the claim in the configuration."),
	{
		CodeBadSignature, http.StatusUnauthorized, "Wrong signature",
		"No secret of the source signed these bytes, a signature header is missing, or its moment is off.",
		"Compare the secret in the forum with HOOK_SECRETS, and the clocks. The detail says what was missing.",
	},
	{
		CodeForbidden, http.StatusForbidden, "Not allowed",
		"The body needs rights that this token lacks; nothing was applied.",
		"The violation names the activity. Send it with the service's token, from the forum's backend.",
	},
	{
		CodeServiceOnly, http.StatusForbidden, "For the service only",
		"Only the forum's own backend may do this.", "Send it from the backend, with the service's token.",
	},
	{
		CodeOtherUser, http.StatusForbidden, "Another user's data",
		"A user's token is valid for that user alone.", "Use the token of the user in the path, or the service's.",
	},
	{
		CodePairingRefused, http.StatusForbidden, "Wrong pairing code",
		"The code is wrong, was used, or is older than ten minutes; the fifth wrong one ends it.",
		"Make another one: laurel pair.",
	},
	{
		CodeTLSRequired, http.StatusForbidden, "Over TLS only",
		"The answer has secrets, and the request came over plain HTTP from another machine.",
		"Use the https address. A proxy that ends TLS has to send X-Forwarded-Proto, and to be in --trusted-proxies.",
	},
	{
		CodeNotFound, http.StatusNotFound, "Not found",
		"No operation has this path.", "Compare the path with the document at /openapi.json, letter by letter.",
	},
	{
		CodeUnknownBoard, http.StatusNotFound, "Unknown board",
		"The rules have no board of this name.", "GET /v1/boards lists the boards.",
	},
	{
		CodeUnknownWindow, http.StatusNotFound, "Unknown window",
		"The board does not keep this window.", "GET /v1/boards lists the windows of each board.",
	},
	{
		CodeUnknownArticle, http.StatusNotFound, "Unknown article",
		"No article has this id, or it was deleted.", "Publish the article first with POST /v1/articles.",
	},
	{
		CodeNoProfile, http.StatusNotFound, "No profile",
		"The user has no profile.", "Show the id, or put the profile with PUT /v1/users/{user}.",
	},
	{
		CodeDaysPrivate, http.StatusNotFound, "No public days",
		"The user has not made the daily scores public, or is excluded.",
		"Leave the chart out, or let the user make them public with PUT /v1/users/{user}/visibility.",
	},
	{
		CodeNoErasure, http.StatusNotFound, "No erasure",
		"The user was not erased, or so long ago that no record is left.", "DELETE /v1/users/{user} erases a user.",
	},
	{
		CodeNoVoid, http.StatusNotFound, "No void",
		"The target was not declared void, or so long ago that no record is left.",
		"PUT /v1/targets/{target}/void declares a target void.",
	},
	{
		CodeMethodNotAllowed, http.StatusMethodNotAllowed, "Method not allowed",
		"The path has no operation with this method.", "The header Allow lists the methods.",
	},
	{
		CodeUserExcluded, http.StatusConflict, "The user is excluded",
		"The forum excluded the user; only undos are recorded meanwhile.",
		"DELETE /v1/users/{user}/exclusion ends the exclusion.",
	},
	{
		CodeUserErased, http.StatusConflict, "The user was erased",
		"The user was erased after the moment of this request.", "Do not send it again: later activities are a new user's.",
	},
	{
		CodeArticleDeleted, http.StatusConflict, "The article was deleted",
		"The id of a deleted article cannot be used again.", "Publish under another id.",
	},
	{
		CodeArticleTaken, http.StatusConflict, "The id is taken",
		"The id belongs to an article of another author or moment, neither of which can change.",
		"Publish under another id, or send the article's author and moment.",
	},
	{
		CodeAuthorErased, http.StatusConflict, "The author was erased",
		"The author was erased after the article was published.", "Do not publish it again.",
	},
	{
		CodeVoidBegun, http.StatusConflict, "The void has begun",
		"Activities on the target are being undone, or are undone.",
		"It cannot be withdrawn. New activities count, and the service can restore old ones.",
	},
	{
		CodeTooManyVoids, http.StatusConflict, "Too many voids",
		"10,000 targets are void, which is the limit.",
		"Wait until months are final, or report undos instead.",
	},
	{
		CodeTooLarge, http.StatusRequestEntityTooLarge, "Too large",
		"The body is longer than 256 KiB, or for a webhook 1 MiB.", "Split it into several requests.",
	},
	{
		CodeMediaType, http.StatusUnsupportedMediaType, "Unsupported media type",
		"The body is not application/json in UTF-8, or it is compressed.",
		"Send Content-Type: application/json, and no Content-Encoding.",
	},
	{
		CodeInvalid, http.StatusUnprocessableEntity, "Invalid request",
		"The request violates the OpenAPI document or the forum's rules; nothing was applied.",
		"The errors list every violation with its location and code. Correct them all and send the request again.",
	},
	{
		CodeNotOfSource, http.StatusUnprocessableEntity, "Not a webhook of the source",
		"The signature is right, but the source does not send such bodies; nothing was applied.",
		"Check the address: each kind of forum has its own.",
	},
	{
		CodeTooManyRequests, http.StatusTooManyRequests, "Too many requests",
		"More requests came than this Laurel accepts.", retry,
	},
	{
		CodeInternal, http.StatusInternalServerError, "Internal error",
		"Something is wrong with Laurel itself; the log has the cause.", "Tell the operator when this happened.",
	},
	{
		CodeNotSupported, http.StatusNotImplemented, "Not supported",
		"This deployment lacks what the operation needs, such as a queue.", "The detail says what to use instead.",
	},
	{
		CodeUnavailable, http.StatusServiceUnavailable, "Unavailable",
		"A store cannot be reached, or too many writers compete.", retry,
	},
	{
		CodeFilling, http.StatusServiceUnavailable, "The boards are being filled",
		"The boards are being refilled from the ledgers. Nothing is lost, and reports work.", retry,
	},
	{
		CodeQueueFull, http.StatusServiceUnavailable, "The queue is full",
		"Too many messages are waiting.", retry,
	},
}
