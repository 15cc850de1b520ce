// Package harness has the common parts of tests of the stores: moments and activities in short
// words, forums and their servers, steps that fail the test when they fail, and views of the
// stored data.
package harness
