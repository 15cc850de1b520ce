package archive

import (
	"errors"
	"slices"
	"sync"
)

// inRuns calls do for runs of a list, at most atOnce at a time, and joins the errors.
func inRuns[T any](list []T, length, atOnce int, do func(run []T) error) error {
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
		free = make(chan struct{}, atOnce)
	)
	for run := range slices.Chunk(list, max(length, 1)) {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if err := do(run); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
