package importer

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// Files are inputs that are imported together; "-" is Stdin.
type Files struct {
	Profiles string   // of profiles, before the others; "" for none
	Rows     []string // of activities
	Rejected string   // where rejected lines go; "" for a file beside each input
	Stdin    io.Reader
	Log      io.Writer // says where rejected lines are

	// Watch gets the input that is read, and the number of its recorded rows; stop is called at its end.
	Watch func(src *Source, recorded func() int64) (stop func())
}

// stdinRejected is where the rejected lines of standard input go.
const stdinRejected = "laurel-import"

// Readable returns the faults of files that their beginnings show. Check returns those of columns.
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
	rows, err := openRows(src, f, columns)
	if err == nil && rows.empty() {
		err = errNothing
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(err, src.Close())
}

// ImportFiles imports files one after the other until one stops, and returns the summary of all. The
// error of an import that has stopped says how to continue.
func (im *Importer) ImportFiles(ctx context.Context, f Files) (all *Summary, err error) {
	all = NewSummary()
	if f.Profiles != "" {
		err = im.load(ctx, f, f.Profiles, all, im.ImportProfiles)
	}
	var loaded []string // by the marks: a tick between two files would close periods of the second's lines
	history := func(ctx context.Context, src *Source, s *Summary, rejected *RejectedFile) error {
		err := im.importMarked(ctx, src, s, rejected)
		if err == nil {
			loaded = append(loaded, src.id)
		}
		return err
	}
	for i := 0; i < len(f.Rows) && err == nil; i++ {
		err = im.load(ctx, f, f.Rows[i], all, history)
	}
	for _, id := range loaded {
		err = cmp.Or(err, im.end(ctx, id))
	}
	if err == nil {
		err = im.tellHistory(ctx, all)
	}
	return all, explain(err, all)
}

// tellHistory notes that history is in, if this was the last of it, else in the summary the inputs that it waits for.
func (im *Importer) tellHistory(ctx context.Context, all *Summary) error {
	if im.Last {
		return im.do(ctx, Part{HistoryIn: true})
	}
	state, err := im.Stores(ctx, Part{Imports: true})
	begun := im.Calendar.Date(state.Begun)
	if state.Awaits != 0 && all.From != 0 && all.From < begun {
		all.Begun, all.Awaits = begun, state.Awaits.Time().In(im.Calendar.Zone())
	}
	return err
}

// explain adds the next step to the error of an import that has stopped.
func explain(err error, s *Summary) error {
	const again = "run it again: what is recorded changes nothing, and until it is complete nights move nothing of " +
		"its months"
	switch {
	case errors.Is(err, context.Canceled):
		done := Thousands(int64(s.Recorded() + s.Profiles))
		return fmt.Errorf("interrupted after %s recorded lines; %s", done, again)
	case errors.Is(err, table.ErrUnavailable), errors.Is(err, items.ErrBusy):
		return fmt.Errorf("%w; once the table is well, %s", err, again)
	default:
		return err
	}
}

// load loads a file, and says where its rejected lines are.
func (im *Importer) load(ctx context.Context, f Files, name string, all *Summary,
	load func(context.Context, *Source, *Summary, *RejectedFile) error,
) error {
	src, err := Open(name, f.Stdin)
	if err != nil {
		return err
	}
	defer func() { _ = src.Close() }()
	if name == "-" {
		name = stdinRejected
	}
	rejected := &RejectedFile{Path: cmp.Or(f.Rejected, name+".rejected.csv")}
	if err := rejected.RemoveOld(); err != nil {
		return err
	}
	before, earlier := im.Recorded(), all.Rejected
	stop := f.Watch(src, func() int64 { return im.Recorded() - before })
	err = load(ctx, src, all, rejected)
	stop()
	if n := all.Rejected - earlier; n > 0 {
		_, _ = fmt.Fprintf(f.Log, "%s: rejected lines: %s, each with its reason in %s\n", src.Name,
			Thousands(int64(n)), rejected.Path)
	}
	return errors.Join(err, rejected.Close())
}

// rejectedHeader begins a file of rejected lines.
const rejectedHeader = "line,reason,text"

// maxRejectedText is how much of a rejected line is kept, in bytes.
const maxRejectedText = 1000

// A RejectedFile collects rejected lines as CSV: number, reason, and the line itself,
// or its beginning if it is long. The file is created for the first rejected line.
type RejectedFile struct {
	Path string
	file *os.File
	rows *csv.Writer
}

// RemoveOld removes the file if an earlier import has written it. Another file is left alone until a line is rejected.
func (f *RejectedFile) RemoveOld() error {
	text, err := os.ReadFile(f.Path)
	if err == nil && strings.HasPrefix(string(text), rejectedHeader) {
		return os.Remove(f.Path)
	}
	return nil
}

// add adds a rejected line.
func (f *RejectedFile) add(line int, reason, text string) error {
	if f.file == nil {
		file, err := os.Create(f.Path)
		if err != nil {
			return fmt.Errorf("write rejected lines (--rejected names another file): %w", err)
		}
		f.file, f.rows = file, csv.NewWriter(file)
		if err := f.rows.Write(strings.Split(rejectedHeader, ",")); err != nil {
			return err
		}
	}
	if len(text) > maxRejectedText {
		text = strings.ToValidUTF8(text[:maxRejectedText], "") + "..."
	}
	return f.rows.Write([]string{strconv.Itoa(line), reason, text})
}

// Close writes the rest and closes the file, if there is one.
func (f *RejectedFile) Close() error {
	if f.file == nil {
		return nil
	}
	f.rows.Flush()
	return errors.Join(f.rows.Error(), f.file.Close())
}
