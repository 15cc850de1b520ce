package ledger

// Seal ends a page with its checksum, so that a fuzzer gets past it.
func Seal(body []byte) string { return seal(body) }
