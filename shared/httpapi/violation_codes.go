package httpapi

import "laurel/shared/activity"

// A ViolationCode is a kind of violation and what it means.
type ViolationCode struct {
	Code    activity.Code
	Meaning string
}

// ViolationCodes returns every kind of violation, the document's own words first.
func ViolationCodes() []ViolationCode { return violationCodes }

var violationCodes = []ViolationCode{
	{activity.CodeInvalidJSON, "not JSON in UTF-8, a name twice in an object, or data after the value"},
	{activity.CodeUnknownField, "the object has no field of this name"},
	{activity.CodeMissingField, "a required field is missing"},
	{activity.CodeWrongType, "a value of another type, such as a string for a number or null"},
	{activity.CodeEmpty, "a text without visible characters"},
	{activity.CodeTooShort, "a text shorter than its minLength"},
	{activity.CodeTooLong, "a text longer than its limit; the message names the unit, bytes or characters"},
	{activity.CodeTooFewItems, "fewer items than minItems"},
	{activity.CodeTooManyItems, "more items than maxItems, or than this caller may send"},
	{activity.CodeDuplicateItem, "an item that is in the list twice"},
	{activity.CodeOutOfRange, "a number below or above its limits"},
	{activity.CodeUnknownValue, "not a value of the enumeration"},
	{activity.CodePattern, "a text that does not match its pattern"},
	{activity.CodeInvalidUTF8, "a text that is not UTF-8"},
	{activity.CodeControl, "a text with a control character or a control of text direction"},
	{activity.CodeInvalidID, `the id is "." or ".."`},
	{activity.CodeInvalidURL, "not an absolute http or https URL"},
	{activity.CodeInvalidTime, "not an RFC 3339 date and time with a zone, or outside the years 2000 to 2138"},
	{activity.CodeTooEarly, "a moment ahead of the clock"},
	{activity.CodeTooLate, "a moment too long ago"},
	{activity.CodeUnknownAction, "the day's rules have no such action"},
	{activity.CodeOutsideRules, "a value that the day's rules do not allow"},
	{activity.CodeNotApplicable, "a ref, a value or restores that the action does not take"},
	{activity.CodeServiceOnly, "a field that only the forum's service may set"},
	{activity.CodeForbidden, "an action that this caller may not report"},
	{activity.CodeOwnID, "the user's own id"},
	{activity.CodeOtherID, "an id in the body that is not the one in the path"},
	{activity.CodeNotSupported, "something that this Laurel lacks"},
	{activity.CodeMediaType, "a header that is not for plain application/json in UTF-8"},
	{activity.CodeNoBody, "a body where none belongs"},
	{activity.CodeInvalidQuery, "the query cannot be read"},
	{activity.CodeUnknownParameter, "the operation has no such parameter"},
	{activity.CodeMissingParameter, "a required parameter is missing"},
	{activity.CodeRepeatedParameter, "a parameter that may appear only once"},
	{activity.CodeInvalidPeriod, "no period of the window has this name"},
}
