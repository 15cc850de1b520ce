package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/run/app"
	"laurel/shared/run/importer"
	"laurel/shared/run/operate"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view"
)

// inputFlags name the input's columns and words.
type inputFlags struct {
	Column map[string]string `group:"Input" placeholder:"FIELD=NAME"`
	Action map[string]string `group:"Input" placeholder:"WORD=ACTION"`
}

type importCommand struct {
	Files []string `arg:"" optional:"" name:"file"`
	inputFlags
	Profiles string `group:"Input" placeholder:"FILE"`
	Rejected string `group:"Input" placeholder:"PATH"`
	Strict   bool   `group:"Input"`
	Last     bool   `group:"Marks"`
	Finish   bool   `group:"Marks"`
	GiveUp   bool   `group:"Marks"`
	operatorFlags
}

// Run loads the files.
func (c importCommand) Run(ctx context.Context, std streams) error {
	if err := c.check(std); err != nil {
		return err
	}
	if c.Function != "" {
		slice, err := c.invoking(ctx, std)
		if err != nil {
			return err
		}
		im, err := slice.Importer(ctx)
		if err != nil { // a tick of the function fills the view, as the head says that it is behind
			return err
		}
		return c.into(ctx, std, im)
	}
	s, err := c.open(ctx, std, opening{imports: std.err})
	if errors.Is(err, embedded.ErrInUse) {
		return c.beside(ctx, std, err)
	}
	if err != nil {
		return err
	}
	defer s.close()
	if err = c.into(ctx, std, importer.Into(s.App)); ctx.Err() != nil || c.Finish || c.GiveUp {
		return err
	}
	if s.inside && s.file != nil { // nobody reads this process's boards; those of a server are made at its start
		return err
	}
	failed := s.fill(ctx)
	if errors.Is(failed, view.ErrUnavailable) {
		_, _ = fmt.Fprintln(std.err, "the view is unavailable: a tick of the server fills it, or laurel repair, "+
			"once it is back")
		return err
	}
	return cmp.Or(err, failed)
}

// beside asks the server of the folder to import, with its rules and by its clock: this process reads the files, so
// they need not be readable for the server. At the end boards are filled at once, not by the next tick.
func (c importCommand) beside(ctx context.Context, std streams, inUse error) error {
	settings, err := c.read(std.flags)
	if err != nil {
		return err
	}
	slice := beside(settings.Data, inUse)
	im, err := slice.Importer(ctx)
	if err == nil {
		err = settings.Same(im.Calendar.Zone().String(), im.Rules)
	}
	if errors.Is(err, app.ErrOther) {
		return operate.Usage("%w: leave it out beside the server", err)
	}
	if err != nil {
		return err
	}
	if err = c.into(ctx, std, im); ctx.Err() != nil || c.Finish || c.GiveUp {
		return err
	}
	r, _ := operate.Ask(new(operate.CatchUp)) // it has no arguments
	w, stop := std.watch(r.Operation)
	reply, failed := slice.Run(ctx, r, w, func(json.RawMessage) error { return nil })
	stop()
	if failed != nil || reply.Failure != nil {
		_, _ = fmt.Fprintln(std.err, "boards show it after one of the server's next ticks")
	}
	return err
}

// check returns the mistakes in the flags and the files, before a store is opened.
func (c importCommand) check(std streams) error {
	ends := c.Finish || c.GiveUp
	if len(c.Files) == 0 && c.Profiles == "" && !ends {
		return operate.Usage("name the files to load, or - for standard input")
	}
	if c.Function == "" {
		if _, err := c.read(std.flags, app.NeedRedis, app.NeedPlace); err != nil {
			return err
		}
	}
	if c.Profiles == "-" && slices.Contains(c.Files, "-") {
		return operate.Usage("--profiles and a file are both standard input")
	}
	if c.Rejected != "" && (len(c.Files) > 1 || (len(c.Files) == 1 && c.Profiles != "")) {
		return operate.Usage("--rejected is for one file; without it each file has its own")
	}
	if ends {
		return nil
	}
	return importer.Files{Profiles: c.Profiles, Rows: c.Files}.Readable(c.Column)
}

// into loads the files into stores, or removes the marks of imports.
func (c importCommand) into(ctx context.Context, std streams, im *importer.Importer) error {
	if c.Finish || c.GiveUp {
		return c.end(ctx, std, im)
	}
	im.Strict, im.Last = c.Strict, c.Last
	return c.load(ctx, std, im, importer.Files{Profiles: c.Profiles, Rows: c.Files, Rejected: c.Rejected})
}

// load loads files into stores and shows the table of all.
func (f inputFlags) load(ctx context.Context, std streams, im *importer.Importer, files importer.Files) error {
	im.Columns, im.Actions = f.Column, f.Action
	if err := im.Check(); err != nil {
		return operate.Usage("%w", err)
	}
	files.Stdin, files.Log = std.in, std.err
	files.Watch = func(src *importer.Source, recorded func() int64) (stop func()) {
		return watch(std.err, work{Name: src.Name, Unit: "rows", Total: src.Size, Done: src.Done, Count: recorded})
	}
	all, err := im.ImportFiles(ctx, files)
	if err == nil {
		var marks []items.Import
		if marks, err = im.Imports(ctx); len(marks) > 0 {
			_, _ = fmt.Fprintln(std.err, importer.InProgress(marks))
		}
	}
	err = errors.Join(err, std.show(all, all.String()))
	if n := all.Dropped(); n > 0 && err == nil {
		_, _ = fmt.Fprintf(std.err, "%s of %s lines were dropped\n", importer.Thousands(int64(n)),
			importer.Thousands(int64(all.Lines)))
		return errDropped
	}
	return err
}

// end removes the marks of imports.
func (c importCommand) end(ctx context.Context, std streams, im *importer.Importer) error {
	all, err := im.Imports(ctx)
	if err != nil {
		return err
	}
	chosen, err := importer.Called(all, c.Files)
	if err != nil {
		return operate.Usage("%w", err)
	}
	var text strings.Builder
	outcome := map[bool]string{
		false: "finished: nights may move its months",
		true:  "given up: loaded rows stay, and nights may move its months; later lines of these are too late then",
	}[c.GiveUp]
	for _, i := range chosen {
		if _, err := im.Stores(ctx, importer.Part{End: i.ID}); err != nil {
			return err
		}
		fmt.Fprintf(&text, "the import of %s is %s\n", i.Name, outcome)
	}
	if c.Last {
		if _, err := im.Stores(ctx, importer.Part{HistoryIn: true}); err != nil {
			return err
		}
	}
	return std.show(struct {
		Imports []items.Import `json:"imports"`
		GivenUp bool           `json:"givenUp"`
	}{chosen, c.GiveUp}, text.String())
}
