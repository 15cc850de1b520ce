package ledger

import "laurel/shared/codec"

// WithFormat returns the ledger as a later program has it: month and day pages have
// another format, and upgrades are those of earlier ones.
func (l *Ledger) WithFormat(number byte, upgrades map[byte]func(codec.Reader) (codec.Reader, error)) *Ledger {
	later := *l
	later.entries = format{number, upgrades}
	return &later
}
