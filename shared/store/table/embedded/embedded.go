package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"laurel/shared/store/table"
)

// ErrInUse is wrapped if another process has the file open.
var ErrInUse = errors.New("embedded: another process has the file open")

// File is the name of a store's file in its folder.
const File = "laurel.db"

// A Store is a table.Store in one file, or in memory alone.
//
// An item's key in the file is its partition after its length in two bytes, then its sort key, so that the items of
// a partition are adjacent and in order; its value is the expiry and the revision in eight bytes each, the data,
// and in four bytes their CRC-32C. The bucket's sequence is the total of these: a page in the place of another is
// damage, too. No answer is lost, so marks are not kept.
type Store struct {
	db      *bbolt.DB // nil: the items are in memory
	memory  memory
	now     func() time.Time
	options Options
	fails   atomic.Bool // the last commit has failed

	running chan struct{} // is full while a commit runs
	mu      sync.Mutex
	waiting []*write
}

// Options change how a store in a folder writes.
type Options struct {
	// NoSync leaves it to the system when writes reach the disk: after a loss of power, though not
	// of the process, writes may be missing or the file damaged.
	NoSync bool
	// Committed gets the number of writes of a commit and its time; nil: no calls.
	Committed func(writes int, took time.Duration)
	// Log notes interrupted commits; nil: no log.
	Log *slog.Logger
}

var _ table.Store = (*Store)(nil)

// The bucket's name has the format's version.
var itemsBucket = []byte("items-1")

// Open opens the store in a folder, which it creates if needed, after it has read all of it: its error names the
// file and the offset where that is damaged. Only one process at a time can open it.
func Open(folder string, now func() time.Time, options Options) (*Store, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, fmt.Errorf("embedded: %w", err)
	}
	path := filepath.Join(folder, File)
	_, missing := os.Stat(path)
	torn, err := check(path)
	if err != nil {
		return nil, err
	}
	if torn && options.Log != nil {
		options.Log.Warn("a commit was interrupted; its writes were not answered, and are not stored", "file", path)
	}
	s, err := openFile(path, now, options)
	if err == nil && errors.Is(missing, fs.ErrNotExist) {
		if err = giveToFolder(path); err != nil {
			return nil, errors.Join(fmt.Errorf("embedded: %w", err), s.Close())
		}
	}
	return s, err
}

// New returns an empty store in memory, which loses everything when the process ends.
func New(now func() time.Time) *Store {
	return &Store{memory: memory{}, now: now, running: make(chan struct{}, 1)}
}

func openFile(path string, now func() time.Time, options Options) (*Store, error) {
	db, err := openBolt(path, &bbolt.Options{
		NoSync: options.NoSync, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType,
	})
	if err != nil {
		return nil, err
	}
	empty := false
	err = db.View(func(tx *bbolt.Tx) error {
		empty = tx.Bucket(itemsBucket) == nil
		return nil
	})
	if err == nil && empty { // else nothing is written: the disk may be full
		err = db.Update(func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket(itemsBucket)
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: open %s: %w", table.ErrUnavailable, path, err), db.Close())
	}
	return &Store{db: db, now: now, options: options, running: make(chan struct{}, 1)}, nil
}

func openBolt(path string, o *bbolt.Options) (*bbolt.DB, error) {
	o.Timeout = time.Second
	db, err := bbolt.Open(path, 0o600, o)
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: %w: %s", table.ErrUnavailable, ErrInUse, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: open %s: %w", table.ErrUnavailable, path, err)
	}
	return db, nil
}

// Close closes the file after running calls have ended.
func (s *Store) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}
