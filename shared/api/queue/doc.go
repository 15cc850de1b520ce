// Package queue records the messages of a queue: batches of SQS messages, each one activity or
// {"activities":[...]}, as Lambda hands them on.
//
// It promises that a bad message fails alone, with every reason in the log under the message's id; that the good
// ones of a batch are recorded together, some 2,000 activities by one call of the store; that a message is done only
// when all of it is recorded, and may be delivered again at any time: an activity counts once. A message that fails,
// or that there is no time for before the function ends, is in the batch's answer: SQS delivers it again, at last to
// the dead-letter queue. When it comes again, it is taken first.
//
// # The sender of a message
//
// POST /v1/queue/activities at API Gateway is an integration with SQS that writes message attributes, all of
// the type String, where the sender of the request cannot reach them:
//
//	caller  the text of the caller that the authorizer has named (package auth)
//	sent    when the request came, in milliseconds since 1970
//
// The forum's programs send messages by themselves with the permission sqs:SendMessage. Their attribute is
// sub, the id of the user whose the message is; a message without sub and caller is the service's.
//
// A user's message holds at most 100 activities, only of actions that a user may report, and it cannot set their
// user and time. The service's holds 500 at most. As every sender chooses its attributes, the service's messages are
// taken only from the producers that the configuration names, API Gateway's role among them, by the sender that SQS
// itself names. SQS may name another sender once a dead letter is put back; this one is refused too, until the
// configuration names it.
//
// The caller's text is also the MessageGroupId, which on a queue that is not FIFO keeps one busy user from
// delaying the others.
//
// # The time of sending
//
// The attribute sent is the moment of an activity that has none, and of every activity of a user; without it,
// SQS's SentTimestamp is, and without either, as in a sample event, now. Of activities of one user, action and
// target in a message, each is taken a millisecond after the one before it. It is also the moment of arrival by
// which 48 hours and 5 minutes are measured, as at the API: the sender has got 202 and cannot know how long
// the message waits. A final period stays final: an activity whose day or month has been archived meanwhile is
// too_late, is logged and is done.
//
// SQS keeps a message for 14 days at most, and a dead letter as long again, so an older time is refused.
// A message moved back from the dead-letter queue has a new SentTimestamp; its attributes stay, so a producer
// that sets sent, or the moments of activities, loses nothing then.
package queue
