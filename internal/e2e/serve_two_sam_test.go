//go:build sam

package e2e_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/httpapi"
)

// A pair is two containers of laurel serve on one table and one Valkey, as docs/two-machines.md has them, and users who
// report through both.
type pair struct {
	t        *testing.T
	names    [2]string
	urls     [2]string
	answered [2]atomic.Int64 // reports, by container
	accepted [4]int          // articles that a user has published, once the users have ended
	ended    atomic.Bool
}

// twoAreKilledInTurn checks that one container answers reports while the other one is killed, and that both have every
// answered report on their boards at the end, once.
func twoAreKilledInTurn(t *testing.T, image string) {
	t.Helper()
	p := newPair(t, image)
	ctx, stop := context.WithCancel(t.Context())
	var users sync.WaitGroup
	defer users.Wait()
	defer stop()
	for user := range p.accepted {
		users.Go(func() { p.report(ctx, user) })
	}
	for i := range p.names {
		p.answers(i)
	}
	for range testserver.Times(1, 10) {
		for i, name := range p.names {
			docker(t, "kill", name)
			p.answers(1 - i)
			docker(t, "start", name)
			p.answers(i)
		}
	}
	p.ended.Store(true)
	users.Wait()
	p.compare()
	if said := docker(t, "exec", p.names[0], "/laurel", "audit"); !strings.Contains(said, "no differences") {
		t.Error(said)
	}
	t.Logf("answered: %d and %d; published: %d", p.answered[0].Load(), p.answered[1].Load(), p.accepted)
}

// newPair starts the pair with the settings and the command of the page. Users of the test report more often than
// people.
func newPair(t *testing.T, image string) *pair {
	t.Helper()
	const page = "two-machines.md"
	host, bind := hostOfContainers(t)
	valkey := testserver.OwnRedis(t, bind...)
	endpoint, table := testserver.Table(t)
	p := &pair{t: t}
	for i, port := range harness.Must(testserver.FreePorts(2))(t) {
		g := harness.NewGuide(t, filepath.Join(root, "docs"), t.TempDir())
		needs := g.Section(page, "## Requirements")
		settings := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(needs)
		etc := filepath.Join(g.Root, "etc", "laurel")
		harness.OK(t, os.Mkdir(etc, 0o755))
		for name, text := range map[string]string{
			"laurel.env": strings.NewReplacer(
				"=ZONE", "="+noon(t).Location().String(), "=laurel\n", "="+table+"\n",
				"https://dynamodb.eu-central-1.amazonaws.com", inContainers(host, endpoint),
				"rediss://laurel:PASSWORD@cache.example:6379", inContainers(host, valkey.URL()),
			).Replace(settings[1]) + "LAUREL_RATE=0\nLAUREL_USER_RATE=0\nLAUREL_ADDRESS_RATE=0\n",
			"secrets":    "SERVICE_SECRETS=" + serviceSecret + "\nAWS_ACCESS_KEY_ID=laurel\nAWS_SECRET_ACCESS_KEY=laurel\n",
			"rules.json": string(harness.Must(os.ReadFile(filepath.Join(root, "rules", "strict.json")))(t)),
		} {
			harness.OK(t, os.WriteFile(filepath.Join(etc, name), []byte(text), 0o644))
		}
		address := "127.0.0.1:" + strconv.Itoa(port)
		p.names[i], p.urls[i] = fmt.Sprint(image, "-", i+1), "http://"+address
		started(t, g, page, "## A container", image, p.names[i], address)
	}
	return p
}

// report publishes articles of a user through both containers by turns, each until one of them has answered.
func (p *pair) report(ctx context.Context, user int) {
	for turn := user; !p.ended.Load() && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		body := fmt.Sprintf(`{"activities":[{"action":"publish","user":"u%d","target":"a%d"}]}`, user, p.accepted[user])
		for ; ctx.Err() == nil; turn++ {
			if p.takes(ctx, turn%2, body) {
				p.accepted[user]++
				turn++
				break
			}
		}
	}
}

// takes reports whether a container answers a report.
func (p *pair) takes(ctx context.Context, i int, body string) bool {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	a, err := harness.Send(ctx, http.MethodPost, p.urls[i]+"/v1/activities", body,
		"Authorization", "Bearer "+tokenOf(serviceSecret, "forum"))
	if err != nil || a.Status != http.StatusOK {
		return false
	}
	p.answered[i].Add(1)
	return true
}

// answers waits until a container has answered fifty more reports.
func (p *pair) answers(i int) {
	p.t.Helper()
	want := p.answered[i].Load() + 50
	for end := time.Now().Add(20 * time.Second); p.answered[i].Load() < want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s has answered %d reports, want %d", p.names[i], p.answered[i].Load(), want)
		}
	}
}

// compare waits until the boards of both containers are one board, that of the accepted reports.
func (p *pair) compare() {
	p.t.Helper()
	want := map[string]int64{}
	for user, n := range p.accepted {
		want[fmt.Sprint("u", user)] = 10 * int64(n)
	}
	var got [2][]string
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		same := true
		for i := range got {
			scores := map[string]int64{}
			got[i] = nil
			for _, e := range p.board(i) {
				scores[*e.User.ID] = e.Score
				got[i] = append(got[i], fmt.Sprint(e.Rank, " ", *e.User.ID, " ", e.Score, " ", e.ReachedAt))
			}
			same = same && maps.Equal(scores, want)
		}
		if same && slices.Equal(got[0], got[1]) {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("the boards are\n%q and\n%q, accepted were %v", got[0], got[1], want)
		}
	}
}

// board returns the entries of a container's board of the day, none if it has no board yet.
func (p *pair) board(i int) []httpapi.Member {
	p.t.Helper()
	a, err := harness.Send(p.t.Context(), http.MethodGet, p.urls[i]+"/v1/boards/activity/day", "")
	if err != nil || a.Status != http.StatusOK {
		return nil
	}
	return harness.JSON[httpapi.Board](p.t, a).Entries
}
