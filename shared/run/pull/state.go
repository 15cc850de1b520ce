package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"laurel/shared/core/board"
)

// format is the version of the state's file.
const format = 1

// A State has the data that a source has read and reported.
type State struct {
	Format   int                    `json:"format"`
	Source   string                 `json:"source"`             // its forum: answer https://forum.example
	Read     board.Moment           `json:"read,omitempty"`     // when the last complete reading began
	Entries  map[string]ReportedAct `json:"entries,omitempty"`  // acts of users, by Row.key
	Users    map[string]User        `json:"users,omitempty"`    // by id
	Articles map[string]Article     `json:"articles,omitempty"` // by id
	Outbox   []Request              `json:"outbox,omitempty"`   // requests to send before any other
}

// A ReportedAct is an act of a user, as it was reported. Its names are short: a file has many of them.
type ReportedAct struct {
	Seen board.Moment `json:"s"`           // when it was done last, as the forum tells
	At   board.Moment `json:"a,omitempty"` // the latest moment that was reported
	Done bool         `json:"d,omitempty"` // it stands
}

// A User has the reported data of a user.
type User struct {
	Profile  string       `json:"p,omitempty"` // a hash of the profile
	Excluded board.Moment `json:"x,omitempty"` // since when; 0 if the user is not
	Erased   bool         `json:"e,omitempty"`
}

// An Article has the reported data of an article.
type Article struct {
	Author string `json:"u,omitempty"`
	Text   string `json:"t,omitempty"` // a hash of title and link
	Listed bool   `json:"l,omitempty"`
	Owed   bool   `json:"o,omitempty"` // Listed has to be reported again: the author was excluded
}

// A Request is one to Laurel. Each may be sent again.
type Request struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body,omitempty"`
}

// First reports whether nothing was read before.
func (s *State) First() bool { return s.Read == 0 }

// load reads the state of a source; without a file it is empty.
func load(file, source string) (*State, error) {
	s := &State{
		Format: format, Source: source,
		Entries: map[string]ReportedAct{}, Users: map[string]User{}, Articles: map[string]Article{},
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	switch failed := json.Unmarshal(text, s); {
	case err != nil:
	case failed != nil:
		err = fmt.Errorf("it is not a state that a pull has written: %w", failed)
	case s.Format != format:
		err = fmt.Errorf("it has format %d, and this program writes %d", s.Format, format)
	case s.Source != source:
		err = fmt.Errorf("it belongs to %s, not to %s", s.Source, source)
	}
	if err != nil {
		return nil, fmt.Errorf("the state in %s: %w", file, err)
	}
	return s, nil
}

// save writes the state in place of the file, whole or not at all.
func (s *State) save(file string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("the state: %w", err)
	}
	next, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // only its owner reads it
	if err == nil {
		_, err = next.Write(text)
		err = errors.Join(err, next.Sync(), next.Close())
		if err == nil {
			err = os.Rename(next.Name(), file)
		}
		if err != nil {
			_ = os.Remove(next.Name())
		}
	}
	if err != nil {
		return fmt.Errorf("the state is not written: %w", err)
	}
	return nil
}
