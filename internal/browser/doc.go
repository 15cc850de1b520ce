// Package browser tests what members of a forum see, in Chromium: the elements of the module
// and what is rendered without a script; and opens pages for other tests. Its tests fail where
// there is no Chromium; make setup installs one. axe-core, in testdata, is there for tests alone.
package browser
