package request

// PublicCategories are the categories of a forum that guests read.
type PublicCategories struct {
	Categories []int64 `json:"categories" maxItems:"5000" minimum:"1" maximum:"2147483647" example:"[4,7]"`
	FilledAt   *string `json:"filledAt,omitempty" nullable:"true" format:"moment" readOnly:"true" example:"2026-11-20T12:00:00Z"`
}
