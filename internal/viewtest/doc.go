// Package viewtest is the conformance suite of views: Run holds an implementation of view.View to the promises of
// package view, against models in the tests. Behaviour of one store alone (trips, damage, full stores) has its tests
// beside that store, which use the helpers here.
package viewtest
