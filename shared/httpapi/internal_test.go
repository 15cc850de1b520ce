package httpapi

// Marshal writes an answer.
func Marshal(v any) ([]byte, error) { return new(exchange).marshal(v) }

// An Appender is an answer that is appended.
type Appender = appender

// PendingReceipts is the answer to a report that is kept.
func PendingReceipts(n int) Receipts { return Receipts{pending: n} }
