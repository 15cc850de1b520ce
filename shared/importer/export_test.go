package importer

// SplitFields is what the CSV reader makes of one row.
func SplitFields(text string) (fields []string, fault string) {
	fields, open, fault := splitFields(nil, text, ',')
	if open {
		fault = notClosed
	}
	return fields, fault
}
