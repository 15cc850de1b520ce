// Package redisstore is the store in Redis that the pages of users, the boards and
// the articles are kept in.
//
// It knows the connection, with its timeouts and its login; the keys and the shard
// of each user; how scripts are called; the versions that writes are guarded by;
// and the closed-period set, which says what takes no more writes. What is kept
// under the keys is the business of packages pages, boards, articles and audit,
// which are the only ones to use its client.
//
// A full Redis (maxmemory without eviction of keys that have no TTL) refuses what adds to it,
// with ErrFull: activities, votes, follow lists, new articles. A context of WhenFull has
// scripts run there all the same. It is given to the nightly run, with its proof, closings and
// removals; to rebuilds, to what mends lost writes, and to the repairs of an audit; and by
// their packages to statuses and exclusions, voids, erasures, changes of articles, and the
// closed-period set: they make room, are small, or would show what must not be shown. The
// hourly replay goes without, and leaves what was refused to the night, or it would fill Redis
// further every hour. A copy of a profile that cannot be written is removed, and read from the
// table. Plain commands that write are those that a full Redis takes: UNLINK and HDEL.
//
// It promises that all calls of one Run take one round trip, and one more when the
// server does not know a script; that a period is closed in each shard at one
// moment, after which no write that has read before is applied; and that every
// error of a Redis that does not answer wraps ErrUnavailable, every unreadable
// value ErrStored. Whatever it writes may be written again.
package redisstore
