package profile

import (
	"encoding/binary"
	"fmt"

	"laurel/shared/core/codec"
)

// A Public has the parts of a profile that boards show, and the number of final public boards on which the user was
// the first; 0 for one who is on no live board.
type Public struct {
	Name   string `json:"name,omitempty" format:"name"`
	Avatar string `json:"avatar,omitempty" format:"http-url"`
	Link   string `json:"link,omitempty" format:"http-url"`
	Firsts int64  `json:"firsts,omitzero" minimum:"1" maximum:"250"`
}

// A User is a user on a board, or on a list, and the author of an article. ID is nil for one who was erased.
type User struct {
	ID *string `json:"id" format:"user-id" nullable:"true"`
	Public
	Erased bool `json:"erased,omitzero"`
}

// Public returns the parts that boards show.
func (p Profile) Public() Public { return Public{Name: p.Name, Avatar: p.Avatar, Link: p.Link} }

// Text returns it as the view keeps it, "" for nothing: three texts and a number.
func (p Public) Text() string {
	if p == (Public{}) {
		return ""
	}
	b := codec.AppendText(codec.AppendText(codec.AppendText(nil, p.Name), p.Avatar), p.Link)
	return string(binary.AppendUvarint(b, uint64(p.Firsts)))
}

// ParsePublic reads a text that Text returned. The error wraps codec.ErrDamaged.
func ParsePublic(text string) (p Public, err error) {
	if text == "" {
		return p, nil
	}
	r := codec.NewReader(text)
	p = Public{Name: r.Text(), Avatar: r.Text(), Link: r.Text(), Firsts: int64(r.Uvarint())}
	r.Check(p.Firsts >= 0 && p != (Public{}), "out of range")
	if err := r.Done(); err != nil {
		return Public{}, fmt.Errorf("profile: read a name: %w", err)
	}
	return p, nil
}
