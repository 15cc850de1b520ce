package dynamo

import (
	"time"

	"laurel/shared/table"
)

// A Store is a table.Store on a DynamoDB table with the keys pk and sk (S), the bytes data
// (B), the revision r (N), the mark m (B), and expires (N), the table's time to live. It calls only
// BatchGetItem, Query, PutItem and DeleteItem with a condition, BatchWriteItem,
// BatchExecuteStatement and TransactWriteItems. All reads but GetEventually are strongly consistent.
type Store struct {
	caller func() (*caller, error) // made when it is first called
	name   []byte                  // of the table, as JSON
	texts  texts
	now    func() time.Time
	pace   pace
}

var _ table.Store = (*Store)(nil)
