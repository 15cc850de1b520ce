package redisserver

// The seams at which a test takes the machine's place.
type System = system

var FindIn = find
