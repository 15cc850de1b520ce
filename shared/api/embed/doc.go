// Package embed renders boards for pages without scripts: as a page for an iframe, as a fragment with a declarative
// shadow root that the module takes over, as SVG, as text and as a feed.
//
// It promises that a board has the same texts, in the same language, as the element of the module: both have their
// words from web/embed/words.json, and a test compares them in a browser. Texts of users stay text, never markup. It
// reads nothing; package httpapi supplies the data.
package embed
