package main

import (
	"slices"

	"laurel/shared/board"
)

// Page is how many articles the front page has.
const Page = 100

// Figures are what was seen of the good articles on the front page. They are those
// that were published after the first day, on which the lists fill, and that were
// a day old a day before the end, so that it can be seen how long they stay.
type Figures struct {
	Good      int // how many were looked at
	AfterDay  int // of them on the page when they were a day old
	AfterTwo  int // and two days
	Always    int // on the page at each hour from their third to their 24th
	Stay      int // hours from publishing to the last on the page, the median
	StillOn   int // on the page at the end: their stay is at least that long
	OfPage    int // good ones on the page, in the mean of all hours after the first day, in thousandths
	FirstOn   int // hours from publishing to the first on the page, the median; counted from 1
	pageHours int
}

// Watched says whether the figures count an article.
func (s *Site) Watched(a Publication) bool {
	return a.Good && a.Published >= start+day && a.Published < s.Ends()-2*day
}

// Look makes the figures of a run.
func (s *Site) Look(samples []Sample) Figures {
	var f Figures
	seen := map[string]map[board.Moment]bool{} // the hours at which it was on the page
	good := map[string]bool{}
	for _, a := range s.Articles {
		if good[a.ID] = a.Good; a.Good {
			seen[a.ID] = map[board.Moment]bool{}
		}
	}
	page := 0
	for _, sample := range samples {
		for _, id := range sample.Hot[:min(Page, len(sample.Hot))] {
			if !good[id] {
				continue
			}
			seen[id][sample.At] = true
			if sample.At > start+day {
				page++
			}
		}
		if sample.At > start+day {
			f.pageHours++
		}
	}
	f.OfPage = 1_000 * page / max(1, f.pageHours*Page)
	var stays, firsts []int
	for _, a := range s.Articles {
		if s.Watched(a) {
			first, last := f.add(a, seen[a.ID], s.Ends())
			firsts, stays = append(firsts, first), append(stays, last)
		}
	}
	f.Stay, f.FirstOn = median(stays), median(firsts)
	return f
}

// add counts an article by the hours after its publishing at which it was seen: the
// n-th is the n-th full hour of the clock. It returns the first and the last.
func (f *Figures) add(a Publication, on map[board.Moment]bool, ends board.Moment) (first, last int) {
	f.Good++
	at := func(n int) board.Moment { return a.Published - a.Published%hour + board.Moment(n)*hour }
	always := true
	for n := 1; at(n) <= ends; n++ {
		if on[at(n)] {
			last = n
			if first == 0 {
				first = n
			}
		} else if n >= 3 && n <= 24 {
			always = false
		}
	}
	if always {
		f.Always++
	}
	if on[at(25)] { // the first full hour at which it is a day old
		f.AfterDay++
	}
	if on[at(49)] {
		f.AfterTwo++
	}
	if on[ends] {
		f.StillOn++
	}
	return first, last
}

// median is the middle one, of an even number the lower.
func median(of []int) int {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[(len(of)-1)/2]
}
