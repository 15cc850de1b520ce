package app

// A Group is settings that are read together.
type Group int

// The groups, but for those of functions alone.
const (
	Forum    Group = iota // what forum it is; every process of a deployment has to have the same
	Clock                 // what time it is
	Store                 // where Redis is
	Place                 // where the archive is
	Schedule              // when a period becomes final, and how long it is kept then
	Access                // whose tokens, webhooks and frames are taken, and how events are sent
	Serving               // how a server of one's own listens, and what it bounds
)

// String returns the group's title in help.
func (g Group) String() string {
	return [...]string{
		Forum: "Forum", Clock: "Forum", Store: "Store", Place: "Archive", Schedule: "Archive", Access: "Access",
		Serving: "Server",
	}[g]
}

// A Setting is something that can be set. This is its one description: variables,
// flags, help and errors are made of it.
type Setting struct {
	Env         string // its variable
	Flag        string // its flag without dashes; "" for none
	Default     string // its text when it is not set, or set to nothing; "" for none
	Placeholder string // stands for the value of the flag in help
	Switch      bool   // the flag without a value means true
	Help        string // of its flag

	// How its text is read: as it is into a string, as a whole number from least to most,
	// as true or false; what is read otherwise, or held against other settings, by parse.
	field       func(*Config) any
	least, most int
	parse       func(r *reader, text string) error
}

// ServeGroups are the groups of settings of a server of one's own.
func ServeGroups() []Group { return []Group{Serving, Forum, Store, Place, Schedule, Access} }

// Settings returns the settings of some groups, in the order in which they are read.
func Settings(groups ...Group) []Setting {
	var of []Setting
	for _, g := range groups {
		switch g {
		case Forum:
			of = append(of, forumSettings()...)
		case Clock:
			of = append(of, clockSettings()...)
		case Store:
			of = append(of, storeSettings()...)
		case Place:
			of = append(append(of, placeSettings()...), folderSettings()...)
		case Schedule:
			of = append(of, scheduleSettings()...)
		case Access:
			of = append(append(append(of, accessSettings()...), publicSettings()...), eventSettings()...)
		case Serving:
			of = append(of, servingSettings()...)
		}
	}
	return of
}
