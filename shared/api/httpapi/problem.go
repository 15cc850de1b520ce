package httpapi

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"strings"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/codec"
	"laurel/shared/core/metrics"
	"laurel/shared/forum/people"
	"laurel/shared/forum/recording"
	"laurel/shared/forum/voids"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// A Problem is an answer that describes an error, as in RFC 9457.
type Problem struct { //nolint:errname // the name of its schema
	Type   string             `json:"type"`
	Title  string             `json:"title"`
	Status int                `json:"status"`
	Detail string             `json:"detail"`
	Code   Code               `json:"code"`
	Errors []problemViolation `json:"errors,omitempty"`

	Instance string `json:"instance,omitempty"`

	header http.Header
}

// A problemViolation is an error in one place of a request.
type problemViolation struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Location string `json:"location"`
	Value    any    `json:"value,omitempty"`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

func newProblem(code Code, detail string, violations ...activity.Violation) *Problem {
	kind := KindOf(code)
	p := &Problem{
		Type: kind.Type(), Title: kind.Title, Status: kind.Status, Code: code, Detail: detail, header: http.Header{},
	}
	for _, v := range violations {
		p.Errors = append(p.Errors, problemViolation{string(v.Code), v.Message, v.Location, v.Value})
	}
	return p
}

// TooManyRequests answers a client that has sent more requests than are taken.
func (c *ResponseCache) TooManyRequests(w http.ResponseWriter, r *http.Request) {
	p := passingProblem(CodeTooManyRequests, "1", "more requests come than are taken; try again in a second")
	if c.Route(r) == embedPattern {
		c.api.serveFailure(w, r, embedded{}, p)
	} else {
		p.write(w)
	}
}

// passingProblem is a problem that is over after some seconds.
func passingProblem(code Code, seconds, detail string) *Problem {
	p := newProblem(code, detail)
	p.header.Set("Retry-After", seconds)
	return p
}

// knownErrors are the problems of errors that mean that something is not as the request wants it.
var knownErrors = []struct {
	err    error
	code   Code
	detail string
}{
	{recording.ErrNoArticle, CodeUnknownArticle, "no such article"},
	{recording.ErrDeleted, CodeArticleDeleted, "the article was deleted; its id cannot be used again"},
	{recording.ErrTaken, CodeArticleTaken, "the id belongs to an article of another author or moment"},
	{recording.ErrAuthorErased, CodeAuthorErased, "the author was erased since the article was published"},
	{voids.ErrNone, CodeNoVoid, "the target is not void"},
	{voids.ErrBegun, CodeVoidBegun, "the void is being carried out, or is done"},
	{voids.ErrTooMany, CodeTooManyVoids, "too many targets are void"},
	{people.ErrNoPair, CodeNoPair, "the pair is not void"},
	{people.ErrTooManyPairs, CodeTooManyPairs, "too many pairs of one of the two are void"},
	{people.ErrNoMerge, CodeNoMerge, "the user was never merged"},
	{people.ErrMergedElsewhere, CodeMergedElsewhere, "the user was merged into another one"},
	{people.ErrTooManyMerges, CodeTooManyMerges, "too many users are merged into the person"},
	{people.ErrExcluded, CodeUserExcluded, "the user is excluded; activities are not recorded"},
	{people.ErrErased, CodeUserErased, "the user was erased since; later activities start anew"},
	{people.ErrNoErasure, CodeNoErasure, "no such erasure"},
	{people.ErrNoAward, CodeNoAward, "no live month of the user has an award of this id"},
	{people.ErrAwardDiffers, CodeAwardDiffers, "the user's month has another award of this id"},
	{people.ErrTooManyAwards, CodeTooManyAwards, "the user's month has no room for another award"},
	{items.ErrPairing, CodePairingRefused, "the code is wrong, used or expired"},
}

// knownProblem returns the problem that an error is by itself, nil for none.
func knownProblem(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	for _, r := range knownErrors {
		if errors.Is(err, r.err) {
			return newProblem(r.code, r.detail)
		}
	}
	return nil
}

