package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Format is the version of the layout of everything in Redis. A change that an older
// program cannot read raises it; then the store is filled again from the journal.
const Format = 3

// ErrStamp is wrapped, with ErrUnavailable, when Redis does not have the stamp that the
// table says: it was emptied, in part or whole, or it was filled by something else.
// Nothing that was read is right then, and nothing is written.
var ErrStamp = errors.New("redisstore: Redis is not the one that the table describes")

// A Stamp says how a store was filled. The table has one, and every part of Redis that
// can be lost on its own (each shard, and the articles) has it too, in values that
// requests read anyway: a part without it has been emptied.
//
//	laurel:{s}:closed          version, then the line "# <format> <shards> <generation> <zone>", then the set
//	laurel:{s}:profiles ""     generation x 2^20 + a number that each erasure changes
//	laurel:{articles}:pages 0  generation x 2^20
type Stamp struct {
	Format     int    `json:"format"`
	Shards     int    `json:"shards"`
	Zone       string `json:"zone"`
	Generation int64  `json:"generation"` // another one each time that Redis is filled; at most 2^40
}

// generationBits is how many bits a mark has beside the generation: they count what
// ends the copies of profiles.
const generationBits = 20

// String returns the stamp for people.
func (s Stamp) String() string {
	return fmt.Sprintf("format %d, %d shards, zone %s, generation %d", s.Format, s.Shards, s.Zone, s.Generation)
}

// line returns the stamp as it stands in the closed-period set.
func (s Stamp) line() string {
	return fmt.Sprintf("# %d %d %d %s\n", s.Format, s.Shards, s.Generation, s.Zone)
}

func parseStamp(line string) (s Stamp, err error) {
	if n, err := fmt.Sscanf(line, "# %d %d %d %s\n", &s.Format, &s.Shards, &s.Generation, &s.Zone); n != 4 {
		return s, fmt.Errorf("%w: stamp %q: %w", ErrStored, line, err)
	}
	return s, nil
}

// mark returns what stands for the stamp in a hash.
func (s Stamp) mark() string { return strconv.FormatInt(s.Generation<<generationBits, 10) }

// MarkStep returns what an erasure adds to a mark: 1, and close to 2^20 erasures much less
// than 0, as one more would make it the mark of another generation, and every request would
// fail. A few at once may go back together.
func MarkStep(mark string) int64 {
	const count = 1 << generationBits
	n, _ := strconv.ParseInt(mark, 10, 64)
	if n%count >= count-1_024 {
		return -count / 4
	}
	return 1
}

// marked says whether a mark is of the stamp.
func (s Stamp) marked(mark string) bool {
	n, err := strconv.ParseInt(mark, 10, 64)
	return err == nil && n>>generationBits == s.Generation
}

// expected is the stamp that operations have to find, in the forms that it is found in.
type expected struct {
	Stamp
	line, mark string
}

// Expect has every operation find this stamp, or fail with ErrStamp; nil has none
// looked for.
func (s *Store) Expect(stamp *Stamp) {
	if stamp == nil {
		s.expected.Store(nil)
		return
	}
	s.expected.Store(&expected{*stamp, stamp.line(), stamp.mark()})
}

// CheckMark holds the mark of a shard or of the articles against what is expected.
func (s *Store) CheckMark(mark string) error {
	want := s.expected.Load()
	switch {
	case want == nil || want.marked(mark):
		return nil
	case mark == "":
		return stampError("it was emptied")
	}
	n, _ := strconv.ParseInt(mark, 10, 64)
	return stampError("it has generation %d, want %d", n>>generationBits, want.Generation)
}

// checkLine holds the stamp in a shard's closed-period set against what is expected.
func (s *Store) checkLine(line string) error {
	want := s.expected.Load()
	switch {
	case want == nil || line == want.line:
		return nil
	case line == "":
		return stampError("it was emptied")
	}
	there, err := parseStamp(line)
	if err != nil {
		return err
	}
	return stampError("it has %s; want %s", there, want.Stamp)
}

func stampError(format string, args ...any) error {
	return fmt.Errorf("%w: %w: "+format, append([]any{ErrUnavailable, ErrStamp}, args...)...)
}

