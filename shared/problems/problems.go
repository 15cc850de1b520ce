package problems

import (
	"fmt"
	"net/http"
	"strings"
)

// Path is where the pages about problems are.
const Path = "/problems/"

// A Code is a kind of problem.
type Code string

// The codes of all problems.
const (
	Unreadable       Code = "unreadable"
	InvalidJSON      Code = "invalid_json"
	Unauthorized     Code = "unauthorized"
	BadSignature     Code = "bad_signature"
	Forbidden        Code = "forbidden"
	ServiceOnly      Code = "service_only"
	OtherUser        Code = "other_user"
	NotFound         Code = "not_found"
	UnknownBoard     Code = "unknown_board"
	UnknownWindow    Code = "unknown_window"
	UnknownArticle   Code = "unknown_article"
	NoProfile        Code = "no_profile"
	DaysPrivate      Code = "days_private"
	NoErasure        Code = "no_erasure"
	NoVoid           Code = "no_void"
	MethodNotAllowed Code = "method_not_allowed"
	UserExcluded     Code = "user_excluded"
	UserErased       Code = "user_erased"
	ArticleDeleted   Code = "article_deleted"
	ArticleTaken     Code = "article_taken"
	AuthorErased     Code = "author_erased"
	VoidBegun        Code = "void_begun"
	TooManyVoids     Code = "too_many_voids"
	TooLarge         Code = "too_large"
	MediaType        Code = "media_type"
	Invalid          Code = "invalid"
	NotOfSource      Code = "not_of_source"
	TooManyRequests  Code = "too_many_requests"
	Internal         Code = "internal"
	NotSupported     Code = "not_supported"
	Unavailable      Code = "unavailable"
	Filling          Code = "filling"
	QueueFull        Code = "queue_full"
)

// A Problem is a kind of problem: its status, its title, what it means and what to do.
type Problem struct {
	Code    Code
	Status  int
	Title   string
	Meaning string
	Action  string
}

// Type returns the URI of the problem's page, relative to the API's address.
func (p Problem) Type() string { return Path + strings.ReplaceAll(string(p.Code), "_", "-") }

// Of returns the problem of a code.
func Of(code Code) Problem {
	for _, p := range list {
		if p.Code == code {
			return p
		}
	}
	panic(fmt.Sprintf("problems: %q is not on the list", code))
}

// All returns every problem, by status.
func All() []Problem { return list }

const again = "Send the same request again after the seconds in Retry-After. What was applied is not applied twice."

