package ledger

import "laurel/shared/codec"

// WithFormat returns the ledger as a later program has it: month and day pages have
// another format, and upgrades are those of earlier ones.
func (l *Ledger) WithFormat(number byte, upgrades map[byte]func(codec.Reader) (codec.Reader, error)) *Ledger {
	later := *l
	later.entries = format{number, upgrades}
	return &later
}

// Rewrite reads a month's or a day's page and writes it again.
func (l *Ledger) Rewrite(page string) (string, error) {
	groups, err := l.entries.decodeEntries(new(room), page)
	if err != nil {
		return "", err
	}
	all := make([]*group, len(groups))
	for i := range groups {
		all[i] = &groups[i]
	}
	return l.entries.encodeEntries(new(room), all), nil
}
