// Package app is the composition root: it reads the configuration, opens the stores, and wires them to the handlers
// of requests, batches and the nightly schedule. The functions and the command line are made by it.
//
// A setting is described once (Setting): its variable, its flag and its default. Read returns all violations of all
// settings in one error, each with the name that the person wrote. Its result can be used as it is.
//
// Nothing is connected before it is used. Nothing is closed when a function ends: that would take an extension of
// Lambda, which costs a call in every cold start; the system closes connections with the process.
//
// It links only packages that a function may link: a caller that wants another table than DynamoDB's opens it and
// hands it in.
package app
