package ledger

// A UserStatus says why a user is not on the live boards, if so, and what others may see.
type UserStatus struct {
	Hidden   bool // by the user's own wish: what is reported is kept
	Excluded bool // by an operator: of what is reported meanwhile undos alone are kept
	Shadowed bool // by an operator: as hidden, and the user does not notice

	DaysPublic bool // by the user's own wish: others may read the days
}

// Suppressed says whether the user is on no live board.
func (s UserStatus) Suppressed() bool { return s.Hidden || s.Excluded || s.Shadowed }

// Supplied says whether the user is on no live board and told the places that would be.
func (s UserStatus) Supplied() bool { return (s.Hidden || s.Shadowed) && !s.Excluded }
