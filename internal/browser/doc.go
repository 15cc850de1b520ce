// Package browser tests what members of a forum see, in Chromium: the elements of the module
// and what is rendered without a script. Its tests fail where there is no Chromium; make setup
// brings one. axe-core, in testdata, is there for these tests alone.
package browser
