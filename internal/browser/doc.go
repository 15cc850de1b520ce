// Package browser tests what members of a forum see, in Chromium: the elements of the module
// and what is rendered without a script; and opens pages for other tests. What elements do as
// time passes is tested by scripts in testdata, on a Laurel that is one, too (laurel.js). Tests fail
// where there is no Chromium; make setup installs one. axe-core, in testdata, is there for tests alone.
package browser
