package httpapi

import "github.com/danielgtaylor/huma/v2"

// fields describe those that mean the same wherever they are, by their names. What a field's
// own tag says comes before.
var fields = map[string]string{
	"action":       "The action of the rules",
	"article":      "The article's id",
	"at":           "When it was done",
	"author":       "The user who wrote it",
	"avatar":       "The address of the user's picture",
	"board":        "The board of the rules",
	"day":          "The day in the forum's time zone",
	"deleted":      "Whether it was deleted",
	"excluded":     "Whether the user is on no live board",
	"followedAt":   "When the user began to follow",
	"following":    "Whether the user follows now",
	"groups":       "The groups that it is in",
	"id":           "The id that the forum gave",
	"link":         "Its address in the forum",
	"month":        "The month in which it counts",
	"name":         "The name to show",
	"period":       "The period of the window",
	"publishedAt":  "When it was published",
	"rank":         "The place on the board, from 1",
	"reachedAt":    "When the score was reached",
	"receipts":     "One for each activity, in their order",
	"ref":          "What was done to the target, such as a comment's own id",
	"score":        "The points on the board",
	"since":        "Since when the account exists",
	"standing":     "The standing of the user asked for",
	"standings":    "One for each board and window",
	"target":       "What it was done to",
	"timezone":     "The forum's time zone",
	"title":        "The title to show",
	"unfollowedAt": "When the user ceased to follow",
	"user":         "The user",
	"users":        "The users, each once",
	"votes":        "How many have voted for it",
}

// describeFields describes the fields of a schema that no tag describes.
func describeFields(s *huma.Schema) {
	for name, p := range s.Properties {
		if p.Description == "" {
			p.Description = fields[name]
		}
	}
}
