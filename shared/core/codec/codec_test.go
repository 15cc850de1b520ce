package codec_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel/shared/core/codec"
)

// oddIDs take every form of an id, or nearly.
var oddIDs = []string{
	"", "0", "-0", "00", "007", "-7", "+7", "1", "127", "128", "-1", "9007199254740993", "9223372036854775807",
	"9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "-", "é", "a b", "1.0", "1e3", "٣",
	"6b3a2f10-0d5c-4b1e-9a7e-0123456789ab", "6B3A2F10-0D5C-4B1E-9A7E-0123456789AB",
	"6b3a2f10-0d5c-4b1e-9a7e-0123456789ag", "6b3a2f10-0d5c-4b1e-9a7e-0123-56789ab",
	"6b3a2f100d5c4b1e9a7e0123456789ab", strings.Repeat("x", 128),
}

func TestIDsReadBack(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for i, id := range oddIDs {
		b := codec.AppendID(nil, id)
		if other, taken := seen[string(b)]; taken {
			t.Errorf("%q and %q are the same bytes", id, other)
		}
		seen[string(b)] = id
		r := codec.NewReader(string(b))
		if got := r.ID(); got != id || r.Done() != nil {
			t.Errorf("%q reads as %q, %v", id, got, r.Done())
		}
		for _, ref := range []string{"", oddIDs[len(oddIDs)-1-i]} {
			key := string(codec.EntryKey{Target: id, Ref: ref}.Append(nil))
			r := codec.NewReader(key + "beyond")
			if got := r.Key(); got != key {
				t.Errorf("the key %q reads as %q", key, got)
			}
			if target, gotRef := codec.SplitKey(key); target != inKey(id) || gotRef != inKey(ref) {
				t.Errorf("%q, %q read as %q, %q", id, ref, target, gotRef)
			}
			for _, other := range oddIDs {
				otherKey := string(codec.EntryKey{Target: other, Ref: oddIDs[i]}.Append(nil))
				if codec.SameTarget(key, otherKey) != (other == id) {
					t.Errorf("%q and %q are taken for the same target, or not", id, other)
				}
				if byRef := string(codec.EntryKey{Ref: other}.Append(nil)); codec.SameRef(key, byRef) != (other == ref) ||
					codec.HasTarget(byRef) || codec.HasRef(byRef) != (other != "") || codec.HasTarget(key) != (id != "") {
					t.Errorf("the ref %q of %q is taken for %q, or not", ref, id, other)
				}
			}
		}
	}
}

// inKey returns how an id of a key reads: a long one as its hash.
func inKey(id string) string {
	if len(codec.AppendID(nil, id)) <= 24 {
		return id
	}
	return fmt.Sprintf("#%x", sha256.Sum256([]byte(id)))[:1+32]
}

func TestIDsAreShort(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int{"7": 2, "100000": 4, "6b3a2f10-0d5c-4b1e-9a7e-0123456789ab": 17, "page": 6} {
		if got := len(codec.AppendID(nil, id)); got != want {
			t.Errorf("%q takes %d bytes, want %d", id, got, want)
		}
	}
	for text, want := range map[string]int{strings.Repeat("x", 22): 24, strings.Repeat("x", 23): 17} {
		if got := len(codec.EntryKey{Target: text}.Append(nil)); got != want {
			t.Errorf("the key of %d letters takes %d bytes, want %d", len(text), got, want)
		}
	}
	hashed := codec.EntryKey{Person: 7}.Append(nil)
	if target, _ := codec.SplitKey(string(hashed)); len(hashed) != 1+codec.HashLen || target != "#0000000000000007" {
		t.Errorf("a person is %q and reads as %q", hashed, target)
	}
	if r := codec.NewReader(string(hashed) + "beyond"); r.Key() != string(hashed) || r.Len() != len("beyond") {
		t.Errorf("past a person %d bytes are left", r.Len())
	}
}

// The other person is a part of a key that its target and its ref do not know of.
func TestKeysNameTheOtherPerson(t *testing.T) {
	t.Parallel()
	for _, target := range oddIDs[1:] {
		for _, ref := range oddIDs {
			plain := string(codec.EntryKey{Target: target, Ref: ref}.Append(nil))
			key := string(codec.EntryKey{Target: target, Ref: ref, Other: 1 << 60}.Append(nil))
			follow := string(codec.EntryKey{Person: 1 << 61, Ref: ref}.Append(nil))
			r := codec.NewReader(key + "beyond")
			if len(key) != len(plain)+codec.HashLen || r.Key() != key || codec.PersonIn(key) != 1<<60 {
				t.Errorf("%q, %q with another person is %q", target, ref, key)
			}
			if codec.PersonIn(plain) != 0 || codec.PersonIn(follow) != 1<<61 {
				t.Errorf("%q names %x, and %q %x", plain, codec.PersonIn(plain), follow, codec.PersonIn(follow))
			}
			if !codec.SameTarget(key, plain) || !codec.SameRef(key, plain) || codec.HasRef(key) != (ref != "") {
				t.Errorf("%q and %q are taken for others", key, plain)
			}
			if gotTarget, gotRef := codec.SplitKey(key); gotTarget != inKey(target) || gotRef != inKey(ref) {
				t.Errorf("%q reads as %q, %q", key, gotTarget, gotRef)
			}
		}
	}
	for _, nobody := range []string{
		"\x43" + strings.Repeat("\x01", 8) + strings.Repeat("\x00", 8), "\x43\x01", "\x03\x01",
	} {
		if r := codec.NewReader(nobody); r.Key() != "" || !r.Failed() {
			t.Errorf("%q is a key", nobody)
		}
	}
}

