package view

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Shared returns the hook that SharePipelines makes of a client's hook for pipelines.
func Shared(send redis.ProcessPipelineHook) redis.ProcessPipelineHook { return share(send) }

// Show shows units of users alone.
func (s *Store) Show(ctx context.Context, life int64, units ...Unit) ([]ShowResult, error) {
	showed, err := s.ShowAll(ctx, life, Showing{Units: units})
	return showed.Units, err
}

// ShowVotes shows votes alone.
func (s *Store) ShowVotes(ctx context.Context, life int64, units ...VotesUnit) ([]ShowResult, error) {
	showed, err := s.ShowAll(ctx, life, Showing{Votes: units})
	return showed.Votes, err
}

// ShowArticles shows articles alone.
func (s *Store) ShowArticles(ctx context.Context, life int64, units ...ArticleUnit) ([]ShowResult, error) {
	showed, err := s.ShowAll(ctx, life, Showing{Articles: units})
	return showed.Articles, err
}
