package article

// A Sort is an order of lists.
type Sort string

// The orders of lists.
const (
	Hot Sort = "hot" // by score
	New Sort = "new" // by the moment of publishing
)

// A View asks for a part of a list.
type View struct {
	Sort   Sort
	Group  string // "" for all articles
	Offset int64  // from 0
	Limit  int64
}

// A Group is a group's name and the number of its articles.
type Group struct {
	Name     string
	Articles int64
}
