package article

import (
	"encoding/binary"
	"fmt"
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// A State is a stage of an article's life.
type State byte

// The states of an article, in order.
const (
	Voting     State = iota // votes of the voting week count
	VotesFinal              // the votes are final
	Left                    // trimmed: on no list, until it is changed
	Deleted                 // on no list; the id stays taken
)

// A Page is a stored article. The page of a deleted article has neither title nor link nor groups.
type Page struct {
	State   State
	Removed bool         // unlisted because the forum deleted it, which no edit lifts
	Changed board.Moment // when it became as it is, as far as forums said; 0 if nobody did
	Article
}

// Gone reports whether the article has left all lists, even if it is unlisted.
func (p Page) Gone() bool { return p.State == Left || p.State == Deleted }

// Private reports whether only members may read the article: it has neither title nor link nor groups, and is on no
// list, until a report gives it a title again.
func (p Page) Private() bool { return p.Unlisted && p.Title == "" }

// Listed reports whether the article is on lists.
func (p Page) Listed() bool { return !p.Gone() && !p.Unlisted }

func (p Page) votesFinal() bool { return p.State == VotesFinal || p.State == Left }

// Flags in the byte of the state.
const (
	flagUnlisted = 1 << 7
	flagRemoved  = 1 << 6
)

// Encode returns the page's bytes, without the id. They have the votes once these are final: until then
// votes follow from ledgers, and a deleted article has none.
func (p Page) Encode() string {
	state := byte(p.State)
	if p.Unlisted {
		state |= flagUnlisted
	}
	if p.Removed {
		state |= flagRemoved
	}
	b := append(codec.AppendText(nil, p.Author), state)
	if p.votesFinal() {
		b = binary.AppendUvarint(b, uint64(p.Votes))
	}
	b = binary.AppendUvarint(b, uint64(p.Published))
	b = codec.AppendText(codec.AppendText(b, p.Title), p.Link)
	b = binary.AppendUvarint(b, uint64(len(p.Groups)))
	for _, g := range p.Groups {
		b = codec.AppendText(b, g)
	}
	if p.Changed != 0 {
		b = binary.AppendUvarint(b, uint64(p.Changed))
	}
	return string(codec.Seal(b, p.ID))
}

// DecodePage reads the page of an article. The error wraps codec.ErrDamaged.
func DecodePage(id, page string) (Page, error) {
	r, err := codec.Open(page, id)
	if err != nil {
		return Page{}, fmt.Errorf("article %q: %w", id, err)
	}
	var p Page
	p.ID = id
	p.Author = r.Text()
	state := r.Byte()
	p.State = State(state &^ (flagUnlisted | flagRemoved))
	p.Unlisted, p.Removed = state&flagUnlisted != 0, state&flagRemoved != 0
	if p.votesFinal() {
		p.Votes = int64(r.Uvarint())
	}
	p.Published = board.Moment(r.Uvarint())
	p.Title = r.Text()
	p.Link = r.Text()
	for n := r.Count(1); n > 0; n-- {
		p.Groups = append(p.Groups, r.Text())
	}
	if r.Len() > 0 {
		p.Changed = board.Moment(r.Uvarint())
		r.Check(p.Changed != 0 && p.Changed.Valid(), "out of range")
	}
	r.Check(p.Unlisted || !p.Removed, "removed, but listed")
	r.Check(p.State <= Deleted && p.Published.Valid() && len(p.Author) <= activity.MaxUserID &&
		len(p.Groups) <= MaxGroups && slices.IsSorted(p.Groups), "out of range")
	if err := r.Done(); err != nil {
		return Page{}, fmt.Errorf("article %q: %w", id, err)
	}
	return p, nil
}
