package records

import (
	"cmp"

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

// NameText returns the public part of a name as the view keeps it, "" for none.
func NameText(n Name) string {
	texts := []string{n.Name, n.Avatar, n.Link}
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	var b []byte
	for _, text := range texts {
		b = codec.AppendText(b, text)
	}
	return string(b)
}

// ParseName reads what NameText returned. The error wraps codec.ErrDamaged.
func ParseName(text string) (n Name, err error) {
	r := codec.NewReader(text)
	for _, to := range []*string{&n.Name, &n.Avatar, &n.Link} {
		if r.Len() > 0 {
			*to = r.Text()
		}
	}
	if err := r.Done(); err != nil {
		return Name{}, wrap("read a name", err)
	}
	return n, nil
}

// A Person is what is kept of a user beside the ledgers. It is written with a profile or a
// status, for who has a follow list, and for everybody on a board before it is final. Who has
// none is shown, has no name, and was never erased.
type Person struct {
	ID      string            // "" in the tombstone of an erasure that is done
	Name    Name              // the zero Name: no profile
	Status  ledger.UserStatus // hidden, excluded, shadowed, public days
	Totals  []ledger.MonthTotal
	Follows bool         // has items of a follow list
	Erased  board.Moment // the moment of the last erasure, up to which everything of the id is gone; 0: none
	Erasing bool         // that erasure is at work, and ID is still there for it
}

// Tombstone says whether nobody has taken the person's place since the erasure.
func (p *Person) Tombstone() bool { return p.Erased != 0 && (p.Erasing || p.ID == "") }

// compareTotals orders totals as they are kept: by board, then month.
func compareTotals(a, b ledger.MonthTotal) int {
	return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Month, b.Month))
}
