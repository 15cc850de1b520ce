package main

import (
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A message is a text of a .po file: its translations are one, or one for each form of the plural.
type message struct {
	note, context, id, plural string
	text                      []string
}

// key is how gettext finds a message.
func (m *message) key() string {
	key := m.id
	if m.context != "" {
		key = m.context + "\x04" + key
	}
	if m.plural != "" {
		key += "\x00" + m.plural
	}
	return key
}

var line = regexp.MustCompile(`^(?:(msg[\w\[\]]+) )?(".*")$`)

// messages reads a .po file, in which blank lines are between messages; the first one is the header, without an id.
func messages(po string) (all []message, err error) {
	for part := range strings.SplitSeq(strings.TrimSpace(po), "\n\n") {
		var m message
		into := new(string)
		for text := range strings.SplitSeq(part, "\n") {
			if strings.HasPrefix(text, "#") {
				continue
			}
			found := line.FindStringSubmatch(text)
			if found == nil {
				return nil, fmt.Errorf("not a line of a .po file: %s", text)
			}
			if found[1] != "" {
				into = m.part(found[1])
			}
			plain, err := strconv.Unquote(found[2])
			if err != nil {
				return nil, fmt.Errorf("not a text of a .po file: %s", text)
			}
			*into += plain
		}
		all = append(all, m)
	}
	return all, nil
}

// part returns the field for the text after a word.
func (m *message) part(word string) *string {
	switch word {
	case "msgctxt":
		return &m.context
	case "msgid":
		return &m.id
	case "msgid_plural":
		return &m.plural
	}
	m.text = append(m.text, "")
	return &m.text[len(m.text)-1]
}

// compiled returns messages as a .mo file, which all versions of WordPress read:
//
//	0   4  0x950412de       12  4  where the ids are listed, 28
//	4   4  0                16  4  where the translations are listed
//	8   4  how many         20  8  no table of hashes
//
// A list has for each message the length of its bytes and where they are; ids are in order.
func compiled(all []message) []byte {
	texts := map[string]string{}
	for _, m := range all {
		texts[m.key()] = strings.Join(m.text, "\x00")
	}
	keys := slices.Sorted(maps.Keys(texts))
	n := len(keys)
	list := []int{0x950412de, 0, n, 28, 28 + 8*n, 0, 28 + 16*n}
	var bytes strings.Builder
	add := func(text string) {
		list = append(list, len(text), 28+16*n+bytes.Len())
		bytes.WriteString(text + "\x00")
	}
	for _, key := range keys {
		add(key)
	}
	for _, key := range keys {
		add(texts[key])
	}
	var out []byte
	for _, number := range list {
		out = binary.LittleEndian.AppendUint32(out, uint32(number))
	}
	return append(out, bytes.String()...)
}
