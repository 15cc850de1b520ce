package final

import "laurel/shared/table"

// Forge returns a page or a manifest with another entry, sealed as if it were right.
func Forge(item table.Item, change func([]Entry)) (table.Item, error) {
	if item.Data[0] == kindManifest {
		m, err := openManifest(item)
		if err != nil {
			return table.Item{}, err
		}
		change(m.Top)
		return sealManifest(item.Key, m), nil
	}
	entries, err := openPage(item)
	if err != nil {
		return table.Item{}, err
	}
	change(entries)
	return seal(item.Key, kindPage, appendEntries(nil, entries)), nil
}