var list = []Problem{
	{
		Unreadable, http.StatusBadRequest, "Unreadable request",
		"The bytes are not a request of HTTP.", "Look at what sends it: a client of HTTP does not do that.",
	},
	{
		InvalidJSON, http.StatusBadRequest, "Invalid JSON",
		"The body is not one JSON value in UTF-8: it is empty or truncated, a name is in an object twice, or data follow it.",
		"The violation says where. Make bodies with a library for JSON.",
	},
	{
		Unauthorized, http.StatusUnauthorized, "Missing token",
		"The request has no token. One that is expired, of another issuer or audience, or not signed as it should be, " +
			"gets 403 before it comes this far.",
		"Send a valid token in the header Authorization, after the word Bearer.",
	},
	{
		BadSignature, http.StatusUnauthorized, "Wrong signature",
		"No secret of the source has signed these bytes, a header of the signature is missing, or its moment is off.",
		"Compare the secret in the forum with HOOK_SECRETS, and the clocks. The detail says what was missing.",
	},
	{
		Forbidden, http.StatusForbidden, "Not allowed",
		"The body asks for something that this token may not do; nothing of it was applied.",
		"The violation names the activity. Send it with the service's token, from the forum's backend.",
	},
	{
		ServiceOnly, http.StatusForbidden, "For the service only",
		"Only the forum's own backend may do this.", "Send it from the backend, with the service's token.",
	},
	{
		OtherUser, http.StatusForbidden, "Another user's data",
		"A user's token is valid for that user alone.", "Use the token of the user in the path, or the service's.",
	},
	{
		NotFound, http.StatusNotFound, "Not found",
		"No operation has this path.", "Compare the path with the document at /openapi.json, letter by letter.",
	},
	{
		UnknownBoard, http.StatusNotFound, "Unknown board",
		"The rules have no board of this name.", "GET /v1/boards lists the boards.",
	},
	{
		UnknownWindow, http.StatusNotFound, "Unknown window",
		"The board does not keep this window.", "GET /v1/boards lists the windows of each board.",
	},
	{
		UnknownArticle, http.StatusNotFound, "Unknown article",
		"No article has this id, or it was deleted.", "Publish the article first with POST /v1/articles.",
	},
	{
		NoProfile, http.StatusNotFound, "No profile",
		"The user has no profile.", "Show the id, or put the profile with PUT /v1/users/{user}.",
	},
	{
		DaysPrivate, http.StatusNotFound, "No public days",
		"The user has not opened the scores by day, or is excluded.",
		"Leave the chart out, or let the user open the days with PUT /v1/users/{user}/visibility.",
	},
	{
		NoErasure, http.StatusNotFound, "No erasure",
		"The user was not erased, or it is so long ago that this is forgotten.", "DELETE /v1/users/{user} erases a user.",
	},
	{
		NoVoid, http.StatusNotFound, "No void",
		"The target was not declared void, or it is so long ago that this is forgotten.",
		"PUT /v1/targets/{target}/void declares a target void.",
	},
	{
		MethodNotAllowed, http.StatusMethodNotAllowed, "Method not allowed",
		"The path has no operation with this method.", "The header Allow lists the methods.",
	},
	{
		UserExcluded, http.StatusConflict, "The user is excluded",
		"An operator excluded the user; but for undos, nothing is recorded meanwhile.",
		"DELETE /v1/users/{user}/exclusion takes that back.",
	},
	{
		UserErased, http.StatusConflict, "The user was erased",
		"The user was erased after the moment of this request.", "Do not send it again: later activities start anew.",
	},
	{
		ArticleDeleted, http.StatusConflict, "The article was deleted",
		"The id of a deleted article cannot be used again.", "Publish under another id.",
	},
	{
		ArticleTaken, http.StatusConflict, "The id is taken",
		"The id belongs to an article of another author or moment, neither of which can change.",
		"Publish under another id, or send the author and the moment that the article has.",
	},
	{
		AuthorErased, http.StatusConflict, "The author was erased",
		"The author was erased after the article was published.", "Do not publish it again.",
	},
	{
		VoidBegun, http.StatusConflict, "The void has begun",
		"What was done to the target is being undone, or is undone.",
		"It cannot be taken back; what is done from now on counts, and the service can restore what was done before.",
	},
	{
		TooManyVoids, http.StatusConflict, "Too many voids",
		"As many targets are void as can be at once.",
		"Wait until months are final, or undo what was done to the target by reporting the undos.",
	},
	{
		TooLarge, http.StatusRequestEntityTooLarge, "Too large",
		"The body is longer than 256 KiB; that of a webhook, than 1 MiB.", "Split it into several requests.",
	},
	{
		MediaType, http.StatusUnsupportedMediaType, "Unsupported media type",
		"The body is not application/json in UTF-8, or it is compressed.",
		"Send Content-Type: application/json, and no Content-Encoding.",
	},
	{
		Invalid, http.StatusUnprocessableEntity, "Invalid request",
		"The request breaks the rules of the document or of the forum; nothing of it was applied.",
		"The errors list every violation with its location and code. Correct them all and send the request again.",
	},
	{
		NotOfSource, http.StatusUnprocessableEntity, "Not a webhook of the source",
		"The signature is right, and the body is not what the source sends; nothing of it was applied.",
		"Compare the address with the forum that sends: each kind of forum has its own.",
	},
	{
		TooManyRequests, http.StatusTooManyRequests, "Too many requests",
		"More requests came than the deployment takes.", again,
	},
	{
		Internal, http.StatusInternalServerError, "Internal error",
		"Something is wrong with Laurel itself; the log has the cause.", "Tell the operator when this happened.",
	},
	{
		NotSupported, http.StatusNotImplemented, "Not supported",
		"This deployment lacks what the operation needs, such as a queue.", "The detail says what to use instead.",
	},
	{
		Unavailable, http.StatusServiceUnavailable, "Unavailable",
		"A store cannot be reached, or others came first too often.", again,
	},
	{
		Filling, http.StatusServiceUnavailable, "The boards are being filled",
		"The boards are filled again from the ledgers. Nothing is lost, and reports go on.", again,
	},
	{
		QueueFull, http.StatusServiceUnavailable, "The queue is full",
		"Too many messages are waiting.", again,
	},
}
