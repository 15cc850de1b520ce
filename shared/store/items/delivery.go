package items

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/table"
)

// DeliveryDays is for how many days a delivery is remembered, and MaxDeliveries how many a night leaves at most.
const (
	DeliveryDays  = 3
	MaxDeliveries = 96_000
)

// A Delivery is a webhook that has come, by a hash of its id: nobody's id stands in it.
type Delivery struct {
	First board.Moment // when it came first: contents without a moment of their own happened then
	Done  bool         // all of it was applied

	key      table.Key
	revision int64
}

// deliveryHash is how much of a hash a delivery's key is, in bytes.
const deliveryHash = 16

// deliveryBuckets are few, as each night reads them all.
const deliveryBuckets = 4

func deliveries(bucket int) string { return "DELIVERY" + digits(bucket) }

// deliveryKey returns the key of a delivery that some texts tell from others.
func deliveryKey(parts []string) table.Key {
	var b []byte
	for _, part := range parts {
		b = codec.AppendText(b, part)
	}
	sum := sha256.Sum256(b)
	return table.Key{
		Partition: deliveries(int(sum[deliveryHash]) % deliveryBuckets),
		Sort:      base64.RawURLEncoding.EncodeToString(sum[:deliveryHash]),
	}
}

func (d *Delivery) encode() []byte {
	done := map[bool]byte{true: 1}[d.Done]
	return seal(append(appendMoment(begin(), d.First), done), d.key)
}

func decodeDelivery(key table.Key, data []byte) (*Delivery, error) {
	return decode(key, data, func(r *codec.Reader, d *Delivery) {
		d.First = readMoment(r)
		done := r.Byte()
		r.Check(done <= 1, outOfRange)
		d.Done = done == 1
	})
}

// Arrive remembers a delivery, which its source and its id tell from others, before anything of it is applied. Of one
// that has come before it returns the first moment, also of two copies at once: the write decides. An item that
// cannot be read is as none, and Finish replaces it.
func (s *Store) Arrive(ctx context.Context, now board.Moment, parts ...string) (d Delivery, err error) {
	err = Again(ctx, func() error {
		d = Delivery{First: now, key: deliveryKey(parts)}
		d.revision, err = s.writeOne(ctx, d.key, d.encode(), 0)
		if !errors.Is(err, table.ErrConflict) {
			return err
		}
		items, failed := s.table.Get(ctx, d.key)
		if failed != nil {
			return wrap("read a delivery", failed)
		}
		if len(items) == 0 {
			return err // a night has just deleted it
		}
		if was, failed := decodeDelivery(d.key, items[0].Data); failed == nil {
			d.First, d.Done = was.First, was.Done
		}
		d.revision = items[0].Revision
		return nil
	})
	return d, err
}

// Finish says that all of a delivery was applied. Until then the same again is applied again, with its first moment.
func (s *Store) Finish(ctx context.Context, d Delivery) error {
	if d.Done {
		return nil
	}
	d.Done = true
	_, err := s.writeOne(ctx, d.key, d.encode(), d.revision)
	if errors.Is(err, table.ErrConflict) {
		return nil // a copy beside it was faster, or a night
	}
	return err
}

// ForgetDeliveries deletes deliveries that came before a moment, those that cannot be read, and the oldest where there
// are more than most, which is MaxDeliveries for a night. It returns how many.
func (s *Store) ForgetDeliveries(ctx context.Context, before board.Moment, most int) (n int64, err error) {
	counts := make([]int64, deliveryBuckets)
	var all errgroup.Group
	all.SetLimit(bucketsAtOnce)
	for bucket := range deliveryBuckets {
		all.Go(func() (err error) {
			counts[bucket], err = s.forget(ctx, bucket, before, most/deliveryBuckets)
			return err
		})
	}
	err = all.Wait()
	for _, one := range counts {
		n += one
	}
	return n, wrap("forget deliveries", err)
}

// forget is ForgetDeliveries of a bucket.
func (s *Store) forget(ctx context.Context, bucket int, before board.Moment, most int) (n int64, err error) {
	type one struct {
		key   table.Key
		first board.Moment
	}
	var old []table.Key
	var kept []one
	w := s.walk(ctx, deliveries(bucket))
	for ; len(w.items) > 0; w.take() {
		item := w.items[0]
		if d, err := decodeDelivery(item.Key, item.Data); err != nil || d.First < before {
			old = append(old, item.Key)
		} else {
			kept = append(kept, one{item.Key, d.First})
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	slices.SortFunc(kept, func(a, b one) int { return cmp.Compare(b.first, a.first) }) // the newest first
	for _, d := range kept[min(len(kept), most):] {
		old = append(old, d.key)
	}
	for keys := range slices.Chunk(old, pageLen) {
		if err := s.table.Delete(ctx, keys...); err != nil {
			return n, err
		}
		n += int64(len(keys))
	}
	return n, nil
}
