package httpapi

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"
)

// An appender writes itself as encoding/json does, without reflection: an answer that is
// asked for often. TestAppendedIsEncoded holds the two together.
type appender interface {
	appendJSON(to object) object
}

func (b Board) appendJSON(to object) object {
	to = b.BoardHead.append(to.begin()).integer("total", b.Total)
	to = list(to, "entries", b.Entries).textOrNull("next", b.Next)
	if b.Standing != nil {
		to = b.Standing.appendJSON(to.name("standing"))
	}
	if len(b.Standings) > 0 {
		to = list(to, "standings", b.Standings)
	}
	return to.end()
}

func (h BoardHead) append(to object) object {
	return to.text("board", h.Board).text("window", h.Window).text("period", h.Period).text("timezone", h.Timezone).
		text("startsAt", h.StartsAt).textOrNull("endsAt", h.EndsAt).text("asOf", h.AsOf).boolean("final", h.Final)
}

func (e Entry) appendJSON(to object) object {
	to = to.begin().integer("rank", e.Rank).integer("score", e.Score).text("reachedAt", e.ReachedAt)
	to = e.User.appendJSON(to.name("user"))
	switch e.PreviousRank {
	case 0:
	case noRank:
		to = to.null("previousRank")
	default:
		to = to.integer("previousRank", int64(e.PreviousRank))
	}
	return to.end()
}

func (u User) appendJSON(to object) object {
	to = to.begin()
	if u.ID == "" {
		to = to.null("id")
	} else {
		to = to.text("id", string(u.ID))
	}
	for _, f := range [...][2]string{{"name", u.Name}, {"avatar", u.Avatar}, {"link", u.Link}} {
		if f[1] != "" {
			to = to.text(f[0], f[1])
		}
	}
	if u.Firsts != 0 {
		to = to.integer("firsts", u.Firsts)
	}
	if u.Erased {
		to = to.boolean("erased", true)
	}
	return to.end()
}

func (s Standing) appendJSON(to object) object {
	return s.Position.append(s.User.appendJSON(to.begin().name("user"))).end()
}

func (p Position) append(to object) object {
	return to.integerOrNull("rank", p.Rank).integer("score", p.Score).textOrNull("reachedAt", p.ReachedAt).
		integer("total", p.Total).numberOrNull("percentile", p.Percentile).integerOrNull("toNext", p.ToNext).
		integerOrNull("previousRank", p.PreviousRank)
}

func (b FriendsBoard) appendJSON(to object) object {
	to = b.BoardHead.append(to.begin()).integer("total", b.Total)
	to = list(to, "entries", b.Entries).textOrNull("next", b.Next)
	return b.Standing.appendJSON(to.name("standing")).end()
}

func (f Friend) appendJSON(to object) object {
	to = to.begin().integerOrNull("rank", f.Rank).integerOrNull("boardRank", f.BoardRank).integer("score", f.Score).
		textOrNull("reachedAt", f.ReachedAt)
	return f.User.appendJSON(to.name("user")).end()
}

func (s FriendStanding) appendJSON(to object) object {
	return s.User.appendJSON(to.begin().name("user")).integerOrNull("rank", s.Rank).
		integerOrNull("boardRank", s.BoardRank).integer("score", s.Score).textOrNull("reachedAt", s.ReachedAt).
		integer("total", s.Total).numberOrNull("percentile", s.Percentile).integerOrNull("toNext", s.ToNext).end()
}

func (s Standings) appendJSON(to object) object {
	return list(s.User.appendJSON(to.begin().name("user")), "standings", s.Standings).end()
}

func (p BoardPosition) appendJSON(to object) object {
	to = to.begin().text("board", p.Board).text("window", p.Window).text("period", p.Period)
	return p.Position.append(to).end()
}

func (r Receipts) appendJSON(to object) object {
	return list(to.begin(), "receipts", r.Receipts).end()
}

func (r Receipt) appendJSON(to object) object {
	to = to.begin().text("status", r.Status).integer("points", r.Points).text("board", r.Board).text("day", r.Day)
	return to.integers("scores", r.Scores).integers("ranks", r.Ranks).end()
}

// An object is JSON that is being written. A member, and an object that has ended, has a
// comma behind it, which end removes.
type object []byte

func (o object) begin() object { return append(o, '{') }

func (o object) end() object { return o.close('}') }

func (o object) close(bracket byte) object {
	if n := len(o) - 1; o[n] == ',' {
		o = o[:n]
	}
	return append(o, bracket, ',')
}

// name writes the name of a member, which is plain.
func (o object) name(name string) object {
	return append(append(append(o, '"'), name...), `":`...)
}

func (o object) text(name, value string) object { return append(appendText(o.name(name), value), ',') }

func (o object) integer(name string, n int64) object {
	return append(strconv.AppendInt(o.name(name), n, 10), ',')
}

func (o object) boolean(name string, value bool) object {
	return append(strconv.AppendBool(o.name(name), value), ',')
}

func (o object) null(name string) object { return append(o.name(name), "null,"...) }

func (o object) textOrNull(name string, value *string) object {
	if value == nil {
		return o.null(name)
	}
	return o.text(name, *value)
}

func (o object) integerOrNull(name string, n *int64) object {
	if n == nil {
		return o.null(name)
	}
	return o.integer(name, *n)
}

// numberOrNull writes a number that needs no exponent.
func (o object) numberOrNull(name string, f *float64) object {
	if f == nil {
		return o.null(name)
	}
	return append(strconv.AppendFloat(o.name(name), *f, 'f', -1, 64), ',')
}

// integers writes a member that is an object of integers, by name; none for no integers.
func (o object) integers(name string, values map[string]int64) object {
	if len(values) == 0 {
		return o
	}
	var room [8]string
	names := room[:0]
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	o = o.name(name).begin()
	for _, name := range names {
		o = append(strconv.AppendInt(append(appendText(o, name), ':'), values[name], 10), ',')
	}
	return o.end()
}

// list writes a member that is a list.
func list[T appender](o object, name string, items []T) object {
	if items == nil {
		return o.null(name)
	}
	o = append(o.name(name), '[')
	for i := range items {
		o = items[i].appendJSON(o)
	}
	return o.close(']')
}

// appendText writes a text.
func appendText(b []byte, text string) []byte {
	if isPlain(text) {
		return append(append(append(b, '"'), text...), '"')
	}
	quoted, _ := marshal(text) // a string has no error
	return append(b, bytes.TrimSuffix(quoted, []byte("\n"))...)
}

// isPlain says whether a text is itself in JSON.
func isPlain(text string) bool {
	for i := range len(text) {
		if b := text[i]; b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf {
			return b >= utf8.RuneSelf && isPlainUTF8(text[i:])
		}
	}
	return true
}

func isPlainUTF8(text string) bool {
	for _, r := range text {
		if r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}
