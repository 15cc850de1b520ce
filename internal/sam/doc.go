// Package sam brings the AWS SAM command line, aws-sam-cli, to the tests that need
// it.
//
// It takes a sam on PATH that is new enough; else what it has brought before into the
// user's cache; else it brings that, by Python and pip: 200 MB and half a minute,
// once a machine. It promises to say in one line which it was, and when nothing works
// to fail with the one line that helps.
//
// A sam that is run here asks nothing, tells nobody that it runs, and finds no
// credentials but made-up ones.
package sam
