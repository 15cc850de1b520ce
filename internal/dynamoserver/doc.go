// Package dynamoserver brings DynamoDB Local, Amazon's own imitation of DynamoDB,
// to whoever needs one on this machine: the tests (through package dynamotest) and
// make bench-archive.
//
// It looks, in this order, for an address in LAUREL_TEST_DYNAMODB, for what it
// has brought before into the user's cache, for a container engine that answers,
// and for Java and Maven, which it installs by the system's package if need be, to
// bring it: 48 MB and a minute, once a machine. It promises to say in one line
// which it was, and when nothing works to fail with the one line that helps.
//
// A server that it starts keeps nothing on disk, tells nobody that it runs, and
// ends with the process that started it, even if that is killed. It takes anybody's
// credentials and, outside a container, has no setting to listen on 127.0.0.1
// alone. It is not for production, and no proof of DynamoDB's speed.
package dynamoserver
