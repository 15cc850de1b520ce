package laurel_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	laurel "laurel/integrations/client/go"
)

const vectorsFolder = "../../../vectors/"

// A vector is a file of the folder vectors; docs/vectors.md describes it.
type vector struct {
	Name, Zone, Now, Rules string
	Wait                   bool
	Steps                  []step
	Boards                 []struct {
		Board, Window, Period string
		Entries               []place
	}
}

// A step is a request of the service.
type step struct {
	Method, Path string
	Body         json.RawMessage
	Statuses     []string
}

// A place is that of a user, or of a team.
type place struct {
	Rank, Score int
	User, Team  string
	ReachedAt   time.Time
	Members     int
}

// methods are the requests for which play has a method of the client. Vectors with others (of operators) or with work
// of minutes are left to laurel vectors.
var methods = regexp.MustCompile(`^(POST /v1/activities|PUT /v1/users|(POST|DELETE) /v1/users/[^/]+/awards(/.+)?)$`)

func (s step) unknown() bool { return !methods.MatchString(s.Method + " " + s.Path) }

// Boards that the client's methods report and read are those of the vectors: moments, offsets, refs, restores, values,
// teams and awards arrive as they were given. Each kind of server is started once.
func TestVectors(t *testing.T) {
	t.Parallel()
	files := must[[]string](t)(filepath.Glob(vectorsFolder + "*.json"))
	servers, played := map[[3]string][]vector{}, 0
	for _, file := range files {
		var v vector
		read(t, must[[]byte](t)(os.ReadFile(file)), &v, true)
		if !v.Wait && !slices.ContainsFunc(v.Steps, step.unknown) {
			setup := [3]string{v.Zone, v.Now, v.Rules}
			servers[setup] = append(servers[setup], v)
			played++
		}
	}
	if played < len(files)-6 || played < 100 {
		t.Errorf("%d of %d vectors are played", played, len(files))
	}
	for setup, vectors := range servers {
		t.Run(strings.Join(setup[:], " "), func(t *testing.T) {
			t.Parallel()
			args := []string{"--timezone", setup[0], "--now", setup[1]}
			if setup[2] != "default" {
				args = append(args, "--rules", vectorsFolder+setup[2])
			}
			address, stop := dev(args...)
			t.Cleanup(stop)
			client := laurel.New(address, sourceOf(address, ""))
			for _, v := range vectors {
				v.play(t, client)
			}
		})
	}
}

// read decodes JSON: strictly, or with the fields that the value has.
func read(t *testing.T, text []byte, into any, loose bool) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	if !loose {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// play sends the steps, and compares the receipts and the boards, which may be behind the receipts for a while.
func (v vector) play(t *testing.T, c *laurel.Client) {
	t.Helper()
	for i, s := range v.Steps {
		if got := s.send(t, c); len(s.Statuses) > 0 && !slices.Equal(got, s.Statuses) {
			t.Errorf("%s, step %d: statuses %v, want %v", v.Name, i+1, got, s.Statuses)
		}
	}
	for _, b := range v.Boards {
		var got []place
		for range 100 {
			first, err := c.Board(t.Context(), b.Board, b.Window, laurel.BoardQuery{Period: b.Period, Limit: 100})
			if got = v.places(all(t, c, must[*laurel.Board](t)(first, err))); reflect.DeepEqual(got, b.Entries) {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if !reflect.DeepEqual(got, b.Entries) {
			t.Errorf("%s, %s %s %s:\n%+v, want\n%+v", v.Name, b.Board, b.Window, b.Period, got, b.Entries)
		}
	}
}

// send sends a step by the client's method, and returns the statuses of its receipts.
func (s step) send(t *testing.T, c *laurel.Client) (statuses []string) {
	t.Helper()
	path := strings.Split(s.Path, "/")[2:]
	switch {
	case s.Path == "/v1/activities":
		var body struct {
			Activities []laurel.Activity `json:"activities"`
		}
		read(t, s.Body, &body, false)
		for _, r := range must[[]laurel.Receipt](t)(c.Report(t.Context(), body.Activities...)) {
			statuses = append(statuses, r.Status)
		}
		return statuses
	case s.Path == "/v1/users":
		var body struct {
			Users []laurel.Profile `json:"users"`
		}
		read(t, s.Body, &body, false)
		must[[]laurel.Profile](t)(c.PutProfiles(t.Context(), body.Users...))
		return nil
	case s.Method == http.MethodDelete:
		return []string{must[*laurel.AwardReceipt](t)(c.RevokeAward(t.Context(), path[1], path[3])).Status}
	}
	var award laurel.NewAward
	read(t, s.Body, &award, false)
	return []string{must[*laurel.AwardReceipt](t)(c.Award(t.Context(), path[1], award)).Status}
}

// places returns the places of the vector's users, or teams. Ranks leave out others.
func (v vector) places(entries []laurel.Entry) []place {
	places, others := []place{}, 0
	for _, e := range entries {
		p := place{Rank: e.Rank - others, Score: e.Score, User: e.User.ID, ReachedAt: e.ReachedAt.UTC()}
		if e.Team != nil {
			p.Team, p.Members = e.Team.ID, e.Team.Members
		}
		if strings.HasPrefix(p.User+p.Team, v.Name+".") {
			places = append(places, p)
		} else {
			others++
		}
	}
	return places
}
