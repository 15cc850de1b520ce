// Package machine is what bringing a server takes of this machine: programs on
// PATH, container engines, the system's packages, locks among the user's
// processes, free ports, and processes that end with this one.
//
// It promises that what it starts does not outlive the process that started it,
// even if that is killed, and that only one process at a time installs. It knows
// no server: packages docker and sam do.
package machine
