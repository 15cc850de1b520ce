// Package embed renders boards for pages without scripts: as a page for an iframe, as a fragment
// with a declarative shadow root that the module takes over, as SVG, as text and as a feed.
//
// It promises that a board says the same, in the same language, as the element of the module does: both have their
// words from web/embed/words.json, and a test compares them in a browser. Whatever users have written is text, never
// markup. It reads nothing; package httpapi hands in what was read.
package embed
