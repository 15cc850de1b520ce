package night

// Total returns how many places differ.
func (a Audited) Total() (n int64) {
	for _, places := range a.Differs {
		n += places
	}
	return n
}

// Unexplained returns how many places differ without a reason, and boards that cannot be read.
func (a Audited) Unexplained() int64 { return a.Differs[WhyUnexplained] + int64(len(a.Broken)) }
