package wire

// PublicCategories are the categories of a forum that guests read.
type PublicCategories struct {
	Categories []int64 `json:"categories" maxItems:"5000" minimum:"1" maximum:"2147483647"`
	FilledAt   *string `json:"filledAt,omitempty" nullable:"true" format:"moment"`
}
