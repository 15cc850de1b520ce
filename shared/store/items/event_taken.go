package items

import (
	"encoding/binary"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// Taken has the points that an act has taken from a person, and the reason. It names nobody else.
type Taken struct {
	Person Key
	Kind   string // of the act
	Reason string // "" if none was given
	Lost   []Loss // none if the person is on no board any more
}

// A Loss is the points that a person has lost on the home board of actions or awards, in a day or a month.
type Loss struct {
	Board  string
	Period board.Period
	Points int64 // above zero
}

func (t *Taken) append(b []byte) []byte {
	if t == nil {
		return binary.AppendUvarint(b, 0)
	}
	b = append(binary.AppendUvarint(b, 1), t.Person[:]...)
	b = codec.AppendText(codec.AppendText(b, t.Kind), t.Reason)
	b = binary.AppendUvarint(b, uint64(len(t.Lost)))
	for _, l := range t.Lost {
		b = binary.AppendVarint(codec.AppendText(codec.AppendText(b, l.Board), l.Period.String()), l.Points)
	}
	return b
}

// minLoss is the fewest bytes of a loss.
const minLoss = 3

func readTaken(r *codec.Reader) *Taken {
	if r.Count(1) == 0 {
		return nil
	}
	t := &Taken{}
	copy(t.Person[:], r.Take(uint64(len(t.Person))))
	t.Kind, t.Reason = r.Text(), r.Text()
	for n := r.Count(minLoss); n > 0 && !r.Failed(); n-- {
		l := Loss{Board: r.Text()}
		bad := l.Period.UnmarshalText([]byte(r.Text()))
		r.Check(bad == nil, outOfRange)
		l.Points = r.Varint()
		t.Lost = append(t.Lost, l)
	}
	return t
}
