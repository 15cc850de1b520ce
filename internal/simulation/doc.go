// Command simulation replays days of a busy site in virtual time through a real
// store, and looks at its front page: the first 100 of the hot list.
//
// What it tests is a claim of the first chapter of "Redis in Action": of 1,000
// articles a day 50 get 200 votes or more; when 200 votes are worth a day, then
// those 50 are among the first 100 for a day.
//
// A site is drawn from a seed and the same for the same seed: articles at random
// moments of the day; votes for each within the 24 hours after it, the more the
// newer it is. Good articles get as many votes as the site says or up to half as
// many more; the others get few, most of them none or some and rarely dozens. How
// many is decided before the first vote: a place on the front page brings no more
// readers, so what is seen is the formula's work alone.
package main
