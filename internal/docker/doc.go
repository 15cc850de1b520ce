// Package docker brings a Docker engine to the tests that need one.
//
// It takes the engine that answers; else, for root on Linux, it starts one of its
// own, whose package it installs if need be. It promises to say in one line which it
// was, and when nothing works to fail with the one line that helps.
//
// An engine that it starts touches nothing of the user's: its images, settings and
// sockets are in a directory of its own, its processes and mounts in namespaces of
// their own, its containers on a bridge of their own, and the firewall stays as it
// is. So its containers reach this machine and are reached from it, and nothing
// else. All of that goes with the process that started it, even if that is killed.
package docker
