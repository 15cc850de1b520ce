package redisstore

import "encoding/json"

// Kinds of writes, as guarded_write.lua knows them.
const (
	plain = iota
	each  // on several keys, with an argument of its own for each
	list  // the arguments are a JSON array
)

const (
	// maxNumber is the largest number in a layout, a byte: of arguments and of keys.
	// It is even, as arguments mostly come in pairs.
	maxNumber = 254

	// maxArguments is how many arguments a command may have before they are sent as a
	// list: a script has room for some thousands in all.
	maxArguments = 1_000
)

// section is a part of a write: numbers that say what the arguments are.
type section struct {
	layout []byte
	args   []any
}

// key returns the index of a key, from 1.
func (w *Write) key(key string) byte {
	for i, k := range w.keys {
		if k == key {
			return byte(i + 1)
		}
	}
	w.keys = append(w.keys, key)
	return byte(len(w.keys))
}

// do adds a command on one key, or several when there are many arguments.
func (w *Write) do(command, key string, args ...any) {
	k := w.key(key)
	for {
		n := min(len(args), maxNumber)
		w.writes.layout = append(w.writes.layout, plain, k, byte(n))
		w.writes.args = append(append(w.writes.args, command), args[:n]...)
		if args = args[n:]; len(args) == 0 {
			return
		}
	}
}

// doEach adds a command on several keys, each with an argument of its own before the
// common ones. The keys are of no other write.
func (w *Write) doEach(command string, keys []string, own []any, common ...any) {
	w.eachKeys = append(w.eachKeys, keys...)
	for len(own) > 0 {
		n := min(len(own), maxNumber)
		w.writes.layout = append(w.writes.layout, each, byte(n), byte(len(common)))
		w.writes.args = append(append(append(w.writes.args, command), common...), own[:n]...)
		own = own[n:]
	}
}

// doList adds a command on one key with any number of arguments, all of them text.
func (w *Write) doList(command, key string, args []string) {
	if len(args) == 0 {
		return
	}
	if len(args) <= maxArguments {
		all := make([]any, len(args))
		for i, a := range args {
			all[i] = a
		}
		w.do(command, key, all...)
		return
	}
	text, _ := json.Marshal(args) //nolint:errchkjson // text has no error
	w.writes.layout = append(w.writes.layout, list, w.key(key), 1)
	w.writes.args = append(w.writes.args, command, text)
}
