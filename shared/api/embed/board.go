package embed

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"laurel/shared/core/board"
	"laurel/shared/core/profile"
)

// A Board is a board in one period, with the data that forms show.
type Board struct {
	Name, Window, Period string
	Labels, Unit         map[string]string // of the board and its points, by language tag
	StartsAt, EndsAt     time.Time         // in the forum's time zone; EndsAt is zero for all time
	AsOf                 time.Time
	Total                int64
	Entries              []Member
	Teams                bool // whether entries are teams

	Near     []Member  // the user and the neighbours, if a user was requested
	Standing *Standing // of that user

	Won []Board // the ended periods before with their first places, the newest first; for forms that show winners
}

// over reports whether the period has ended; one that rolls moves on.
func (b Board) over() bool { return !b.rolls() && !b.EndsAt.IsZero() && !b.AsOf.Before(b.EndsAt) }

// rolls reports whether the period ends today.
func (b Board) rolls() bool {
	window, _ := board.ParseWindow(b.Window) // it is one of a board
	return window.Rolls()
}

// A Member is a user on a board, or a team.
type Member struct {
	Rank, Score, Previous int64 // the rank in the period before, 0 for none
	ID                    string
	profile.Public                // of a team its name
	Members               int64   // of a team
	Days                  []int64 // the score after each day of a month so far; for a race
}

// A Standing is a user's place, with rank 0 off the board, and the points to the next place, 0 on the first. On a board
// of teams it is that of the user's team, of whose score the user's own points are a part.
type Standing struct {
	Rank, Score, ToNext int64
	Team, TeamName      string // the id of the team, "" for none
	Own                 int64
}

// marked returns the id of the entry that is the user's, or the user's team, "" for none.
func (b Board) marked(user string) string {
	switch {
	case !b.Teams:
		return user
	case b.Standing == nil:
		return ""
	default:
		return b.Standing.Team
	}
}

// Options are the parameters of a page's request.
type Options struct {
	Lang    string // a language tag; English where there are no words in it
	Theme   string // auto, light or dark
	Limit   int64  // of the fragment's element
	User    string // whose row is marked; "" for nobody's
	Asked   string // the requested period; "" for the current one
	Address string // of the board's other forms, without their ending: relative, or whole
	Forum   string // a name that differs from feeds of other forums
	Still   bool   // whether nothing moves in a picture
}

// A view is a board in the words of a language.
type view struct {
	Options
	Board
	Tag, Heading, When, RankWord, NameWord, UnitWord string
	Rows                                             []row
	Empty, Below, Since                              string // texts in place of rows, and under them
	Long                                             bool   // whether ranks or scores take the room of names
}

// A row is a line of a view: a user's, or a gap.
type row struct {
	Gap, Mine                   bool
	Rank, Score                 string
	Name, Avatar, Link, Initial string
	Hue                         int    // of the initial
	Way, Moved, MovedWord       string // up, down or new; by how many places
	You                         string
	Firsts, FirstsWord          string
	Members                     string // the number of a team's members, in words
}

// view describes a board in the language of the options.
func (o Options) view(b Board) view {
	s := speak(o.Lang)
	v := view{
		Options: o, Board: b, Tag: s.tag, When: s.title(b), RankWord: s.word("rank"), NameWord: s.word("name"),
		UnitWord: cmp.Or(s.label(b.Unit), s.word("score")),
	}
	if b.Teams {
		v.NameWord = s.word("team")
	}
	mine := b.marked(o.User)
	v.Heading = cmp.Or(s.label(b.Labels), v.When)
	moved := slices.ContainsFunc(b.Entries, func(e Member) bool { return e.Previous > 0 })
	add := func(e Member) {
		v.Rows, v.Long = append(v.Rows, s.row(e, mine, moved, b.Window)), v.Long || e.Rank > 99 || e.Score > 9999
	}
	var last int64
	for _, e := range b.Entries {
		add(e)
		last = e.Rank
	}
	switch {
	case last > 0:
	case b.Total > 0:
		v.Empty = s.word("none")
	case b.over():
		v.Empty = s.word("emptyover")
	default:
		v.Empty = s.word("empty")
	}
	if b.Standing != nil && b.Total > 0 {
		v.Below = s.chase(b, s.above(b, mine), v.UnitWord)
		near := slices.DeleteFunc(slices.Clone(b.Near), func(e Member) bool {
			return slices.ContainsFunc(b.Entries, func(entry Member) bool { return entry.Rank == e.Rank || entry.ID == mine })
		})
		if len(near) > 0 && last > 0 && near[0].Rank > last+1 {
			v.Rows = append(v.Rows, row{Gap: true})
		}
		for _, e := range near {
			add(e)
		}
	}
	if slices.ContainsFunc(v.Rows, func(r row) bool { return r.Way != "" }) {
		v.Since = "▲▼ " + s.word("since"+b.Window)
	}
	return v
}

// above returns the name of the user before another one on a board, "" if that is not known.
func (s speech) above(b Board, user string) string {
	for _, list := range [][]Member{b.Entries, b.Near} {
		if index := slices.IndexFunc(list, func(e Member) bool { return e.ID == user }); index > 0 {
			return cmp.Or(list[index-1].Name, list[index-1].ID, s.word("erased"))
		} else if index == 0 {
			return ""
		}
	}
	return ""
}

// row describes an entry; moved is whether the board of a window shows movement.
func (s speech) row(e Member, user string, moved bool, window string) row {
	name := cmp.Or(e.Name, e.ID, s.word("erased"))
	initial, _ := utf8.DecodeRuneInString(name)
	hue := 0 // far from that of a name beside it
	for _, c := range name {
		hue = (hue*31 + int(c)) % 360
	}
	r := row{
		Rank: s.number(e.Rank), Score: s.number(e.Score), Name: name, Initial: string(unicode.ToUpper(initial)),
		Hue: hue * 137 % 360, Mine: user != "" && e.ID == user, Avatar: ofWeb(e.Avatar), Link: ofWeb(e.Link),
	}
	if r.Mine {
		r.You = s.word("you")
	}
	if e.Firsts > 0 {
		r.Firsts, r.FirstsWord = s.number(e.Firsts), s.plural("firsts", e.Firsts)
	}
	if e.Members > 0 {
		r.Members = s.plural("members", e.Members)
	}
	since := s.word("since" + window)
	switch by := e.Previous - e.Rank; {
	case !moved || by == 0:
	case e.Previous == 0:
		r.Way, r.Moved, r.MovedWord = "new", s.word("new"), s.word("new")
	case by > 0:
		r.Way, r.Moved, r.MovedWord = "up", "▲"+s.number(by), s.word("up", "n", s.number(by), "since", since)
	default:
		r.Way, r.Moved, r.MovedWord = "down", "▼"+s.number(-by), s.word("down", "n", s.number(-by), "since", since)
	}
	return r
}

// ofWeb returns an address if it is one of the web, else "".
func ofWeb(address string) string {
	if strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://") {
		return address
	}
	return ""
}
