package e2e

// Measured has the base of a bill: units of the table, as AWS counts them, and bytes.
type Measured struct {
	Tick   Units `json:"tick"`   // of an idle forum
	Report Units `json:"report"` // of one activity, by a function that has a head of the last seconds
	Like   Units `json:"like"`   // of one that asks for an article, or for the head as it is now
	Queued Units `json:"queued"` // of 100 messages, each of another person
	Few    Units `json:"few"`    // of a message of 25 activities of 5 people
	// Bytes with headers: of a board of 10 with names, compressed, and of the answer to one activity.
	Answer  int `json:"answer"`
	Receipt int `json:"receipt"`
}

// Units are of items of less than a KB that were read and written.
type Units struct {
	Reads  float64 `json:"reads"`
	Writes float64 `json:"writes"`
}
