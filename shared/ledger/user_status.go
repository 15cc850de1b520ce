package ledger

import "fmt"

// A UserStatus says why a user is not on the live boards, if so.
type UserStatus struct {
	Hidden   bool // by the user's own wish: what is reported is kept
	Excluded bool // by an operator: what is reported meanwhile is not kept
}

// Away says whether the user is on no live board.
func (s UserStatus) Away() bool { return s.Hidden || s.Excluded }

// Bits of a status page.
const (
	bitHidden = 1 << iota
	bitExcluded
)

// Page writes the status page, "" for a user who is neither: there is none then.
func (s UserStatus) Page() string {
	var bits byte
	if s.Hidden {
		bits |= bitHidden
	}
	if s.Excluded {
		bits |= bitExcluded
	}
	if bits == 0 {
		return ""
	}
	return seal([]byte{formatStatus, bits})
}

// OpenUserStatus reads what Page wrote. The error wraps ErrDamaged.
func OpenUserStatus(page string) (UserStatus, error) {
	if page == "" {
		return UserStatus{}, nil
	}
	r, err := unseal(page, formatStatus)
	if err != nil {
		return UserStatus{}, err
	}
	bits := r.byte()
	if r.bad = r.bad || bits == 0 || bits > bitHidden|bitExcluded; r.bad {
		return UserStatus{}, fmt.Errorf("%w: bits %b", ErrDamaged, bits)
	}
	return UserStatus{Hidden: bits&bitHidden != 0, Excluded: bits&bitExcluded != 0}, r.done()
}
