package redisview

import "github.com/redis/go-redis/v9"

// Shared returns the hook that SharePipelines makes of a client's hook for pipelines.
func Shared(send redis.ProcessPipelineHook) redis.ProcessPipelineHook { return share(send) }
