package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"laurel/shared/core/activity"
)

// DefaultRules is the name of the built-in rules.
const DefaultRules = "default"

// A Vector has requests for an empty server, and the boards that must come.
type Vector struct {
	Name   string  `json:"name"` // ids of users and teams, and most of targets, begin with it and a point
	About  string  `json:"about"`
	Zone   string  `json:"zone"`           // of the server
	Now    string  `json:"now"`            // when the server starts: it runs on for at most an hour
	Rules  string  `json:"rules"`          // of the server: DefaultRules, or a file beside the vector
	Wait   bool    `json:"wait,omitempty"` // for work that a server does in the background, for up to three minutes
	Steps  []Step  `json:"steps"`
	Boards []Board `json:"boards"`

	now   time.Time
	rules []byte
	file  string // the rules file, from the working folder; "" without one
}

// A Step is a request of the service.
type Step struct {
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Body     json.RawMessage `json:"body,omitempty"`
	Statuses []string        `json:"statuses,omitempty"` // of the receipts; none if order changes them
}

// A Board has all entries of a board in a period, in order.
type Board struct {
	Board   string  `json:"board"`
	Window  string  `json:"window"`
	Period  string  `json:"period"`
	Entries []Entry `json:"entries"`
}

// MomentForm is the form of reachedAt.
const MomentForm = "2006-01-02T15:04:05.000Z"

// An Entry is the place of a user on a board, or of a team.
type Entry struct {
	Rank      int64  `json:"rank"`
	User      string `json:"user,omitempty"`
	Team      string `json:"team,omitempty"`
	Score     int64  `json:"score"`
	ReachedAt string `json:"reachedAt,omitempty"` // of a user
	Members   *int64 `json:"members,omitempty"`   // of a team
}

// Read reads the file of a vector, and that of its rules.
func Read(file string) (*Vector, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v := &Vector{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return nil, fmt.Errorf("%s: not a vector: %w", file, err)
	}
	if v.Name == "" || v.Zone == "" || len(v.Steps) == 0 || len(v.Boards) == 0 {
		return nil, fmt.Errorf("%s: not a vector: name, zone, steps and boards must not be empty", file)
	}
	if v.now, err = time.Parse(time.RFC3339, v.Now); err != nil {
		return nil, fmt.Errorf("%s: now: %w", file, err)
	}
	if v.rules = activity.Default().JSON(); v.Rules != DefaultRules {
		v.file = filepath.Join(filepath.Dir(file), filepath.FromSlash(v.Rules))
		if v.rules, err = os.ReadFile(v.file); err != nil {
			return nil, fmt.Errorf("%s: rules: %w", file, err)
		}
	}
	return v, nil
}

// Setup returns the command that starts a server of a vector.
func (v *Vector) Setup() string {
	text := "laurel dev --timezone " + v.Zone + " --now " + v.Now
	if v.file != "" {
		text += " --rules " + v.file
	}
	return text
}

// maxRun is for how long a server may run before a vector's activities become too late, and its periods old.
const maxRun = time.Hour

// ErrOther is the error of a vector that needs a server with another time zone, other rules or another clock.
var ErrOther = errors.New("the vector needs another server")

// fits returns nil if a server is the vector's: ErrOther, with the reason, if it is not.
func (v *Vector) fits(s *state) error {
	ran := s.now.Sub(v.now)
	switch {
	case s.zone != v.Zone:
		return fmt.Errorf("%w: its time zone is %s, not %s", ErrOther, s.zone, v.Zone)
	case ran < 0 || ran > maxRun:
		return fmt.Errorf("%w: its clock is at %s, not within an hour after %s", ErrOther, s.now.Format(time.RFC3339), v.Now)
	case !same(s.rules, v.rules):
		return fmt.Errorf("%w: its rules are not those of %s", ErrOther, v.Rules)
	}
	return nil
}

// same reports whether two rules files have the same content, beside events and with the constants of articles.
func same(a, b []byte) bool {
	var files [2]any
	for i, source := range [][]byte{a, b} {
		rules, err := activity.ParseRules(source)
		if err != nil || json.Unmarshal(rules.JSON(), &files[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(files[0], files[1])
}
