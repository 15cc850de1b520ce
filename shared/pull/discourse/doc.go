// Package discourse reads a Discourse by its API, beside its webhooks or in place of them.
//
// Webhooks are sent once, and say nothing of likes that are taken back. The API has the posts
// (GET /posts.json, newest first) and what each user likes now (GET /user_actions.json). Each post
// and each like is made a webhook of, and translated as one: what a webhook has told already is a
// duplicate. A like that Laurel has and the forum has not is taken back.
package discourse
