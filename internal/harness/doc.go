// Package harness is what tests of the stores have in common: moments and activities
// in short words, forums and their servers, steps that fail the test when they fail, and
// views of what is stored.
package harness
