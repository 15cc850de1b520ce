// Package redisstore is the store in Redis that the pages of users, the boards and
// the articles are kept in.
//
// It knows the connection, with its timeouts and its login; the keys and the shard
// of each user; how scripts are called; the versions that writes are guarded by;
// and the closed-period set, which says what takes no more writes. What is kept
// under the keys is the business of packages pages, boards, articles and audit,
// which are the only ones to use its client.
//
// It promises that all calls of one Run take one round trip, and one more when the
// server does not know a script; that a period is closed in each shard at one
// moment, after which no write that has read before is applied; and that every
// error of a Redis that does not answer wraps ErrUnavailable, every unreadable
// value ErrStored. Whatever it writes may be written again.
package redisstore
