// Package queue records what waits on the queue: batches of SQS messages, each one
// activity or {"activities":[...]}, as Lambda hands them on.
//
// It promises that a bad message fails alone, with every reason in the log under
// the message's id; that the good ones of a batch are recorded together, by one
// call of the store; that a message is done only when all of it is recorded, and
// may be delivered again at any time: what was recorded counts once. What fails
// is in the batch's answer, and SQS delivers it again, at last to the dead-letter
// queue.
//
// # Who sent a message
//
// The way in at API Gateway, POST /v1/queue/activities, is an integration with SQS
// that puts the checked token's claims into message attributes, all of the type
// String, where the sender of the request cannot reach them:
//
//	sub    the claim sub, as it is
//	scope  the word scope, a blank, and the claim scope: SQS refuses an empty value
//	sent   when the request came, in milliseconds since 1970
//
// A message with a sub is that user's: the user and the moment are not the
// sender's to give, at most 100 activities, and only of actions that a user may
// report; unless laurel/service is among the scopes. A message without both was
// sent by the forum's own backend with its own rights on the queue, and is the
// service's: at most 500 activities. A scope without a sub is refused.
//
// The attributes are written as one JSON text into which API Gateway puts the
// claims. As nothing says that it escapes them, a subject with a quote in it might
// write attributes of its own. So the integration also sends the subject as the
// MessageGroupId, which is a value by itself, and a message whose MessageGroupId is
// not its sub is refused. (On a queue that is not FIFO it also keeps one busy user
// from delaying the others. SQS takes ASCII letters, digits and punctuation there;
// users with other ids have POST /v1/activities.)
//
// # When it was sent
//
// The attribute sent is the moment of an activity that has none, and of every
// activity of a user; without it, as from a producer that does not set it, SQS's
// SentTimestamp is. Of activities of one user, action and target in a message, each is
// taken a millisecond after the one before it. It is also the moment of arrival by which 48 hours and 5
// minutes are measured: the sender has been told 202 and cannot know how long the
// message waits, so what the API would have taken then is not too late because a
// queue was long or a store unavailable. A final period stays final: an
// activity whose own day or month has been archived meanwhile is too_late, is
// logged and is done. SQS keeps a message for 14 days at most, and a dead letter as
// long again, so an older moment is not believed. A message moved back from the
// dead-letter queue is a new one for SQS, with a new SentTimestamp; its attributes stay,
// so a producer that sets sent, or the moments of activities, loses nothing then. Without
// either, as in a sample event, the moment is now.
package queue
