package items

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// PairingTime is how long a pairing code is good for. Wrong ones do not end it, or anybody could: of its 55 bits, a
// million tries a second find it once in a hundred thousand codes.
const PairingTime = 10 * time.Minute

// ErrPairing is returned for a code that is wrong, used or expired, and where none was made.
var ErrPairing = errors.New("items: not the pairing code")

// A pairing is the one code that is open. The zero value is none.
type pairing struct {
	Hash  []byte       `json:"hash,omitempty"` // SHA-256 of the code
	Until board.Moment `json:"until,omitempty"`
}

func pairingKey() table.Key { return table.Key{Partition: partForum, Sort: "pairing"} }

// NewPairing makes a code, in place of the one that is open, and says until when it is good. Only its hash is stored.
func (s *Store) NewPairing(ctx context.Context) (code string, until time.Time, err error) {
	letters := strings.Map(func(r rune) rune {
		if strings.ContainsRune("BGILOSZ", r) { // they look like others or like digits
			return -1
		}
		return r
	}, rand.Text()+rand.Text())
	code = letters[:4] + "-" + letters[4:8] + "-" + letters[8:12] // 55 bits
	until = s.clock().Add(PairingTime)
	return code, until, s.changePairing(ctx, func(*pairing) (pairing, error) {
		return pairing{Hash: hashOfCode(code), Until: board.MomentOf(until)}, nil
	})
}

// UsePairing uses the code up. Of several who try at once one does; the error for all others is
// ErrPairing. The write decides, so there may be several processes.
func (s *Store) UsePairing(ctx context.Context, code string) error {
	var refused error
	err := s.changePairing(ctx, func(open *pairing) (pairing, error) {
		refused = ErrPairing
		right := subtle.ConstantTimeCompare(hashOfCode(code), open.Hash) == 1
		if open.Hash == nil || !right || board.MomentOf(s.clock()) >= open.Until {
			return pairing{}, ErrUnchanged
		}
		refused = nil
		return pairing{}, nil
	})
	if err != nil {
		return err
	}
	return refused
}

// changePairing reads the item, and writes the value that change makes of it, again after a conflict.
func (s *Store) changePairing(ctx context.Context, change func(open *pairing) (pairing, error)) error {
	return Again(ctx, func() error {
		items, err := s.table.Get(ctx, pairingKey())
		if err != nil {
			return wrap("read the pairing code", err)
		}
		open, was := &pairing{}, int64(0)
		if len(items) > 0 {
			was = items[0].Revision
			if err := json.Unmarshal(items[0].Data, open); err != nil {
				return fmt.Errorf("items: %w: the pairing code: %w", codec.ErrDamaged, err)
			}
		}
		next, err := change(open)
		if errors.Is(err, ErrUnchanged) {
			return nil
		}
		data, err := json.Marshal(next)
		if err == nil {
			_, err = s.writeOne(ctx, pairingKey(), data, was)
		}
		return err
	})
}

// hashOfCode hashes a code as people type it: in small letters, too, and grouped in any way.
func hashOfCode(code string) []byte {
	sum := sha256.Sum256([]byte(strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToUpper(code))))
	return sum[:]
}
