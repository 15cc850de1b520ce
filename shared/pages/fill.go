package pages

import (
	"context"

	"laurel/shared/ledger"
)

// RestoreStatus gives a user the status that is kept (see KeepStatuses), on the pages and
// on every live board. It may be done again.
func (s *Store) RestoreStatus(ctx context.Context, user string) error {
	return s.setStatus(ctx, user, func(*ledger.UserStatus) {})
}