// ExecMarked sends a pipeline, and with it reads the marks of shards, all of them when
// none is named, and checks them. What is missing is no error.
func (s *Store) ExecMarked(ctx context.Context, pipe redis.Pipeliner, operation string, shards ...int) error {
	var marks []*redis.StringCmd
	if s.expected.Load() != nil {
		if len(shards) == 0 {
			shards = s.allShards()
		}
		for _, shard := range shards {
			marks = append(marks, pipe.HGet(ctx, ProfilesKey(shard), MarkField))
		}
	}
	cmds, _ := pipe.Exec(ctx)
	if err := FirstError(cmds...); err != nil {
		return Unavailable(operation, err)
	}
	for _, mark := range marks {
		if err := s.CheckMark(mark.Val()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) allShards() []int {
	all := make([]int, s.shards)
	for shard := range all {
		all[shard] = shard
	}
	return all
}

// CheckStamp holds every part of Redis against what is expected, in one round trip.
func (s *Store) CheckStamp(ctx context.Context) error {
	pipe := s.client.Pipeline()
	mark := pipe.HGet(ctx, ArticlesKey, ArticleMarkField)
	if err := s.ExecMarked(ctx, pipe, "read the stamp"); err != nil {
		return err
	}
	return s.CheckMark(mark.Val())
}

// GuardMark has a write of articles applied only if they have the mark that is expected.
func (s *Store) GuardMark(w *Write) {
	if want := s.expected.Load(); want != nil {
		w.GuardValue(ArticlesKey, ArticleMarkField, want.mark)
	}
}

// Stamps reads which stamp Redis has: nil when no part has one. whole is false when a
// part lacks it, or has another.
func (s *Store) Stamps(ctx context.Context) (stamp *Stamp, whole bool, err error) {
	lines, marks, err := s.readStamps(ctx)
	if err != nil {
		return nil, false, err
	}
	whole = true
	for _, line := range lines {
		if line == "" {
			whole = false
			continue
		}
		there, err := parseStamp(line)
		if err != nil {
			return nil, false, err
		}
		whole = whole && (stamp == nil || *stamp == there)
		stamp = &there
	}
	for _, mark := range marks {
		whole = whole && stamp != nil && stamp.marked(mark)
	}
	return stamp, whole, nil
}

// readStamps reads the line and the mark of every shard, "" for none, and, the last of the
// marks, that of the articles.
func (s *Store) readStamps(ctx context.Context) (lines, marks []string, err error) {
	pipe := s.client.Pipeline()
	closed, found := make([]*redis.StringCmd, s.shards), make([]*redis.StringCmd, s.shards, s.shards+1)
	for shard := range s.shards {
		closed[shard] = pipe.GetRange(ctx, ClosedKey(shard), VersionLen, maxStamp)
		found[shard] = pipe.HGet(ctx, ProfilesKey(shard), MarkField)
	}
	found = append(found, pipe.HGet(ctx, ArticlesKey, ArticleMarkField))
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, nil, Unavailable("read the stamp", err)
	}
	for _, c := range closed {
		line, _ := cutStamp(c.Val())
		lines = append(lines, line)
	}
	for _, c := range found {
		marks = append(marks, c.Val())
	}
	return lines, marks, nil
}

// maxStamp is past the end of any stamp in a closed-period set.
const maxStamp = 200

// cutStamp divides what follows the version in a closed-period set: the stamp's line,
// "" for none, and the set.
func cutStamp(text string) (line, set string) {
	if !strings.HasPrefix(text, "#") {
		return "", text
	}
	end := strings.IndexByte(text, '\n') + 1
	return text[:end], text[end:]
}

// WriteStamp stamps every part of Redis, which has to be whole by then. It may be done
// again.
func (s *Store) WriteStamp(ctx context.Context, stamp Stamp) error {
	for shard := range s.shards {
		mark, err := s.client.HGet(ctx, ProfilesKey(shard), MarkField).Int64()
		if err != nil && !errors.Is(err, redis.Nil) {
			return Unavailable("read a stamp", err)
		}
		marks := mark>>generationBits != stamp.Generation // perhaps the mark alone is lost
		err = s.changeClosedValue(ctx, shard, &marks, func(w *Write, set *ClosedSet) (string, error) {
			if marks {
				w.HSet(ProfilesKey(shard), MarkField, stamp.mark())
			}
			return stamp.line() + set.Periods.String(), nil
		})
		if err != nil {
			return err
		}
	}
	w := &Write{}
	w.HSet(ArticlesKey, ArticleMarkField, stamp.mark())
	s.Apply(ctx, w)
	_, err := Applied("write a stamp", w)
	return err
}
