// Package progress tells whoever waits how far a long piece of work is: on a
// terminal with a bar, elsewhere with a line every few seconds. It promises to
// leave the terminal clean, and to say nothing about work that is done at once.
package progress
