package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"laurel/shared/record"
	"laurel/shared/table"
)

// Files are inputs that are imported together; "-" is Stdin.
type Files struct {
	Profiles string   // of profiles, before the others; "" for none
	Rows     []string // of activities
	Rejected string   // where rejected lines go; "" for a file beside each input
	Stdin    io.Reader
	Log      io.Writer // says where rejected lines are

	// Watch is told which input is read, and how many of its rows are recorded; stop is called at its end.
	Watch func(src *Source, recorded func() int64) (stop func())
}

// stdinRejected is where the rejected lines of standard input go.
const stdinRejected = "laurel-import"

// Readable returns what is wrong with files, as far as their beginnings show it. Of columns Check tells.
func (f Files) Readable(columns map[string]string) error {
	var all []error
	if f.Profiles != "" {
		all = append(all, readable(f.Profiles, profileForm(), nil))
	}
	if _, err := historyForm().names(columns); err == nil {
		for _, name := range f.Rows {
			all = append(all, readable(name, historyForm(), columns))
		}
	}
	return errors.Join(all...)
}

func readable(path string, f form, columns map[string]string) error {
	if path == "-" {
		return nil
	}
	src, err := Open(path, nil)
	if err != nil {
		return err
	}
	if _, err = openRows(src, f, columns); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(err, src.Close())
}

// ImportFiles imports files one after the other until one stops, and returns the summary of all. Its
// error says what to do about an import that has stopped.
func (im *Importer) ImportFiles(ctx context.Context, f Files) (all Summary, err error) {
	inputs := slices.Clone(f.Rows)
	if f.Profiles != "" {
		inputs = slices.Insert(inputs, 0, f.Profiles)
	}
	for i, name := range inputs {
		summary, err := im.importFile(ctx, f, name, i == 0 && f.Profiles != "")
		if all.Add(summary); err != nil {
			return all, explain(err, all)
		}
	}
	return all, nil
}

// explain says what to do about an import that has stopped.
func explain(err error, s Summary) error {
	const again = "run it again: what is recorded changes nothing, and until it is complete nights move nothing of " +
		"its months"
	switch {
	case errors.Is(err, context.Canceled):
		done := Thousands(int64(s.Recorded() + s.Profiles))
		return fmt.Errorf("interrupted after %s recorded lines; %s", done, again)
	case errors.Is(err, table.ErrUnavailable), errors.Is(err, record.ErrBusy):
		return fmt.Errorf("%w; once the table is well, %s", err, again)
	default:
		return err
	}
}

func (im *Importer) importFile(ctx context.Context, f Files, name string, profiles bool) (summary Summary, err error) {
	src, err := Open(name, f.Stdin)
	if err != nil {
		return summary, err
	}
	defer func() { _ = src.Close() }()
	if name == "-" {
		name = stdinRejected
	}
	rejected := &RejectedFile{Path: name + ".rejected.csv"}
	if f.Rejected != "" {
		rejected.Path = f.Rejected
	}
	if err := rejected.RemoveOld(); err != nil {
		return summary, err
	}
	before := im.Recorded()
	stop := f.Watch(src, func() int64 { return im.Recorded() - before })
	if profiles {
		summary, err = im.ImportProfiles(ctx, src, rejected)
	} else {
		summary, err = im.Import(ctx, src, rejected)
	}
	stop()
	if summary.Rejected > 0 {
		_, _ = fmt.Fprintf(f.Log, "%s: rejected lines: %s, each with its reason in %s\n", src.Name,
			Thousands(int64(summary.Rejected)), rejected.Path)
	}
	return summary, errors.Join(err, rejected.Close())
}
