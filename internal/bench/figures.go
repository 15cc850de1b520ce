package main

import "slices"

// Page is how many articles the front page has.
const Page = 100

// Figures are what was seen of the good articles on the front page. They are those
// that were published after the first day, on which the lists fill, and that were
// a day old a day before the end, so that it can be seen how long they stay.
type Figures struct {
	Good     int // how many were looked at
	AfterDay int // of them on the page when they were a day old
	AfterTwo int // and two days
	Always   int // on the page at each hour from their third to their 24th
	Stay     int // hours from publishing to the last on the page, the median
	StillOn  int // on the page at the end: their stay is at least that long
	OfPage   int // good ones on the page, in the mean of all hours after the first day, in thousandths
}

// Watched reports whether the figures count an article.
func (s *Site) Watched(a Publication) bool {
	return a.Good && a.Published >= start+day && a.Published < s.Ends()-2*day
}

// Look makes the figures of a run, which has a sample at each full hour.
func (s *Site) Look(samples []Sample) Figures {
	var f Figures
	var stays []int
	good := map[string]bool{}
	for _, a := range s.Articles {
		good[a.ID] = a.Good
		if s.Watched(a) {
			stays = append(stays, f.add(a.ID, samples[(a.Published-start)/hour:]))
		}
	}
	later := samples[day/hour:]
	for _, sample := range later {
		for _, id := range sample.Hot {
			if good[id] {
				f.OfPage++
			}
		}
	}
	f.OfPage = 1_000 * f.OfPage / (len(later) * Page)
	if len(stays) > 0 {
		slices.Sort(stays)
		f.Stay = stays[(len(stays)-1)/2]
	}
	return f
}

// add counts an article by the full hours after its publishing, and returns the last
// one, counted from 1, at which it was on the page.
func (f *Figures) add(id string, samples []Sample) (last int) {
	f.Good++
	always := 1
	for i, sample := range samples {
		n, on := i+1, 0
		if slices.Contains(sample.Hot, id) {
			last, on = n, 1
		}
		switch {
		case n == 25: // the first full hour at which it is a day old
			f.AfterDay += on
		case n == 49:
			f.AfterTwo += on
		case n >= 3 && n <= 24:
			always *= on
		}
		if n == len(samples) {
			f.StillOn += on
		}
	}
	f.Always += always
	return last
}
