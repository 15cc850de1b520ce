package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// What was done before the forum is looked at.
const (
	days   = 62  // two months, so that the month before is whole
	daily  = 600 // activities, more or less
	unread = 4   // articles that nobody has written yet
)

// Profiles returns the people as laurel import --profiles reads them, with faces.
func (f *Forum) Profiles() io.Reader {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, p := range f.People {
		_ = encoder.Encode(map[string]string{ //nolint:errchkjson // a buffer takes all
			"id": p.ID, "name": p.Name, "avatar": fmt.Sprintf("%s/demo/faces/%s.svg", f.address, p.ID),
			"link": fmt.Sprintf("%s/?user=%s", f.address, p.ID),
		})
	}
	return &out
}

// History returns what they did until now, as laurel import reads it, the oldest first. A day
// begins at midnight in the zone of the time.
func (f *Forum) History(now time.Time) io.Reader {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	year, month, day := now.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	for back := days - 1; back >= 0; back-- {
		from, to := midnight.AddDate(0, 0, -back), midnight.AddDate(0, 0, 1-back)
		whole := to.Sub(from)
		if back == 0 {
			to = now
		}
		// A day that has just begun has been busy already: its board is not empty.
		share := max(.5, to.Sub(from).Hours()/whole.Hours())
		for _, a := range f.day(back, int(share*daily), from, to) {
			_ = encoder.Encode(a) //nolint:errchkjson // a buffer takes all
		}
	}
	return &out
}

// day returns what was done on the day so many days ago, between two moments.
func (f *Forum) day(back, about int, from, to time.Time) []act {
	var moments []time.Time
	for range about*3/4 + f.random.IntN(about/2+1) {
		after := time.Duration(f.random.Int64N(int64(to.Sub(from)) + 1))
		moments = append(moments, from.Add(after).Truncate(time.Millisecond))
	}
	slices.SortFunc(moments, time.Time.Compare)
	var all []act
	for i, at := range moments {
		var a act
		switch left := len(f.Articles) - unread - f.written; {
		case f.written == 0, i%150 == 1 && left > 2*back: // the most in the last ten days
			a = f.publish()
		case i < len(f.People):
			a = act{User: f.People[i].ID, Action: "steps", Value: 1500 + f.random.IntN(300)*f.zeal[i]}
		default:
			a = f.act()
		}
		a.At = at
		all = append(all, a)
	}
	return all
}
