package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/people"
)

// Profiles writes whole profiles; people.People is one.
type Profiles interface {
	Put(ctx context.Context, profiles map[string]people.Profile) error
}

// The fields of a profile's row.
const (
	profileID field = iota
	profileName
	profileAvatar
	profileLink
	profileSince
)

// profileForm is the form of rows of profiles.
func profileForm() form {
	return form{fields: []string{"id", "name", "avatar", "link", "since"}, required: int(profileName) + 1}
}

// So many profiles are written at a time, in each of so many workers.
const (
	profilesAtOnce = 100
	workers        = 4
)

// ReadableProfiles returns why a file of profiles cannot be imported, of which it reads the
// beginning.
func ReadableProfiles(path string, stdin io.Reader) error {
	return readable(path, profileForm(), nil, stdin)
}

// ImportProfiles writes the profiles of one input into the store and rejected lines to a
// file. The profiles are whole, but one without since keeps what is known; one that is there
// is not written again. After an error the import can be run again.
func (im *Importer) ImportProfiles(ctx context.Context, src *Source, rejected *RejectedFile) (Summary, error) {
	began := time.Now()
	run := &run{Importer: im, rejected: rejected, summary: newSummary()}
	writing, ctx := errgroup.WithContext(ctx)
	writing.SetLimit(workers)
	err := run.profiles(ctx, src, writing)
	if failed := writing.Wait(); failed != nil {
		err = failed
	}
	run.summary.Profiles = int(im.profiles.Swap(0))
	run.summary.Unanswered = run.summary.Lines - run.summary.Rejected - run.summary.Profiles
	run.summary.Took = time.Since(began)
	if err != nil {
		err = fmt.Errorf("%s: %w", src.Name, err)
	}
	return run.summary, err
}

// profiles reads all rows, and has the profiles written.
func (r *run) profiles(ctx context.Context, src *Source, writing *errgroup.Group) error {
	in, err := openRows(src, profileForm(), nil)
	if err != nil {
		return err
	}
	seen, batch := map[string]bool{}, map[string]people.Profile{}
	write := func() {
		some := batch
		batch = map[string]people.Profile{}
		writing.Go(func() error {
			err := retry(ctx, func() error { return r.People.Put(ctx, some) })
			if err == nil {
				r.Importer.profiles.Add(int64(len(some)))
				r.before.Add(int64(len(some)))
			}
			return err
		})
	}
	for ctx.Err() == nil {
		row, err := in.next()
		if errors.Is(err, io.EOF) {
			if len(batch) > 0 {
				write()
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("truncated input: %w", err)
		}
		r.summary.Lines++
		id, profile, violation := decodeProfile(row)
		if violation == "" && seen[id] {
			violation = "id: an earlier line has it too"
		}
		if violation != "" {
			if err := r.reject(row, violation); err != nil {
				return err
			}
			continue
		}
		seen[id], batch[id] = true, profile
		if len(batch) == profilesAtOnce {
			write()
		}
	}
	return context.Cause(ctx)
}

// decodeProfile returns a row's profile, or its violations.
func decodeProfile(r row) (id string, p people.Profile, violation string) {
	if r.violation != "" {
		return "", p, r.violation
	}
	id = r.values[profileID]
	p = people.Profile{
		Name: r.values[profileName], Avatar: strings.TrimSpace(r.values[profileAvatar]),
		Link: strings.TrimSpace(r.values[profileLink]), Since: strings.TrimSpace(r.values[profileSince]),
	}
	if _, err := board.ParseMoment(p.Since); err != nil {
		if at, err := ParseMoment(p.Since); err == nil {
			p.Since = at.String()
		}
	}
	var violations []string
	if code, message := activity.CheckID(id, activity.MaxUserID); code != "" {
		violations = append(violations, "id: "+message)
	}
	for _, v := range p.Violations() {
		violations = append(violations, v.Location+": "+v.Message)
	}
	return id, p, strings.Join(violations, "; ")
}
