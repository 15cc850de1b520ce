package main

import (
	"context"
	"time"

	"laurel/shared/archive"
	"laurel/shared/importer"
)

type importCommand struct {
	Files []string `arg:"" help:"Files to load; - is standard input." name:"file"`
	inputFlags
	Faults string `group:"Input" help:"Where faulty lines go (default: FILE.faults.csv)." placeholder:"PATH"`
	Strict bool   `group:"Input" help:"Stop at the first faulty line."`
	forumFlags
	Now moment `group:"Forum" help:"What time it is (default: now); a line over 5 minutes later is too early." placeholder:"TIME"`
	redisFlags
	placeFlags
}

// Help is what the command's help says beside its flags.
func (importCommand) Help() string {
	return `The input is CSV with a header, or JSON lines with an object each; plain or gzip. A moment (at) is RFC 3339 with a zone, Unix seconds or Unix milliseconds. A line whose word is neither in the rules nor mapped is skipped and counted.

A line of the action publish with a title creates the article (its id is the target; link and groups, separated by |, are its own), and the likes of an article are its votes. A file is read twice, so that the order of its lines does not matter; from standard input an article comes before its likes, and of several files first that with the articles. With --dynamodb or --data, an article that has gone to the archive is not created again.

An import can be run again at any time, also one that was interrupted or that the store has failed: what is there already is a duplicate and changes nothing.

  laurel import --column user=personId --action LIKE=like history.csv.gz`
}

// Run loads the files.
func (c importCommand) Run(ctx context.Context, std streams) error {
	settings, err := load(c.forumFlags, c.redisFlags, archiveFlags{placeFlags: c.placeFlags})
	if err != nil {
		return err
	}
	now, err := c.Now.in(settings.Calendar)
	if err != nil {
		return err
	}
	if now.IsZero() {
		now = time.Now()
	}
	if c.Faults != "" && len(c.Files) > 1 {
		return usageError{textError("--faults is for one file; without it each file has its own")}
	}
	client, _, store, err := open(settings)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	if err := store.Ping(ctx); err != nil {
		return err
	}
	var final importer.Final
	if c.DynamoDB != "" || c.Data != "" {
		table, err := c.openArchive(ctx, settings.Archive, time.Now)
		if err != nil {
			return err
		}
		defer func() { _ = table.close() }()
		final = archive.NewArticles(table)
	}
	loads := loading{
		inputFlags: c.inputFlags, files: c.Files, faults: c.Faults, strict: c.Strict,
		settings: settings, store: store, final: final, now: now, std: std,
	}
	return loads.run(ctx)
}
