package items_test

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

func TestPairingCodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	s := memory(t)
	refused(t, s, "no code", "AAAA-AAAA-AAAA")
	first, _ := newPairing(t, s)
	code, until := newPairing(t, s)
	if !regexp.MustCompile(`^([AC-FHJKMNPQRT-Y2-7]{4}-){2}[AC-FHJKMNPQRT-Y2-7]{4}$`).MatchString(code) || code == first {
		t.Errorf("%s, after %s", code, first)
	}
	if until != now.Time().Add(items.PairingTime) {
		t.Errorf("good until %s", until)
	}
	refused(t, s, "a code that another took the place of", first)
	refused(t, s, "nothing", "")
	if err := s.UsePairing(t.Context(), " "+strings.ToLower(strings.ReplaceAll(code, "-", ""))); err != nil {
		t.Error("as people type it:", err)
	}
	refused(t, s, "used", code)
}

// A code ends after its time. Wrong ones, which anybody can send, do not end it.
func TestPairingCodeEnds(t *testing.T) {
	t.Parallel()
	s := memory(t)
	for _, c := range []struct {
		wrong int
		past  time.Duration
		want  error
	}{
		{60, items.PairingTime - time.Millisecond, nil},
		{0, items.PairingTime, items.ErrPairing},
	} {
		code, _ := newPairing(t, s)
		for range c.wrong {
			refused(t, s, "wrong", "AAAA-AAAA-AAAA")
		}
		later := items.New(s.Table(), "UTC", now.Time().Add(c.past).UTC)
		if err := later.UsePairing(t.Context(), code); !errors.Is(err, c.want) {
			t.Errorf("after %d wrong ones and %s: %v", c.wrong, c.past, err)
		}
	}
}

// Ten at two servers send the right code at once: one gets it. Wrong ones get nothing, and leave the code as it is.
func TestPairingCodeIsOneServersAlone(t *testing.T) {
	t.Parallel()
	table := embedded.New(time.Now)
	servers := []*items.Store{begun(t, table), begun(t, table)}
	for want, sent := range []string{"AAAA-AAAA-AAAA", ""} {
		code, _ := newPairing(t, servers[want])
		var paired atomic.Int64
		var all sync.WaitGroup
		for n := range 10 {
			all.Go(func() {
				switch err := servers[n%2].UsePairing(t.Context(), cmp.Or(sent, code)); {
				case err == nil:
					paired.Add(1)
				case !errors.Is(err, items.ErrPairing):
					t.Error(err)
				}
			})
		}
		if all.Wait(); paired.Load() != int64(want) {
			t.Errorf("%d got it, want %d", paired.Load(), want)
		}
		if err := servers[0].UsePairing(t.Context(), code); (want == 1) != errors.Is(err, items.ErrPairing) {
			t.Errorf("after ten at once: %v", err)
		}
	}
}

func newPairing(t *testing.T, s *items.Store) (code string, until time.Time) {
	t.Helper()
	code, until, err := s.NewPairing(t.Context())
	harness.OK(t, err)
	return code, until
}

func refused(t *testing.T, s *items.Store, why, code string) {
	t.Helper()
	if err := s.UsePairing(t.Context(), code); !errors.Is(err, items.ErrPairing) {
		t.Errorf("%s: %v", why, err)
	}
}
