// Package profile has a user's profile: as it is sent and kept (Profile), and as boards show it (Public, User). It
// promises that a profile without violations can be kept, and that Clean makes one of any. It has no store.
package profile
