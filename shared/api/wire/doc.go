// Package wire has the types of request bodies and the one decoder that reads
// them, over HTTP and from the queue alike.
//
// A body is a Go struct whose tags define the allowed values:
//
//	json                            the name; omitempty or omitzero: may be left out
//	minLength (1), maxLength        of a text, in characters
//	enum                            of a text
//	format                          of a text: one of Formats
//	nullable                        of a text: null is a value, as which it is ""
//	minimum, maximum                of an integer
//	omitzero                        in the tag json of a list: an empty one is not as one that is left out, nil
//	minItems, maxItems, uniqueItems of a list; the tags of texts and integers above then hold for its items
//
// The OpenAPI document of package httpapi says the same to others; a test there changes valid bodies in every way that
// their schemas name, and compares the two.
//
// A test holds that no field has another tag, which nothing would check, or a list that may be null.
//
// Decoding is strict, and all violations come at once, each with its location. A body
// must be one JSON value in UTF-8 without duplicate names, at most 10,000 deep, which
// package jsontext sees to; names are compared as they are, unknown ones refused.
//
// Rules that tags cannot express are checked over decoded values, and violations of them are added to the same list:
// by packages activity, article and people, and here by the sender of a body (ReportDecoder, Article.Check, ...). The
// package items nothing and does not look at how old an activity is: package ledger does, with a receipt.
package wire
