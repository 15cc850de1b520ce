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
		"The bytes are not a request of HTTP.", "Look at what sends it: a client of HTTP does not do that.",
	},
	{
		CodeInvalidJSON, http.StatusBadRequest, "Invalid JSON",
		"The body is not one JSON value in UTF-8: it is empty or truncated, a name is in an object twice, or data follow it.",
		"The violation says where. Make bodies with a library for JSON.",
	},
	refused(CodeTokenMissing, "Missing token", "The request has no token.",
		"Send a valid token in the header Authorization, after the word Bearer."),
	refused(CodeTokenMalformed, "Malformed token", "What is after the word Bearer is no JSON Web Token.",
		"Send the token as it was made: three parts with dots between them, without quotes or line breaks."),
	refused(CodeTokenSignature, "Wrong signature of a token",
		"None of the secrets and keys that the server knows has made this signature, or the algorithm is not HS256.",
		"Compare the secret with the server's, letter by letter. It is used as text: do not decode what looks like hex."),
	refused(CodeTokenIssuer, "Unknown issuer", "The token is of an OpenID issuer that is not configured.",
		"Compare the claim iss with the configured issuer."),
	refused(CodeTokenExpiry, "Token without expiry", "The claim exp is missing, or is no number.",
		"Put into exp when the token expires, in seconds since 1970."),
	refused(CodeTokenExpired, "Expired token", "The token has expired.",
		"Get a new one; if it is new, compare the clocks."),
	refused(CodeTokenLifetime, "Too long-lived token", "The token expires more than an hour ahead.",
		"Let tokens expire within an hour; exp is in seconds, not in milliseconds. Compare the clocks."),
	refused(CodeTokenIssued, "Token of the future", "The token was issued after now, or is not valid yet (iat, nbf).",
		"Compare the clocks; iat and nbf are in seconds."),
	refused(CodeTokenAudience, "Token for another audience", "The claim aud does not name this server.",
		"Put the configured audience into aud."),
	refused(CodeTokenSubject, "Token without a user",
		"The claim that names the user is missing, no text, or no id of a user.",
		"Put the user's id into the claim sub, as text, or name the claim in the configuration."),
	{
		CodeBadSignature, http.StatusUnauthorized, "Wrong signature",
		"No secret of the source has signed these bytes, a header of the signature is missing, or its moment is off.",
		"Compare the secret in the forum with HOOK_SECRETS, and the clocks. The detail says what was missing.",
	},
	{
		CodeForbidden, http.StatusForbidden, "Not allowed",
		"The body asks for something that this token may not do; nothing of it was applied.",
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
		"The user has not opened the scores by day, or is excluded.",
		"Leave the chart out, or let the user open the days with PUT /v1/users/{user}/visibility.",
	},
	{
		CodeNoErasure, http.StatusNotFound, "No erasure",
		"The user was not erased, or it is so long ago that this is forgotten.", "DELETE /v1/users/{user} erases a user.",
	},
	{
		CodeNoVoid, http.StatusNotFound, "No void",
		"The target was not declared void, or it is so long ago that this is forgotten.",
		"PUT /v1/targets/{target}/void declares a target void.",
	},
	{
		CodeMethodNotAllowed, http.StatusMethodNotAllowed, "Method not allowed",
		"The path has no operation with this method.", "The header Allow lists the methods.",
	},
	{
		CodeUserExcluded, http.StatusConflict, "The user is excluded",
		"An operator excluded the user; but for undos, nothing is recorded meanwhile.",
		"DELETE /v1/users/{user}/exclusion takes that back.",
	},
	{
		CodeUserErased, http.StatusConflict, "The user was erased",
		"The user was erased after the moment of this request.", "Do not send it again: later activities start anew.",
	},
	{
		CodeArticleDeleted, http.StatusConflict, "The article was deleted",
		"The id of a deleted article cannot be used again.", "Publish under another id.",
	},
	{
		CodeArticleTaken, http.StatusConflict, "The id is taken",
		"The id belongs to an article of another author or moment, neither of which can change.",
		"Publish under another id, or send the author and the moment that the article has.",
	},
	{
		CodeAuthorErased, http.StatusConflict, "The author was erased",
		"The author was erased after the article was published.", "Do not publish it again.",
	},
	{
		CodeVoidBegun, http.StatusConflict, "The void has begun",
		"What was done to the target is being undone, or is undone.",
		"It cannot be taken back; what is done from now on counts, and the service can restore what was done before.",
	},
	{
		CodeTooManyVoids, http.StatusConflict, "Too many voids",
		"As many targets are void as can be at once.",
		"Wait until months are final, or undo what was done to the target by reporting the undos.",
	},
	{
		CodeTooLarge, http.StatusRequestEntityTooLarge, "Too large",
		"The body is longer than 256 KiB; that of a webhook, than 1 MiB.", "Split it into several requests.",
	},
	{
		CodeMediaType, http.StatusUnsupportedMediaType, "Unsupported media type",
		"The body is not application/json in UTF-8, or it is compressed.",
		"Send Content-Type: application/json, and no Content-Encoding.",
	},
	{
		CodeInvalid, http.StatusUnprocessableEntity, "Invalid request",
		"The request breaks the rules of the document or of the forum; nothing of it was applied.",
		"The errors list every violation with its location and code. Correct them all and send the request again.",
	},
	{
		CodeNotOfSource, http.StatusUnprocessableEntity, "Not a webhook of the source",
		"The signature is right, and the body is not what the source sends; nothing of it was applied.",
		"Compare the address with the forum that sends: each kind of forum has its own.",
	},
	{
		CodeTooManyRequests, http.StatusTooManyRequests, "Too many requests",
		"More requests came than the deployment takes.", retry,
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
		"A store cannot be reached, or others came first too often.", retry,
	},
	{
		CodeFilling, http.StatusServiceUnavailable, "The boards are being filled",
		"The boards are filled again from the ledgers. Nothing is lost, and reports go on.", retry,
	},
	{
		CodeQueueFull, http.StatusServiceUnavailable, "The queue is full",
		"Too many messages are waiting.", retry,
	},
}
