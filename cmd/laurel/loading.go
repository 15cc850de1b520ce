package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
)

// inputFlags say what the input's columns and words are called.
type inputFlags struct {
	Column map[string]string `group:"Input" help:"A field's name in the input, such as user=personId; the fields are at, user, action, target, ref, value, restores, title, link and groups." mapsep:"none" placeholder:"FIELD=NAME"`
	Action map[string]string `group:"Input" help:"What a word of the input is called here, such as LIKE=like." mapsep:"none" placeholder:"WORD=ACTION"`
}

// stdinRejected is where the rejected lines of standard input go.
const stdinRejected = "laurel-import"

// loading is files being imported: by import, and by dev before it serves.
type loading struct {
	inputFlags
	profiles string // a file; "" for none
	files    []string
	rejected string
	importer *importer.Importer // without words of the input
	marks    marks              // nil: none are kept
	std      streams
}

// marks are those of imports in progress; record.Recorder has them.
type marks interface {
	importer.Marks
	Imports(ctx context.Context) ([]records.Import, error)
}

// importerOn returns what imports into the stores of an App.
func importerOn(a *app.App) (*importer.Importer, marks) {
	return &importer.Importer{
		Store: a.Recorder, Articles: importer.Creating{Articles: a.Recorder.Articles()}, People: a.People, Marks: a.Recorder,
		Rules: a.Rules, Calendar: a.Calendar, Now: board.MomentOf(a.Clock()),
	}, a.Recorder
}

// run imports the files one after the other and ends with the table of all.
func (l loading) run(ctx context.Context) error {
	im := l.importer
	im.Columns, im.Actions = l.Column, l.Action
	if err := im.Check(); err != nil {
		return usageError{err}
	}
	var all importer.Summary
	inputs := l.files
	if l.profiles != "" {
		inputs = append([]string{l.profiles}, inputs...)
	}
	for i, file := range inputs {
		load := im.Import
		if i == 0 && l.profiles != "" {
			load = im.ImportProfiles
		}
		summary, err := l.load(ctx, im, file, load)
		all.Add(summary)
		if err != nil {
			return errors.Join(l.explain(err, all), l.std.show(loaded(all)))
		}
	}
	if l.marks != nil {
		marks, err := l.marks.Imports(ctx)
		if err != nil {
			return errors.Join(err, l.std.show(loaded(all)))
		}
		if len(marks) > 0 {
			_, _ = fmt.Fprintln(l.std.err, listImports(marks))
		}
	}
	if err := l.std.show(loaded(all)); err != nil {
		return err
	}
	if n := all.Dropped(); n > 0 {
		_, _ = fmt.Fprintf(l.std.err, "%s of %s lines were dropped\n", importer.Thousands(int64(n)),
			importer.Thousands(int64(all.Lines)))
		return errDropped
	}
	return nil
}

// loaded is the summary of all files.
type loaded importer.Summary

func (s loaded) write(out io.Writer) error { return (*importer.Summary)(&s).Write(out) }

// MarshalJSON adds what is counted from the rest.
func (s loaded) MarshalJSON() ([]byte, error) {
	summary := importer.Summary(s)
	return json.Marshal(struct {
		importer.Summary
		Dropped int     `json:"dropped"`
		Seconds float64 `json:"seconds"`
	}{summary, summary.Dropped(), summary.Took.Seconds()})
}

// load imports one file.
func (l loading) load(ctx context.Context, im *importer.Importer, file string,
	load func(context.Context, *importer.Source, *importer.RejectedFile) (importer.Summary, error),
) (summary importer.Summary, err error) {
	src, err := importer.Open(file, l.std.in)
	if err != nil {
		return summary, err
	}
	defer func() { _ = src.Close() }()
	rejected := &importer.RejectedFile{Path: l.rejectedOf(file)}
	if err := rejected.RemoveOld(); err != nil {
		return summary, err
	}
	before := im.Recorded()
	stop := watch(l.std.err, work{
		Name: src.Name, Unit: "rows", Total: src.Size,
		Done: src.Done, Count: func() int64 { return im.Recorded() - before },
	})
	summary, err = load(ctx, src, rejected)
	stop()
	err = errors.Join(err, rejected.Close())
	if summary.Rejected > 0 {
		_, _ = fmt.Fprintf(l.std.err, "%s: rejected lines: %s, each with its reason in %s\n", src.Name,
			importer.Thousands(int64(summary.Rejected)), rejected.Path)
	}
	return summary, err
}

func (l loading) rejectedOf(file string) string {
	switch {
	case l.rejected != "":
		return l.rejected
	case file == "-":
		file = stdinRejected
	}
	return file + ".rejected.csv"
}

// explain says what to do about an import that has stopped.
func (l loading) explain(err error, s importer.Summary) error {
	again := "run it again: what is recorded changes nothing, and until it is complete nights move nothing of its months"
	switch {
	case errors.Is(err, context.Canceled):
		done := importer.Thousands(int64(s.Recorded() + s.Profiles))
		return fmt.Errorf("interrupted after %s recorded lines; %s", done, again)
	case errors.Is(err, table.ErrUnavailable), errors.Is(err, record.ErrBusy):
		return fmt.Errorf("%w; once the table is well, %s", err, again)
	default:
		return err
	}
}
