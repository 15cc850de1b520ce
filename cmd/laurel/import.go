package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"laurel/shared/app"
	"laurel/shared/importer"
	"laurel/shared/records"
	"laurel/shared/view"
)

type importCommand struct {
	Files []string `arg:"" optional:"" help:"Files to load; - is standard input. With --finish or --give-up: imports, by id or name." name:"file" predictor:"file"`
	inputFlags
	Profiles string `group:"Input" help:"Users' profiles to load, before the files: id, name, avatar, link and since; - is standard input." placeholder:"FILE" predictor:"file"`
	Rejected string `group:"Input" help:"Where rejected lines go (default: FILE.rejected.csv)." placeholder:"PATH" predictor:"file"`
	Strict   bool   `group:"Input" help:"Stop at the first rejected line."`
	Finish   bool   `group:"Marks" help:"Load nothing: what an interrupted import has loaded is all, and the next night may move it." xor:"end"`
	GiveUp   bool   `group:"Marks" help:"Load nothing: an interrupted import is not completed, and the next night may move what there is." xor:"end"`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (importCommand) Help() string {
	return `The input is CSV with a header, or JSON lines with an object each; plain or gzip. A moment (at) is RFC 3339
with a zone, Unix seconds or Unix milliseconds. A line whose word is neither in the rules nor mapped is
skipped and counted; one over 5 minutes later than --now is too early. When lines were dropped (rejected,
skipped, too late, too early, or of a user who is excluded or was erased) the import exits with 3.

A line of the action publish with a title creates the article (its id is the target; link and groups,
separated by |, are its own), and the likes of an article are its votes. A file is read twice, so that the
order of its lines does not matter; from standard input an article comes before its likes, and of several
files first that with the articles. An article that was deleted is not created again.

Profiles are in a file of their own, CSV or JSON lines with id and name, and avatar, link and since where they
are known. Each is written whole, as PUT /v1/users does; only since stays when it is left out.

An import can be run again at any time, also one that was interrupted or that the store has failed: what is
there already is a duplicate and changes nothing. Until it has loaded the whole file, nights move nothing of
the file's months, nor articles, and say so. Run the same file again to complete it. --finish ends an import
whose rest came from elsewhere, --give-up one whose rest will not come: what is loaded stays, and of months
that are moved then later lines are too late. Both name the import by its id or file; the only one needs no
name.

For laurel serve without Redis --data names its folder, and the server has to be stopped meanwhile.

  laurel import --column user=personId --action LIKE=like history.csv.gz
  laurel import --profiles users.csv
  laurel import --give-up history.csv.gz`
}

// Run loads the files.
func (c importCommand) Run(ctx context.Context, std streams, flags given) error {
	ends := c.Finish || c.GiveUp
	if len(c.Files) == 0 && c.Profiles == "" && !ends {
		return usageError{textError("name the files to load, or - for standard input")}
	}
	if c.Function == "" {
		if _, err := c.settings(flags); err != nil {
			return err
		}
	}
	if c.Profiles == "-" && slices.Contains(c.Files, "-") {
		return usageError{textError("--profiles and a file are both standard input")}
	}
	if c.Rejected != "" && (len(c.Files) > 1 || (len(c.Files) == 1 && c.Profiles != "")) {
		return usageError{textError("--rejected is for one file; without it each file has its own")}
	}
	if !ends {
		if err := c.readable(std); err != nil {
			return err
		}
	}
	o, err := c.operatorOn(ctx, std, flags, c.open)
	if err != nil {
		return err
	}
	defer o.close()
	im, marks, err := o.importer(ctx)
	if err != nil {
		return err
	}
	if ends {
		return c.end(ctx, std, marks)
	}
	im.Strict = c.Strict
	err = loading{
		inputFlags: c.inputFlags, profiles: c.Profiles, files: c.Files, rejected: c.Rejected, importer: im, marks: marks,
		std: std,
	}.run(ctx)
	if o.stores != nil && ctx.Err() == nil { // elsewhere a tick fills, as the head says that the view is behind
		failed := o.fill(ctx)
		if errors.Is(failed, view.ErrUnavailable) {
			_, _ = fmt.Fprintln(std.err, "Redis is unavailable: a tick of the server fills it, or laurel recover, "+
				"once it is back")
		} else if err == nil {
			err = failed
		}
	}
	return err
}

// open opens the stores, of which Redis is filled at the end.
func (c importCommand) open(ctx context.Context, std streams, flags given) (*stores, error) {
	s, _, err := c.openWith(ctx, flags, app.Options{Wait: std.pace.step})
	return s, err
}

// readable returns what is wrong with the files, before a store is opened.
func (c importCommand) readable(std streams) error {
	var all []error
	if c.Profiles != "" && c.Profiles != "-" {
		all = append(all, importer.ReadableProfiles(c.Profiles, std.in))
	}
	for _, file := range c.Files {
		if file != "-" {
			all = append(all, importer.Readable(file, c.Column, std.in))
		}
	}
	return errors.Join(all...)
}

// end removes the marks of imports.
func (c importCommand) end(ctx context.Context, std streams, marks marks) error {
	all, err := marks.Imports(ctx)
	if err != nil {
		return err
	}
	if len(c.Files) == 0 && len(all) == 1 {
		c.Files = []string{all[0].ID}
	}
	var chosen []records.Import
	for _, name := range c.Files {
		found := called(all, func(i records.Import) bool { return name == i.ID || name == i.Name })
		if len(found) == 0 {
			found = called(all, func(i records.Import) bool { return filepath.Base(name) == filepath.Base(i.Name) })
		}
		if len(found) != 1 {
			return usageError{textError(fmt.Sprintf("%d imports are called %q; name one by its id\n%s", len(found), name,
				listImports(all)))}
		}
		chosen = append(chosen, found...)
	}
	if len(chosen) == 0 {
		return usageError{textError("name the import by its id or file\n" + listImports(all))}
	}
	for _, i := range chosen {
		if err := marks.EndImport(ctx, i.ID); err != nil {
			return err
		}
	}
	return std.show(endedImports{Imports: chosen, GivenUp: c.GiveUp})
}

// endedImports are imports whose marks were removed.
type endedImports struct {
	Imports []records.Import `json:"imports"`
	GivenUp bool             `json:"givenUp"`
}

func (e endedImports) write(out io.Writer) error {
	what := "finished: nights may move its months"
	if e.GivenUp {
		what = "given up: what is loaded stays, and nights may move its months; later lines of these are too late then"
	}
	for _, i := range e.Imports {
		if _, err := fmt.Fprintf(out, "the import of %s is %s\n", i.Name, what); err != nil {
			return err
		}
	}
	return nil
}

// called returns the imports that match.
func called(all []records.Import, matches func(records.Import) bool) []records.Import {
	return slices.DeleteFunc(slices.Clone(all), func(i records.Import) bool { return !matches(i) })
}

// listImports lists imports in progress, a line each.
func listImports(all []records.Import) string {
	if len(all) == 0 {
		return "no import is in progress"
	}
	lines := make([]string, len(all))
	for n, i := range all {
		months := "no month yet"
		if len(i.Months) > 0 {
			months = fmt.Sprintf("months %s to %s", i.Months[0], i.Months[len(i.Months)-1])
		}
		lines[n] = fmt.Sprintf("an import of %s is in progress since %s (%s, id %s)", i.Name,
			i.Since.Time().UTC().Format("2006-01-02 15:04 UTC"), months, i.ID)
	}
	return strings.Join(lines, "\n")
}
