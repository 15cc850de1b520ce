package importer

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// Activities reads what an input says was done, in its order, without recording it. What the rules do not have
// is left out; the first row that could not be recorded ends it.
func Activities(src *Source, rules *activity.Rules) iter.Seq2[activity.Activity, error] {
	return func(yield func(activity.Activity, error) bool) {
		im := Importer{Rules: rules, Calendar: board.NewCalendar(time.UTC), Now: board.MomentOf(time.Now())}
		d, err := im.decoder()
		if err != nil {
			yield(activity.Activity{}, err)
			return
		}
		in, err := openRows(src, historyForm(), nil)
		for err == nil {
			var r row
			if r, err = in.next(); err != nil {
				break
			}
			one := d.decode(r)
			if one.violation != "" {
				err = fmt.Errorf("line %d: %s", r.line.number, one.violation)
			} else if one.skipped == "" && !yield(one.activity, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(activity.Activity{}, fmt.Errorf("%s: %w", src.Name, err))
		}
	}
}
