package board

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrPlace is returned for a text that is no place.
var ErrPlace = errors.New("board: no place of the form rank.score.ticks.user")

// Text returns a place as one text: its rank, score and ticks, and the user.
func (p Place) Text() string {
	return fmt.Sprintf("%d.%d.%d.%s", p.Rank, p.Packed.Score(), p.Packed.Ticks(), p.User)
}

// ParsePlace returns the place of a text that Text has made.
func ParsePlace(text string) (p Place, err error) {
	var numbers [3]int64
	rest := text
	for i, most := range [...]int64{1<<31 - 1, MaxScore, tickMask} {
		digits, after, there := strings.Cut(rest, ".")
		rest = after
		number, err := strconv.ParseUint(digits, 10, 31)
		if numbers[i] = int64(number); err != nil || !there || numbers[i] > most {
			return Place{}, fmt.Errorf("%w: %q", ErrPlace, text)
		}
	}
	p = Place{Rank: numbers[0], Entry: Entry{User: rest, Packed: Pack(numbers[1], numbers[2])}}
	if p.Text() != text || p.Rank == 0 || numbers[1] == 0 || rest == "" {
		return Place{}, fmt.Errorf("%w: %q", ErrPlace, text)
	}
	return p, nil
}