// After the first failure there are zeros, and the error tells of the first.
func TestReaderFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		data string
		read func(*codec.Reader)
		want string
	}{
		"truncated byte":   {"", func(r *codec.Reader) { r.Byte() }, "truncated at byte 0 of 0"},
		"truncated number": {"\xff", func(r *codec.Reader) { r.Uvarint() }, "bad number at byte 0 of 1"},
		"padded number":    {"\x80\x00", func(r *codec.Reader) { r.Uvarint() }, "bad number at byte 0 of 2"},
		"number over 64 bits": {
			strings.Repeat("\xff", 9) + "\x02", func(r *codec.Reader) { r.Uvarint() },
			"bad number at byte 0 of 10",
		},
		"number of eleven bytes": {
			strings.Repeat("\xff", 10) + "\x01", func(r *codec.Reader) { r.Uvarint() },
			"bad number at byte 0 of 11",
		},
		"truncated text":      {"\x05abc", func(r *codec.Reader) { _ = r.Text() }, "truncated at byte 1 of 4"},
		"truncated hash":      {"abc", func(r *codec.Reader) { r.Take(8) }, "truncated at byte 0 of 3"},
		"truncated UUID":      {"\x02abc", func(r *codec.Reader) { _ = r.ID() }, "truncated at byte 1 of 4"},
		"more items than fit": {"\x03abcde", func(r *codec.Reader) { r.Count(2) }, "truncated at byte 1 of 6"},
		"trailing data":       {"ab", func(r *codec.Reader) { r.Byte() }, "trailing data at byte 1 of 2"},
		"the first check": {
			"ab", func(r *codec.Reader) { r.Check(false, "too small"); r.Check(false, "too large") },
			"too small at byte 0 of 2",
		},
		"text of nothing": {"\x00\x00", func(r *codec.Reader) { _ = r.ID() }, "bad id at byte 2 of 2"},
		"UUID as a text": {
			"\x00\x2400000000-0000-0000-0000-000000000000", func(r *codec.Reader) { _ = r.ID() },
			"bad id at byte 38 of 38",
		},
		"number as a text":      {"\x00\x0242", func(r *codec.Reader) { _ = r.ID() }, "bad id at byte 4 of 4"},
		"unknown form of an id": {"\x06", func(r *codec.Reader) { _ = r.ID() }, "bad id at byte 1 of 1"},
		"unknown form of a key": {"\x80", func(r *codec.Reader) { _ = r.Key() }, "bad id at byte 1 of 1"},
	}
	most := codec.NewReader(strings.Repeat("\xff", 9) + "\x01\x02abcd")
	if n, items := most.Uvarint(), most.Count(2); n != 1<<64-1 || items != 2 {
		t.Errorf("%d and %d items, %v", n, items, most.Done())
	}
	for name, tt := range tests {
		r := codec.NewReader(tt.data)
		tt.read(&r)
		err := r.Done()
		if !errors.Is(err, codec.ErrDamaged) || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
		if got := fmt.Sprint(r.Byte(), r.Uvarint(), r.Varint(), r.Count(1)) + r.Text() + r.Take(1) +
			r.Key(); got != "0 0 0 0" {
			t.Errorf("%s: %q is read after the failure", name, got)
		}
	}
}

// A byte changed, lost or added, or another context, is damage.
func TestDamageIsAnError(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "body")
		context := rapid.StringN(0, 8, -1).Draw(t, "context")
		sealed := codec.Seal(append([]byte(nil), body...), context)
		r, err := codec.Open(sealed, context)
		if got := r.Take(uint64(r.Len())); err != nil || got != string(body) {
			t.Fatalf("%q reads as %q, %v", body, got, err)
		}
		offset := rapid.IntRange(0, len(sealed)-1).Draw(t, "at")
		flipped := append([]byte(nil), sealed...)
		flipped[offset] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
		for _, damaged := range [][]byte{flipped, sealed[:offset], append(sealed, 7)} {
			if _, err := codec.Open(string(damaged), context); !errors.Is(err, codec.ErrDamaged) {
				t.Fatalf("%q opens: %v", damaged, err)
			}
		}
		if _, err := codec.Open(sealed, context+"!"); !errors.Is(err, codec.ErrDamaged) {
			t.Fatalf("it opens in another context: %v", err)
		}
	})
}

// Any bytes that can be read are written as the same bytes.
func FuzzReader(f *testing.F) {
	for _, id := range oddIDs {
		f.Add(codec.AppendID(nil, id))
		f.Add(codec.EntryKey{Target: id, Ref: "c7", Other: 7}.Append(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := codec.NewReader(string(data))
		for !r.Failed() && r.Len() > 0 {
			start := len(data) - r.Len()
			hashed := data[start] == 3 || data[start] == 4
			id := r.ID()
			if read := data[start : len(data)-r.Len()]; !r.Failed() && !hashed && !bytes.Equal(codec.AppendID(nil, id), read) {
				t.Errorf("%q reads as %q", read, id)
			}
		}
		r = codec.NewReader(string(data))
		for !r.Failed() && r.Len() > 0 {
			start := len(data) - r.Len()
			n := r.Uvarint()
			if read := data[start : len(data)-r.Len()]; !r.Failed() && !bytes.Equal(binary.AppendUvarint(nil, n), read) {
				t.Errorf("%q reads as %d", read, n)
			}
		}
		if key := codec.NewReader(string(data)); key.Key() != "" {
			codec.SplitKey(string(data))
		}
	})
}
