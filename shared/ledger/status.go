package ledger

// A UserStatus says why a user is not on the live boards, if so, and what others may see.
type UserStatus struct {
	Hidden   bool // by the user's own wish: what is reported is kept
	Excluded bool // by an operator: what is reported meanwhile is not kept

	DaysPublic bool // by the user's own wish: others may read the days
}

// Suppressed says whether the user is on no live board.
func (s UserStatus) Suppressed() bool { return s.Hidden || s.Excluded }

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
	r.Check(bits > 0 && bits <= bitHidden|bitExcluded|bitDaysPublic, "bad flags")
	return UserStatus{
		Hidden: bits&bitHidden != 0, Excluded: bits&bitExcluded != 0, DaysPublic: bits&bitDaysPublic != 0,
	}, r.Done()
}
