package article

// A Sort is an order of lists.
type Sort string

// The orders of lists.
const (
	Hot Sort = "hot" // by score
	New Sort = "new" // by the moment of publishing
)

// A View says which piece of which list is to be read.
type View struct {
	Sort   Sort
	Group  string // "" for all articles
	Offset int64  // from 0
	Limit  int64
}

// A Group is a group's name and how many articles are in it.
type Group struct {
	Name     string
	Articles int64
}
