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

// ParsePlace returns the place of a text that Text has made, and of one with greater numbers the place
// that is nearest to it.
func ParsePlace(text string) (Place, error) {
	parts := strings.SplitN(text, ".", 4)
	if len(parts) < 4 || parts[3] == "" {
		return Place{}, fmt.Errorf("%w: %q", ErrPlace, text)
	}
	var numbers [3]int64
	for i := range numbers {
		number, err := strconv.ParseUint(parts[i], 10, 63)
		if err != nil {
			return Place{}, fmt.Errorf("%w: %q", ErrPlace, text)
		}
		numbers[i] = int64(number)
	}
	at := Entry{User: parts[3], Packed: Pack(numbers[1], min(numbers[2], tickMask))}
	return Place{Rank: numbers[0], Entry: at}, nil
}
