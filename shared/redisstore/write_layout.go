package redisstore

import (
	"encoding/json"
	"slices"

	"laurel/shared/board"
)

// Kinds of writes, as guarded_write.lua knows them.
const (
	plain = iota
	list  // the arguments are a JSON array

	// The parts have one command together on each set.
	addToSet // SADD
	takeOff  // ZREM
	putOn    // ZADD
)

const (
	// maxNumber is the largest number of arguments in a layout, a byte. It is even, as
	// arguments mostly come in pairs.
	maxNumber = 254

	// maxArguments is how many arguments a command may have before they are sent as
	// lists: a script has room for some thousands in all.
	maxArguments = 1_000

	// maxSets is among how many sets one is looked for.
	maxSets = 64
)

// section is a piece of a part: numbers that say what the arguments are.
type section struct {
	layout []byte
	args   []any
	n      int
}

// add lays out one more that is on a key.
func (s *section) add(key int, more ...byte) {
	s.layout = append(append(s.layout, byte(key>>8), byte(key)), more...)
	s.n++
}

// A set is one whose members the parts put in, or take out: a board, or what has a key of
// its own.
type set struct {
	shard  int
	board  string
	period board.Period
	key    string
}

// indexed is a set, and the index of its key.
type indexed struct {
	set
	index int
}

// key returns the index of a key, from 1. What a part has is mostly at the end.
func (w *Write) key(key string) int {
	for i, k := range slices.Backward(w.keys) {
		if k == key {
			return i + 1
		}
	}
	w.keys = append(w.keys, key)
	return len(w.keys)
}

// text returns an argument for a text, without memory of its own.
func (w *Write) text(text string) any {
	if len(w.texts) == cap(w.texts) {
		w.texts = make([]string, 0, 2*cap(w.texts)+8) // the others stay where they are
	}
	w.texts = append(w.texts, text)
	return &w.texts[len(w.texts)-1]
}

// do adds a command on one key, or several when there are many arguments.
func (w *Write) do(command, key string, args ...any) {
	k := w.key(key)
	for {
		n := min(len(args), maxNumber)
		w.writes.add(k, plain, byte(n))
		w.writes.args = append(append(w.writes.args, w.text(command)), args[:n]...)
		if args = args[n:]; len(args) == 0 {
			return
		}
	}
}

// doTexts is do with texts.
func (w *Write) doTexts(command, key string, args []string) {
	k := w.key(key)
	for len(args) > 0 {
		n := min(len(args), maxNumber)
		w.writes.add(k, plain, byte(n))
		w.writes.args = append(w.writes.args, w.text(command))
		for _, text := range args[:n] {
			w.writes.args = append(w.writes.args, w.text(text))
		}
		args = args[n:]
	}
}

// doList is doTexts with any number of texts, all of them UTF-8 if there are many.
func (w *Write) doList(command, key string, args []string) {
	if len(args) <= maxArguments {
		w.doTexts(command, key, args)
		return
	}
	for some := range slices.Chunk(args, maxArguments) {
		text, _ := json.Marshal(some) //nolint:errchkjson // text has no error
		w.writes.add(w.key(key), list, 1)
		w.writes.args = append(w.writes.args, w.text(command), text)
	}
}

// merge adds arguments to the one command of a kind on a set.
func (w *Write) merge(kind byte, to set, args ...any) {
	for len(args) > 0 {
		n := min(len(args), maxNumber)
		w.writes.add(w.indexOf(to), kind, byte(n))
		w.writes.args = append(w.writes.args, args[:n]...)
		args = args[n:]
	}
}

// indexOf returns the index of a set's key. Where there are very many sets, a part may have
// a command of its own on one.
func (w *Write) indexOf(to set) int {
	for i := range min(len(w.sets), maxSets) {
		if w.sets[i].set == to {
			return w.sets[i].index
		}
	}
	key := to.key
	if key == "" {
		key = BoardKey(to.shard, to.board, to.period)
	}
	w.keys = append(w.keys, key)
	w.sets = append(w.sets, indexed{to, len(w.keys)})
	return len(w.keys)
}
