package redisstore

import "github.com/redis/go-redis/v9"

// Shared is what SharePipelines makes of how a client sends pipelines.
func Shared(send redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return shareHook{}.ProcessPipelineHook(send)
}
