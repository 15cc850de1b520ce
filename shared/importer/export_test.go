package importer

// SplitFields returns the fields of one row of CSV, or its violation.
func SplitFields(text string) (fields []string, violation string) {
	fields, open, violation := splitFields(nil, text, ',')
	if open {
		violation = notClosed
	}
	return fields, violation
}
