package config

import (
	"net/url"
	"strconv"
)

// An Archive is when a period becomes final, how long it is kept then, and where.
type Archive struct {
	HotDays, HotMonths int // whole ones after a period's end for which it stays live
	Days, Months       int // how long what is final is kept; 0 for ever

	Table    string // "" when not set
	Endpoint string // of another DynamoDB than AWS's; "" when not set

	AWS AWS
}

// The bounds of what is hot and what is kept. Entries live as long as their
// month, so hot months are what memory is spent on.
const (
	defaultHotDays, maxHotDays     = 3, 30
	defaultHotMonths, maxHotMonths = 2, 24
	maxArchiveDays, maxArchiveMons = 36_500, 1_200
)

func (e *environment) archive() Archive {
	a := Archive{
		HotDays:   e.number(HotDays, defaultHotDays, 0, maxHotDays),
		HotMonths: e.number(HotMonths, defaultHotMonths, 0, maxHotMonths),
		Table:     e.get(TableName),
		Endpoint:  e.get(DynamoDBEndpoint),
		AWS:       e.aws(),
	}
	// What is kept for less than it is hot would be gone before it is final.
	a.Days = e.number(ArchiveDays, 0, max(a.HotDays, 1), maxArchiveDays)
	a.Months = e.number(ArchiveMonths, 0, max(a.HotMonths, 1), maxArchiveMons)
	if u, err := url.Parse(a.Endpoint); a.Endpoint != "" && (err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "") {
		e.fault(DynamoDBEndpoint, "%q does not begin with http:// or https:// and a host", a.Endpoint)
	}
	return a
}

// number reads a whole number in bounds; unset is what it is when not set.
func (e *environment) number(name string, unset, from, to int) int {
	text := e.get(name)
	if text == "" {
		return unset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < from || n > to {
		e.fault(name, "%q is not a number from %d to %d", text, from, to)
		return unset
	}
	return n
}
