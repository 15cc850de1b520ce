// Package browser tests the pages of a forum's members, in Chromium: the elements of the module and the forms without
// a script; and opens pages for other tests. The behaviour of elements as time passes is tested by scripts in
// testdata, on a Laurel that is a script, too (laurel.js). Tests fail where there is no Chromium; make setup installs
// one. axe-core, in testdata, is there for tests alone.
package browser
