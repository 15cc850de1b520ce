package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
)

// verified is a verifier that knows one token.
type verified struct{ err error }

func (v verified) Verify(_ context.Context, text string) (auth.Caller, error) {
	if text != "ann's" {
		return auth.Caller{}, v.err
	}
	return auth.Caller{User: "ann"}, nil
}

// A token that is not valid is an answer, one that can't be checked an error; the log has
// neither.
func TestAnswers(t *testing.T) {
	t.Parallel()
	named := answer{IsAuthorized: true, Context: map[string]any{"caller": "user.YW5u"}}
	for name, c := range map[string]struct {
		header string
		err    error
		want   answer
		failed bool
	}{
		"a user's":          {"Bearer ann's", nil, named, false},
		"nobody's":          {"Bearer secret", fmt.Errorf("%w: expired", token.ErrInvalid), answer{}, false},
		"another scheme":    {"Basic ann's", token.ErrInvalid, answer{}, false},
		"without an issuer": {"Bearer secret", token.ErrKeys, answer{}, true},
	} {
		log := &harness.Log{}
		levels := &slog.HandlerOptions{Level: slog.LevelDebug}
		handle := handler(verified{c.err}.Verify, slog.New(slog.NewJSONHandler(log, levels)))
		got, err := handle(t.Context(), request{Type: "REQUEST", IdentitySource: []string{c.header}})
		if fmt.Sprint(got) != fmt.Sprint(c.want) || (err != nil) != c.failed || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: %+v, %v; logged %s", name, got, err, log)
		}
		if level := `"level":"ERROR"`; strings.Contains(log.String(), level) != c.failed {
			t.Errorf("%s: logged %s", name, log)
		}
	}
}

func TestOtherEventsAreErrors(t *testing.T) {
	t.Parallel()
	handle := handler(verified{}.Verify, slog.New(slog.DiscardHandler))
	for _, event := range []request{{}, {Type: "TOKEN", IdentitySource: []string{"Bearer ann's"}}, {Type: "REQUEST"}} {
		if got, err := handle(t.Context(), event); !errors.Is(err, errEvent) || got.IsAuthorized {
			t.Errorf("%+v: %+v, %v", event, got, err)
		}
	}
}