// problemOf is the one place where errors become answers. An error that it does not know is logged and shown to nobody.
func problemOf(ctx context.Context, log *slog.Logger, err error) *Problem {
	if p := knownProblem(err); p != nil {
		return p
	}
	switch {
	case errors.Is(err, ErrQueueFull):
		return passingProblem(CodeQueueFull, "1", "the queue is full; try again")
	case errors.Is(err, view.ErrUnready):
		log.WarnContext(ctx, "a board is not whole", "cause", err)
		return passingProblem(CodeNotReady, "30", "the board is being made from the ledgers; try again: all others answer")
	case errors.Is(err, view.ErrFilling):
		log.ErrorContext(metrics.Counted(ctx), "boards are being filled", "cause", err)
		metrics.From(ctx).Count("Filling", 1)
		return passingProblem(CodeFilling, "30",
			"the boards are being filled from the ledgers; try again: nothing is lost, and reports go on")
	case errors.Is(err, items.ErrZone), errors.Is(err, items.ErrLaterFormat):
		log.ErrorContext(metrics.Counted(ctx), "the table is of another forum or version", "cause", err)
		return passingProblem(CodeUnavailable, "30", "the store is not of this configuration; nothing is written")
	case !errors.Is(err, codec.ErrDamaged) && (errors.Is(err, view.ErrUnavailable) ||
		errors.Is(err, table.ErrUnavailable) || errors.Is(err, table.ErrConflict) ||
		errors.Is(err, items.ErrBusy)): // or others were first too often
		log.WarnContext(ctx, "unavailable", "cause", err)
		return passingProblem(CodeUnavailable, "1",
			"the store is unavailable; try again: what was applied is not applied twice")
	default:
		log.ErrorContext(ctx, "internal error", "cause", err)
		return newProblem(CodeInternal, "internal error")
	}
}

// write answers with the problem.
func (p *Problem) write(w http.ResponseWriter) {
	p.Instance = w.Header().Get(RequestIDHeader)
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	_, _ = w.Write(marshal(p)) // the client may be gone
}

// meanings has a line for each kind: its code and its meaning.
//
//go:embed violations.txt
var meanings string

// ViolationCodes returns the code of every kind of violation and its meaning, the document's own words first.
func ViolationCodes() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(meanings) {
			if code, meaning, _ := strings.Cut(strings.TrimSpace(line), ": "); !yield(code, meaning) {
				return
			}
		}
	}
}

func newViolation(code activity.Code, location, message string, value any) activity.Violation {
	if text, ok := value.(string); ok {
		value = activity.Shorten(text)
	}
	return activity.Violation{Code: code, Location: location, Message: message, Value: value}
}

// problemWith returns the answer that lists the violations of a body and of the
// rest of its request, nil when nothing is. A forbidden field decides the status, as
// nothing else would help; the other violations are listed all the same.
func problemWith(found *wire.Violations, rest []activity.Violation) *Problem {
	if found.Count()+len(rest) == 0 {
		return nil
	}
	if !found.Malformed() {
		for _, v := range rest {
			found.AddFirst(v)
		}
	}
	all := found.All()
	code, detail := CodeInvalid, "validation failed"
	switch {
	case found.Malformed():
		code, detail = CodeInvalidJSON, "the body is not valid JSON"
	case found.Forbidden():
		code, detail = CodeForbidden, "the caller may not do some of this"
	}
	if n := found.Count(); n > len(all) {
		detail += fmt.Sprintf("; only the first %d of %d violations are listed", len(all), n)
	}
	return newProblem(code, detail, all...)
}

// Unreadable returns the whole answer to bytes that are no request, with its headers, as no handler is asked; the
// connection is closed after it. The reason must not be the client's words; "" if nobody knows.
func Unreadable(reason string) []byte {
	detail := "the request is not readable"
	if reason != "" {
		detail += ": " + reason
	}
	held := response{header: maps.Clone(ofAll)}
	held.header[RequestIDHeader] = []string{rand.Text()}
	newProblem(CodeUnreadable, detail).write(&held)
	answer := http.Response{
		StatusCode: held.status, ProtoMajor: 1, ProtoMinor: 1, Header: held.header, Close: true,
		ContentLength: int64(len(held.body)), Body: io.NopCloser(bytes.NewReader(held.body)),
	}
	var all bytes.Buffer
	_ = answer.Write(&all) // a buffer takes everything
	return all.Bytes()
}
