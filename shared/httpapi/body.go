package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
)

// maxBody is the longest body that is read, in bytes.
const maxBody = 256 << 10

// readBody reads a body of JSON of at most so many bytes, or says why not.
func readBody(r *http.Request, most int64) ([]byte, *Problem) {
	if kind := r.Header.Get("Content-Type"); !isJSON(kind) {
		return nil, newProblem(CodeMediaType, "the body must be application/json, in UTF-8",
			newViolation(activity.CodeMediaType, "header.Content-Type", "must be application/json", kind))
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, newProblem(CodeMediaType, "the body must not be compressed",
			newViolation(activity.CodeMediaType, "header.Content-Encoding", "must be left out", coding))
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	switch {
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, badBody("cannot be read")
	case int64(len(body)) > most:
		return nil, newProblem(CodeTooLarge, fmt.Sprintf("the body must be at most %d KiB", most>>10))
	default:
		return body, nil // one that was cut short is not JSON
	}
}

// isJSON says whether a content type is that of JSON in UTF-8. None at all is
// taken for it.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	kind, parameters, err := mime.ParseMediaType(contentType)
	charset, given := parameters["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// badBody is the problem of a body whose bytes are not JSON.
func badBody(message string) *Problem {
	return newProblem(CodeInvalidJSON, "the body is not valid JSON",
		newViolation(activity.CodeInvalidJSON, "body", message, nil))
}

// bodyInput takes the body as it was sent, and what is wrong beside it, so that all
// violations of a request are listed together.
type bodyInput struct {
	body []byte
	rest []activity.Violation // violations of the query and the path
}

// Resolve takes both out of the request.
func (in *bodyInput) Resolve(ctx huma.Context) []error {
	x := exchangeOf(ctx.Context())
	in.body, in.rest = x.body, x.rest
	return nil
}
