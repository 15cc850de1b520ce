package laurel_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	laurel "laurel/integrations/client/go"
)

// A transport answers requests in place of a network.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// answer returns one with headers, each a name and its value.
func answer(status int, body string, headers ...string) *http.Response {
	a := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	for i := 0; i < len(headers); i += 2 {
		a.Header.Set(headers[i], headers[i+1])
	}
	return a
}

// A fake is a server that gives its answers in order, the last one repeatedly, and notes its requests.
type fake struct {
	answers []reply
	times   []time.Time
	tokens  []string
	bodies  []string
}

func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	f.times, f.bodies = append(f.times, time.Now()), append(f.bodies, string(body))
	f.tokens = append(f.tokens, r.Header.Get("Authorization"))
	if a := f.answers[min(len(f.times), len(f.answers))-1]; a.status != 0 {
		return answer(a.status, a.body, a.headers...), nil
	}
	return nil, io.ErrUnexpectedEOF
}

// A reply is a status, a body, and headers, each a name and its value; status 0 is a connection that ends before.
type reply struct {
	status  int
	body    string
	headers []string
}

func replies(status int, body string, headers ...string) reply { return reply{status, body, headers} }

var lost = reply{}

// on returns a client of the server, with a source of the tokens t1, t2 and so on.
func (f *fake) on(answers ...reply) *laurel.Client {
	f.answers = answers
	n := 0
	client := laurel.New("https://laurel.invalid", func(context.Context) (string, error) {
		n++
		return fmt.Sprint("t", n), nil
	})
	client.HTTP.Transport = f
	return client
}

const receipt = `{"receipts":[{"status":"counted"}]}`

// A request that may pass is sent again: after Retry-After, or a little later; not before, and not more often than
// allowed.
func TestPassingFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	done, late, later := replies(200, receipt), replies(504, ""), replies(503, "", "Retry-After", "7")
	throttled, gateway := replies(429, "", "Retry-After", "1"), replies(429, `{"message":"Too Many Requests"}`)
	for name, c := range map[string]struct {
		answers     []reply
		tries       int
		least, most time.Duration // of the time that it takes
		status      int           // of the problem; 0 for an answer, -1 for another error
	}{
		"an outage":     {[]reply{later, done}, 2, 7 * time.Second, 8 * time.Second, 0},
		"a throttle":    {[]reply{throttled, done}, 2, time.Second, 2 * time.Second, 0},
		"no header":     {[]reply{gateway, done}, 2, 50 * time.Millisecond, time.Second, 0},
		"the network":   {[]reply{lost, {502, "<", nil}, late, done}, 4, 300 * time.Millisecond, 2 * time.Second, 0},
		"for good":      {[]reply{lost}, 4, 300 * time.Millisecond, 2 * time.Second, -1},
		"too long":      {[]reply{replies(503, "", "Retry-After", "61")}, 1, 0, 0, 503},
		"an error":      {[]reply{replies(500, "")}, 1, 0, 0, 500},
		"a violation":   {[]reply{replies(422, "")}, 1, 0, 0, 422},
		"a broken body": {[]reply{replies(200, `{"receipts":`), done}, 2, 50 * time.Millisecond, time.Second, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f, began := &fake{}, time.Now()
				_, err := f.on(c.answers...).Report(t.Context(), laurel.Activity{Action: "like", Target: "1"})
				p, _ := errors.AsType[*laurel.Problem](err)
				switch {
				case c.status == 0 && err != nil, c.status < 0 && (err == nil || p != nil),
					c.status > 0 && (p == nil || p.Status != c.status):
					t.Errorf("the error is %v", err)
				}
				if took := time.Since(began); len(f.times) != c.tries || took < c.least || took > c.most {
					t.Errorf("%d tries in %s", len(f.times), took)
				}
			})
		})
	}
}

// A repeated report of the service has the moment of the first try; one of a member has none.
func TestRepeatedReportsAreTheSame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, began := &fake{}, time.Now().UTC()
		client := f.on(lost, replies(503, "", "Retry-After", "5"), replies(200, receipt))
		like := []laurel.Activity{{Action: "like", Target: "1", User: "ann"}}
		if _, err := client.Report(t.Context(), like...); err != nil {
			t.Fatal(err)
		}
		var sent struct {
			Activities []laurel.Activity `json:"activities"`
		}
		if err := json.Unmarshal([]byte(f.bodies[2]), &sent); err != nil || f.bodies[0] != f.bodies[2] ||
			!sent.Activities[0].At.Equal(began) || !like[0].At.IsZero() {
			t.Errorf("%s, then %s, want %s: %v", f.bodies[0], f.bodies[2], began, err)
		}
		f.answers = []reply{replies(200, receipt)}
		if _, err := client.Report(t.Context(), laurel.Activity{Action: "like", Target: "1"}); err != nil ||
			strings.Contains(f.bodies[3], "at\"") {
			t.Errorf("a member's report is %s, %v", f.bodies[3], err)
		}
		f.answers = []reply{lost, replies(201, `{"id":"1"}`)}
		f.times = nil
		if _, err := client.CreateArticle(t.Context(), laurel.NewArticle{Title: "One"}); err != nil ||
			f.bodies[4] != f.bodies[5] || !strings.Contains(f.bodies[5], `"publishedAt":"2000-`) {
			t.Errorf("articles %v, %v", f.bodies[4:], err)
		}
	})
}

// An unlike is not sent while the like before it is still being tried.
func TestMembersReportsDoNotOvertake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		client := f.on(lost, replies(200, receipt))
		var wg sync.WaitGroup
		for _, action := range []string{"like", "unlike"} {
			wg.Go(func() {
				if _, err := client.Report(t.Context(), laurel.Activity{Action: action, Target: "1"}); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		wg.Wait()
		if len(f.bodies) != 3 || f.bodies[0] != f.bodies[1] || !strings.Contains(f.bodies[2], "unlike") {
			t.Errorf("sent %v", f.bodies)
		}
	})
}

