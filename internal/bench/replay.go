package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/record"
)

// A Sample is the front page at a moment: the top of the hot list, by ids.
type Sample struct {
	At  board.Moment
	Hot []string
}

// replay replays a site through an empty store and returns a sample an hour.
func replay(ctx context.Context, site *Site, store *record.Recorder) ([]Sample, error) {
	articles, likes := site.Articles, site.Likes
	samples := make([]Sample, 0, site.Days*24)
	for now := start + hour; now <= site.Ends(); now += hour {
		n, _ := slices.BinarySearchFunc(articles, now,
			func(a Publication, now board.Moment) int { return int(a.Published - now) })
		for _, a := range articles[:n] {
			if _, _, err := store.Articles().Create(ctx, a.Article, a.Published); err != nil {
				return nil, fmt.Errorf("publish: %w", err)
			}
		}
		articles = articles[n:]
		n, _ = slices.BinarySearchFunc(likes, now, func(a activity.Activity, now board.Moment) int { return int(a.At - now) })
		results, err := store.Record(ctx, likes[:n], record.Arrival{Now: now})
		for _, result := range results {
			err = errors.Join(err, result.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("vote: %w", err)
		}
		likes = likes[n:]
		list, _, err := store.Articles().List(ctx, article.View{Sort: article.Hot, Limit: Page})
		if err != nil {
			return nil, fmt.Errorf("look: %w", err)
		}
		s := Sample{At: now, Hot: make([]string, len(list))}
		for i, a := range list {
			s.Hot[i] = a.ID
		}
		samples = append(samples, s)
	}
	return samples, nil
}
