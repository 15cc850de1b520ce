// Package machinetest is what the tests of the packages that bring a server have in
// common: a machine that only pretends, a process that is killed, and waiting.
//
//	machinetest.System        stands in for machine.Here and remembers what it was asked
//	machinetest.Hold          a process of its own that starts something and is killed
//	machinetest.Eventually    waits for what happens soon
//
// It promises that nothing it starts outlives the test.
package machinetest
