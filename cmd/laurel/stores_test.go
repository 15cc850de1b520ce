package main

import (
	"fmt"

	"laurel/internal/testserver"
)

// redis [COMMAND...]: sends a command to a Redis of the script's own, at $REDIS_URL; stdout is the
// answer.
func (s *script) redis(args []string) {
	if s.client == nil {
		server := testserver.OwnRedis(s.tb)
		s.client = server.Client()
		s.Setenv("REDIS_URL", server.URL())
	}
	if len(args) == 0 {
		return
	}
	words := make([]any, len(args))
	for i, arg := range args {
		words[i] = arg
	}
	answer, err := s.client.Do(s.tb.Context(), words...).Result()
	s.Check(err)
	_, _ = fmt.Fprintln(s.Stdout(), answer)
}

// lose PATTERN...: keys are removed, of each pattern there have to be some.
func (s *script) lose(patterns []string) {
	for _, pattern := range patterns {
		keys, err := s.client.Keys(s.tb.Context(), pattern).Result()
		if s.Check(err); len(keys) == 0 {
			s.Fatalf("there is no %s", pattern)
		}
		s.Check(s.client.Del(s.tb.Context(), keys...).Err())
	}
}

// dynamodb: $DYNAMODB_ENDPOINT and $TABLE_NAME are a table of the script's own.
func (s *script) dynamodb([]string) {
	endpoint, table := testserver.Table(s.tb)
	s.Setenv("DYNAMODB_ENDPOINT", endpoint)
	s.Setenv("TABLE_NAME", table)
}

// cut: nothing reaches Redis from now on; $REDIS_URL goes through what cuts it.
func (s *script) cut([]string) {
	if s.cutter == nil {
		var url string
		s.cutter, url = testserver.ProxyURL(s.tb, s.Getenv("REDIS_URL"))
		s.Setenv("REDIS_URL", url)
	}
	s.cutter.All(testserver.CutBefore)
}

// heal: Redis is reached again.
func (s *script) heal([]string) { s.cutter.All(testserver.NoFault) }
