package view

import "github.com/redis/go-redis/v9"

// passing is the part of a redis.Hook that leaves things as they are. Hooks embed it, and
// have methods of their own for what they change.
type passing struct{}

// DialHook leaves connections alone.
func (passing) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook leaves single commands alone.
func (passing) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
