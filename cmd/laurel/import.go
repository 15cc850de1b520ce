package main

import (
	"context"

	"laurel/shared/app"
)

type importCommand struct {
	Files []string `arg:"" help:"Files to load; - is standard input." name:"file"`
	inputFlags
	Rejected string `group:"Input" help:"Where rejected lines go (default: FILE.rejected.csv)." placeholder:"PATH"`
	Strict   bool   `group:"Input" help:"Stop at the first rejected line."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (importCommand) Help() string {
	return `The input is CSV with a header, or JSON lines with an object each; plain or gzip. A moment (at) is RFC 3339
with a zone, Unix seconds or Unix milliseconds. A line whose word is neither in the rules nor mapped is
skipped and counted; one over 5 minutes later than --now is too early.

A line of the action publish with a title creates the article (its id is the target; link and groups,
separated by |, are its own), and the likes of an article are its votes. A file is read twice, so that the
order of its lines does not matter; from standard input an article comes before its likes, and of several
files first that with the articles. With --dynamodb or --data, an article that has gone to the archive is
not created again.

An import can be run again at any time, also one that was interrupted or that the store has failed: what is
there already is a duplicate and changes nothing.

  laurel import --column user=personId --action LIKE=like history.csv.gz`
}

// Run loads the files.
func (c importCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.read(flags, app.NeedRedis)
	if err != nil {
		return err
	}
	if c.Rejected != "" && len(c.Files) > 1 {
		return usageError{textError("--rejected is for one file; without it each file has its own")}
	}
	s, err := openStores(ctx, settings, app.Options{})
	if err != nil {
		return err
	}
	defer s.close()
	l := loading{inputFlags: c.inputFlags, files: c.Files, rejected: c.Rejected, strict: c.Strict, app: s.App, std: std}
	return l.run(ctx)
}