// Nobody waits past the deadline: where the next try is behind it, the problem is returned at once.
func TestDeadlineEndsTheTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, began := &fake{}, time.Now()
		client := f.on(replies(503, "", "Retry-After", "7"))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := client.Board(ctx, "activity", "day", laurel.BoardQuery{})
		if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.RetryAfter != 7*time.Second || time.Since(began) != 0 {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err = client.Board(ctx, "activity", "day", laurel.BoardQuery{})
		if p, ok := errors.AsType[*laurel.Problem](err); !ok || p.Status != 503 || !errors.Is(err, context.Canceled) ||
			time.Since(began) != time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// A refused token is asked for again once: after 401, and after 403 of API Gateway; not after a 403 for good.
func TestRefusedTokenIsAskedForOnce(t *testing.T) {
	t.Parallel()
	const forbidden = `{"status":403,"code":"service_only","detail":"no"}`
	problem := []string{"Content-Type", "application/problem+json"}
	for name, c := range map[string]struct {
		answers []reply
		tokens  string
		code    string
	}{
		"expired":        {[]reply{replies(401, `{"code":"token_expired"}`, problem...), replies(200, `{}`)}, "t1,t2", ""},
		"of API Gateway": {[]reply{replies(403, `{"message":"Forbidden"}`), replies(200, `{}`)}, "t1,t2", ""},
		"twice":          {[]reply{replies(401, `{"code":"token_expired"}`, problem...)}, "t1,t2", "token_expired"},
		"for good":       {[]reply{replies(403, forbidden, problem...)}, "t1", "service_only"},
		"and an outage":  {[]reply{lost, replies(401, ""), lost, lost, replies(200, `{}`)}, "t1,t1,t2,t2,t2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &fake{}
				_, err := f.on(c.answers...).Standings(t.Context(), "ann")
				p, ok := errors.AsType[*laurel.Problem](err)
				if ok != (c.code != "") || ok && p.Code != c.code || !ok && err != nil {
					t.Errorf("the error is %v", err)
				}
				if sent := strings.ReplaceAll(strings.Join(f.tokens, ","), "Bearer ", ""); sent != c.tokens {
					t.Errorf("the tokens were %q", sent)
				}
			})
		})
	}
}

// Requests share a token until shortly before it expires, and one call of the source.
func TestTokenIsSharedAndRenewedEarly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		client := laurel.New("https://laurel.invalid", func(context.Context) (string, error) {
			asked++
			time.Sleep(time.Second) // all the others wait by now
			claims := fmt.Appendf(nil, `{"exp":%d}`, time.Now().Add(10*time.Minute).Unix())
			return "e30." + base64.RawURLEncoding.EncodeToString(claims) + ".AAAA", nil
		})
		client.HTTP.Transport = transport(func(*http.Request) (*http.Response, error) { return answer(200, `{}`), nil })
		all := func() {
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() {
					if _, err := client.Standings(t.Context(), "ann"); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
		}
		for i, after := range []time.Duration{0, 9 * time.Minute, 35 * time.Second} {
			time.Sleep(after)
			all()
			if want := []int{1, 1, 2}[i]; asked != want {
				t.Errorf("the source was asked %d times after round %d, want %d", asked, i, want)
			}
		}
		if _, err := client.Board(t.Context(), "activity", "day", laurel.BoardQuery{}); err != nil || asked != 2 {
			t.Errorf("a public read asked for a token: %d, %v", asked, err)
		}
	})
}

// A source that fails, or returns nothing, is the caller's error.
func TestSourceThatFails(t *testing.T) {
	t.Parallel()
	errSource := errors.New("no session")
	client := laurel.New("https://laurel.invalid", func(context.Context) (string, error) { return "", errSource })
	if _, err := client.Standings(t.Context(), "ann"); !errors.Is(err, errSource) {
		t.Errorf("the error is %v", err)
	}
	client = laurel.New("https://laurel.invalid", func(context.Context) (string, error) { return "", nil })
	if _, err := client.Standings(t.Context(), "ann"); err == nil {
		t.Error("an empty token is sent")
	}
}

// A next that is no path is not followed: it could lead the token elsewhere.
func TestNextElsewhereIsNotFollowed(t *testing.T) {
	t.Parallel()
	f := &fake{}
	client := f.on(replies(200, `{"users":[{"id":"1"}],"next":"@elsewhere.invalid/"}`))
	page := must[*laurel.Following](t)(client.Following(t.Context(), "ann", 0, 0))
	var last error
	for _, err := range laurel.All(t.Context(), client, page) {
		last = err
	}
	if last == nil || len(f.times) != 1 {
		t.Errorf("%d requests, %v", len(f.times), last)
	}
}

// An error names the faults, for a log: the status, the code, all violations, the request; and no value.
func TestProblemNamesItsFaults(t *testing.T) {
	t.Parallel()
	f := &fake{}
	client := f.on(replies(422, `{"title":"Invalid request","status":422,"detail":"validation failed","code":"invalid",
		"errors":[{"code":"empty","message":"must not be empty","location":"body.name","value":"private"}]}`,
		"Content-Type", "application/problem+json", "X-Request-Id", "R1"))
	_, err := client.PutProfile(t.Context(), laurel.Profile{ID: "ann"})
	if want := "laurel: 422 invalid: validation failed (body.name: must not be empty), request R1"; err.Error() != want {
		t.Errorf("the error is %q", err)
	}
}
