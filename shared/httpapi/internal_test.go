package httpapi

// Marshal writes an answer.
func Marshal(v any) ([]byte, error) { return new(exchange).marshal(v) }

// An Appender is an answer that is appended.
type Appender = appender
