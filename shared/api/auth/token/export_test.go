package token

// MaxChecked is the most tokens that a verifier keeps.
const MaxChecked = 2 * maxChecked

// Checked returns how many tokens a verifier keeps.
func (v *Verifier) Checked() int {
	v.checked.Lock()
	defer v.checked.Unlock()
	return len(v.checked.young) + len(v.checked.old)
}

// Forget drops the tokens that a verifier keeps.
func (v *Verifier) Forget() {
	v.checked.Lock()
	defer v.checked.Unlock()
	v.checked.young, v.checked.old = nil, nil
}
