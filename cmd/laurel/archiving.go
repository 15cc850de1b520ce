package main

import (
	"context"
	"fmt"
	"time"

	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/archive/table"
	"laurel/shared/config"
)

// archiveFlags say where what is final is, and when a period becomes that. Every
// process of a deployment has to have the same.
type archiveFlags struct {
	placeFlags
	scheduleFlags
}

// placeFlags say where the archive is.
type placeFlags struct {
	DynamoDB string `name:"dynamodb" env:"DYNAMODB_ENDPOINT" group:"Archive" help:"The archive: a DynamoDB, http://localhost:8000; its table is made when it is missing." placeholder:"URL"`
	Table    string `default:"laurel" env:"TABLE_NAME" group:"Archive" help:"The table in it." placeholder:"NAME"`
	Data     string `env:"LAUREL_DATA" group:"Archive" help:"The archive: a folder, in place of a DynamoDB; one process at a time." placeholder:"DIR"`

	Region  string `env:"AWS_REGION" hidden:"" name:"aws-region"`
	Key     string `env:"AWS_ACCESS_KEY_ID" hidden:"" name:"aws-access-key-id"`
	Secret  string `env:"AWS_SECRET_ACCESS_KEY" hidden:"" name:"aws-secret-access-key"`
	Session string `env:"AWS_SESSION_TOKEN" hidden:"" name:"aws-session-token"`
}

// scheduleFlags say how long what has ended stays live, and how long what is final
// is kept.
type scheduleFlags struct {
	HotDays       string `env:"HOT_DAYS" group:"Archive" help:"How many days after its end a day stays live (default: 3)." placeholder:"N"`
	HotMonths     string `env:"HOT_MONTHS" group:"Archive" help:"How many months after its end a month stays live (default: 2)." placeholder:"N"`
	ArchiveDays   string `env:"ARCHIVE_DAYS" group:"Archive" help:"How many days a final day is kept (default: for ever)." placeholder:"N"`
	ArchiveMonths string `env:"ARCHIVE_MONTHS" group:"Archive" help:"How many months a final month is kept (default: for ever)." placeholder:"N"`
}

// values are the flags under the names of their variables.
func (f archiveFlags) values() map[string]string {
	return map[string]string{
		config.DynamoDBEndpoint: f.DynamoDB, config.TableName: f.Table,
		config.HotDays: f.HotDays, config.HotMonths: f.HotMonths, config.ArchiveDays: f.ArchiveDays, config.ArchiveMonths: f.ArchiveMonths,
		config.AWSRegion: f.Region, config.AWSKey: f.Key, config.AWSSecret: f.Secret, config.AWSSession: f.Session,
	}
}

const (
	errNoArchive   = textError("there is no archive: set --dynamodb http://localhost:8000, or --data DIR for one in a folder")
	errTwoArchives = textError("--dynamodb and --data are two archives; only one of them can be")
)

// forgetful is what an embedded store is called that nobody has given a place.
const forgetful = "embedded; it forgets everything when this ends"

// opened is a table, or what stands for one, that is open.
type opened struct {
	archive.Store
	place string // as people call it
	keeps bool   // and not only until the process ends
	close func() error
}

// openArchive opens the archive that the flags name; with none of them, one that
// forgets. now is the clock by which what is final expires.
func (f placeFlags) openArchive(ctx context.Context, c config.Archive, now func() time.Time) (opened, error) {
	switch {
	case c.Endpoint != "" && f.Data != "":
		return opened{}, usageError{errTwoArchives}
	case c.Endpoint != "":
		options := table.From(c)
		options.Now = now
		store, err := table.Open(ctx, options)
		if err != nil {
			return opened{}, err
		}
		place := fmt.Sprintf("%s, table %s", withoutSecret(c.Endpoint), c.Table)
		return opened{store, place, true, func() error { return nil }}, nil
	case f.Data != "":
		folder, err := embedded.Open(f.Data, now)
		if err != nil {
			return opened{}, err
		}
		return opened{folder, f.Data, true, folder.Close}, nil
	default:
		memory, err := embedded.New(now)
		if err != nil {
			return opened{}, err
		}
		return opened{memory, forgetful, false, memory.Close}, nil
	}
}

// openKept is openArchive for who cannot do with one that forgets.
func (f placeFlags) openKept(ctx context.Context, c config.Archive, now func() time.Time) (opened, error) {
	if c.Endpoint == "" && f.Data == "" {
		return opened{}, usageError{errNoArchive}
	}
	return f.openArchive(ctx, c, now)
}
