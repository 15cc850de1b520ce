package ledger

// A UserStatus says why a user is not on the live boards, if so, and what others may see.
type UserStatus struct {
	Hidden   bool // by the user's own wish: what is reported is kept
	Excluded bool // by an operator: what is reported meanwhile is not kept
	Shadowed bool // by an operator: as hidden, and the user does not notice

	DaysPublic bool // by the user's own wish: others may read the days
}

// Suppressed says whether the user is on no live board.
func (s UserStatus) Suppressed() bool { return s.Hidden || s.Excluded || s.Shadowed }

// Supplied says whether the user is on no live board and told the places that would be.
func (s UserStatus) Supplied() bool { return (s.Hidden || s.Shadowed) && !s.Excluded }

// StandIn returns the status of a user while the one that is kept cannot be read: that in
// Redis if it suppresses the user, else hidden. So nobody is shown who may be suppressed.
func StandIn(inRedis UserStatus, err error) UserStatus {
	if err != nil || !inRedis.Suppressed() {
		return UserStatus{Hidden: true}
	}
	return inRedis
}

// Bits of a status page.
const (
	bitHidden = 1 << iota
	bitExcluded
	bitDaysPublic
	bitShadowed
)

// Page writes the status page, "" for the zero status: there is none then.
func (s UserStatus) Page() string {
	var bits byte
	if s.Hidden {
		bits |= bitHidden
	}
	if s.Excluded {
		bits |= bitExcluded
	}
	if s.DaysPublic {
		bits |= bitDaysPublic
	}
	if s.Shadowed {
		bits |= bitShadowed
	}
	if bits == 0 {
		return ""
	}
	return seal([]byte{formatStatus.number, bits})
}

// OpenUserStatus reads what Page wrote. The error wraps codec.ErrDamaged or
// ErrFormat.
func OpenUserStatus(page string) (UserStatus, error) {
	if page == "" {
		return UserStatus{}, nil
	}
	r, err := formatStatus.open(page)
	if err != nil {
		return UserStatus{}, err
	}
	bits := r.Byte()
	r.Check(bits > 0 && bits < 2*bitShadowed, "bad flags")
	return UserStatus{
		Hidden: bits&bitHidden != 0, Excluded: bits&bitExcluded != 0, DaysPublic: bits&bitDaysPublic != 0,
		Shadowed: bits&bitShadowed != 0,
	}, r.Done()
}
