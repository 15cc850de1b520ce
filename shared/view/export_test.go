package view

import "github.com/redis/go-redis/v9"

// Shared is what SharePipelines makes of how a client sends pipelines.
func Shared(send redis.ProcessPipelineHook) redis.ProcessPipelineHook { return share(send) }
