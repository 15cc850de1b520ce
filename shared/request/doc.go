// Package request has the types of request bodies and the one decoder that reads
// them, over HTTP and from the queue alike.
//
// A body is a Go struct. Its tags say what is allowed, and are read twice: by huma, which makes the OpenAPI document
// of them, and by Decode, which checks bodies. So the document and the server cannot disagree. Decode knows:
//
//	json                            the name; omitempty or omitzero: may be left out
//	minLength (1), maxLength        of a text, in characters
//	enum                            of a text
//	format                          of a text: one of Formats, or one for the document alone
//	minimum, maximum                of an integer
//	minItems, maxItems, uniqueItems of a list; the tags of texts and integers above
//	                                then hold for its items, as in huma
//	doc, example, nullable          for the document alone; nothing may be null
//
// A test holds that no field has another tag, or a list that may be null, as the document
// would promise what nothing checks.
//
// Decoding is strict, and all violations come at once, each with its location. A body
// must be one JSON value in UTF-8 without duplicate names, at most 10,000 deep, which
// package jsontext sees to; names are compared as they are, unknown ones refused.
//
// What tags cannot say is checked over decoded values and added to the same list: by packages activity, article and
// people, and here by who sent a body (ReportDecoder, Article.Check, ...). The package records nothing and does not
// look at how old an activity is: package ledger does, with a receipt.
package request
