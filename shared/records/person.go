package records

import (
	"cmp"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

// A Name is what a user is called, and since when the account is.
type Name struct {
	Name   string `json:"name"`
	Avatar string `json:"avatar,omitempty"` // URL of a picture
	Link   string `json:"link,omitempty"`   // URL of a page
	Since  string `json:"since,omitempty"`  // when the account was made, RFC 3339; not public
}

// A Person is what is kept of a user beside the ledgers. It is written with a profile or a
// status, for who has a follow list, and for everybody on a board before it is final. Who has
// none is shown, has no name, and was never erased.
type Person struct {
	ID      string            // "" in the tombstone of an erasure that is done
	Name    Name              // the zero Name: no profile
	Status  ledger.UserStatus // hidden, excluded, shadowed, public days
	Totals  []ledger.MonthTotal
	Wreaths []Wreath     // the newest first; at most mostWreaths
	Follows bool         // has items of a follow list
	Erased  board.Moment // the moment of the last erasure, up to which everything of the id is gone; 0: none
	Erasing bool         // that erasure is at work, and ID is still there for it
}

// A Public is what boards show of a person: the name without since, and of how many final boards the
// person was the first; 0 of who is on no live board.
type Public struct {
	Name, Avatar, Link string
	Firsts             int64
}

// Public returns what boards show of the person; of nobody nothing.
func (p *Person) Public() Public {
	if p == nil {
		return Public{}
	}
	public := Public{Name: p.Name.Name, Avatar: p.Name.Avatar, Link: p.Name.Link}
	for _, w := range p.Wreaths {
		if w.Rank == 1 && !p.Status.Suppressed() {
			public.Firsts++
		}
	}
	return public
}

// Text returns it as the view keeps it, "" for nothing.
func (p Public) Text() string {
	texts := []string{p.Name, p.Avatar, p.Link, ""}
	if p.Firsts > 0 {
		texts[3] = strconv.FormatInt(p.Firsts, 10)
	}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	var b []byte
	for _, text := range texts {
		b = codec.AppendText(b, text)
	}
	return string(b)
}

// ParsePublic reads what Text returned. The error wraps codec.ErrDamaged.
func ParsePublic(text string) (p Public, err error) {
	r, firsts := codec.NewReader(text), ""
	for _, to := range []*string{&p.Name, &p.Avatar, &p.Link, &firsts} {
		if r.Len() > 0 {
			*to = r.Text()
		}
	}
	if firsts != "" {
		p.Firsts, err = strconv.ParseInt(firsts, 10, 64)
		r.Check(err == nil && p.Firsts > 0, outOfRange)
	}
	if err := r.Done(); err != nil {
		return Public{}, wrap("read a name", err)
	}
	return p, nil
}

// Tombstone says whether nobody has taken the person's place since the erasure.
func (p *Person) Tombstone() bool { return p.Erased != 0 && (p.Erasing || p.ID == "") }

// compareTotals orders totals as they are kept: by board, then month.
func compareTotals(a, b ledger.MonthTotal) int {
	return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
}
