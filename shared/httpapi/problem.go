package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/archive"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/people"
	"laurel/shared/redisstore"
)

// A problem is an answer that says what is wrong, as RFC 9457 has it.
type problem struct {
	*huma.ErrorModel
	header http.Header
}

// GetHeaders returns the headers that the answer has to carry.
func (p *problem) GetHeaders() http.Header { return p.header }

func newProblem(status int, detail string, violations ...violation) *problem {
	model := &huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail}
	for _, v := range violations {
		model.Errors = append(model.Errors, v.ErrorDetail())
	}
	return &problem{ErrorModel: model, header: http.Header{}}
}

func unauthorized() *problem {
	p := newProblem(http.StatusUnauthorized, "missing or invalid token")
	p.header.Set("WWW-Authenticate", "Bearer")
	return p
}

func forbidden(detail string) *problem { return newProblem(http.StatusForbidden, detail) }

// problemOf is the one place where errors become answers. What it does not know
// is logged and told to nobody.
func problemOf(ctx context.Context, log *slog.Logger, err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if errors.Is(err, ErrQueueFull) {
		p := newProblem(http.StatusServiceUnavailable, "the queue is full; try again")
		p.header.Set("Retry-After", "1")
		return p
	}
	if errors.Is(err, redisstore.ErrStamp) {
		log.ErrorContext(ctx, "Redis is not what the table describes", "cause", err)
		metrics.From(ctx).Count("StampFailures", 1)
		p := newProblem(http.StatusServiceUnavailable,
			"the boards are being filled again from what was accepted; try again: nothing is lost")
		p.header.Set("Retry-After", "30")
		return p
	}
	if errors.Is(err, ledger.ErrExcluded) {
		return newProblem(http.StatusConflict, "the user is excluded; activities are not recorded")
	}
	if errors.Is(err, ledger.ErrErased) {
		return newProblem(http.StatusConflict, "the user was erased since; later activities start anew")
	}
	if p := articleProblem(err); p != nil {
		return p
	}
	if errors.Is(err, redisstore.ErrFull) {
		log.WarnContext(ctx, "the cache is full", "cause", err)
		metrics.From(ctx).Count("CacheFull", 1)
		p := newProblem(http.StatusServiceUnavailable, "the cache is full, and takes no more until it is larger or a "+
			"nightly run has made room; try again then: what was applied is not applied twice")
		p.header.Set("Retry-After", "300")
		return p
	}
	if passing(err) {
		log.WarnContext(ctx, "unavailable", "cause", err)
		p := newProblem(http.StatusServiceUnavailable,
			"the store is unavailable; try again: what was applied is not applied twice")
		p.header.Set("Retry-After", "1")
		return p
	}
	log.ErrorContext(ctx, "internal error", "cause", err)
	return newProblem(http.StatusInternalServerError, "internal error")
}

// passing reports whether the same request may succeed later: an unavailable store, or
// others were first too often, and nothing is broken.
func passing(err error) bool {
	if errors.Is(err, redisstore.ErrStored) || errors.Is(err, archive.ErrDamaged) {
		return false
	}
	for _, kind := range []error{
		redisstore.ErrUnavailable, redisstore.ErrBusy, archive.ErrUnavailable, archive.ErrExists, people.ErrBusy,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// write answers with the problem.
func (p *problem) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	body, err := marshal(p)
	if err != nil { // the status says enough
		return
	}
	_, _ = w.Write(body) // the client may be gone
}
