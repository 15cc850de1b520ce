package dynamo

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/store/table"
)

const (
	maxStatements = 25      // of a call
	maxBatch      = 4 << 20 // bytes of their items
	maxCalls      = 16      // side by side
)

// A statement is a write in a batch.
type statement struct {
	table.Marked
	conflicts int  // with transactions
	lost      bool // an attempt may have been carried out
}

// writeAll applies writes by calls of BatchExecuteStatement, side by side.
func (s *Store) writeAll(ctx context.Context, marked []table.Marked, outcomes []table.Outcome) {
	var calls errgroup.Group
	calls.SetLimit(maxCalls)
	for len(marked) > 0 {
		n, size := 0, 0
		for n < min(len(marked), maxStatements) && (n == 0 || size+marked[n].Size() <= maxBatch) {
			size += marked[n].Size()
			n++
		}
		batch := make([]*statement, n)
		for i, m := range marked[:n] {
			batch[i] = &statement{Marked: m}
		}
		marked = marked[n:]
		calls.Go(func() error {
			err := s.pace.untilDone(ctx, func() (left int, err error) {
				batch, err = s.execute(ctx, batch, outcomes)
				return len(batch), err
			})
			for _, st := range batch {
				outcomes[st.Index].Err = unavailable("BatchExecuteStatement", st.String(), err)
			}
			return nil
		})
	}
	_ = calls.Wait() // none has an error
}

// batchAnswer is DynamoDB's answer to a batch.
type batchAnswer struct {
	Responses []struct {
		Error struct {
			Code    string `json:"Code"`
			Message string `json:"Message"`
			Item    row    `json:"Item"`
		} `json:"Error"`
	} `json:"Responses"`
}

// execute makes one call and returns the statements that are to be sent again.
func (s *Store) execute(
	ctx context.Context, batch []*statement, outcomes []table.Outcome,
) (left []*statement, err error) {
	var answer batchAnswer
	lost, err := s.call(ctx, "BatchExecuteStatement", s.statements(batch), writePatience, &answer)
	if err == nil && len(answer.Responses) != len(batch) {
		err = fmt.Errorf("%d answers for %d statements", len(answer.Responses), len(batch))
	}
	if err != nil {
		return batch, err
	}
	var exist []*statement
	for i, st := range batch {
		failed := &answer.Responses[i].Error
		st.lost = st.lost || lost
		switch {
		case failed.Code == "":
		case failed.Code == conditionFailed:
			outcomes[st.Index] = refusedBy(st.Marked, &failed.Item, st.lost)
		case failed.Code == "DuplicateItem":
			exist = append(exist, st)
		case failed.Code == transactionConflict && st.conflicts+1 == maxConflicts:
			outcomes[st.Index] = refusedBy(st.Marked, &row{}, st.lost)
		case throttling(failed.Code) || failed.Code == transactionConflict || failed.Code == "InternalServerError":
			if st.lost = st.lost || failed.Code == "InternalServerError"; failed.Code == transactionConflict {
				st.conflicts++
			}
			left = append(left, st)
		default:
			err := fmt.Errorf("refused: %s: %.300s", failed.Code, failed.Message)
			outcomes[st.Index].Err = unavailable("BatchExecuteStatement", st.String(), err)
		}
	}
	s.existing(ctx, exist, outcomes)
	return left, nil
}

// existing reads the items that insertions have found: their answer does not have them.
func (s *Store) existing(ctx context.Context, exist []*statement, outcomes []table.Outcome) {
	if len(exist) == 0 {
		return
	}
	keys := make([]table.Key, len(exist))
	for i, st := range exist {
		keys[i] = st.Key
	}
	rows, err := s.read(ctx, true, keys)
	for _, st := range exist {
		if err != nil {
			outcomes[st.Index].Err = err
			continue
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.key() == st.Key })
		stored := &row{} // it is deleted since
		if i >= 0 {
			stored = &rows[i]
		}
		outcomes[st.Index] = refusedBy(st.Marked, stored, st.lost)
	}
}

// statements returns the request of a batch.
func (s *Store) statements(batch []*statement) []byte {
	size := 64
	for _, st := range batch {
		size += room(st.Item) + 400
	}
	b := append(make([]byte, 0, size), `{"Statements":[`...)
	for i, st := range batch {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.texts.appendStatement(b, st.Marked)
	}
	return append(b, `]}`...)
}

// texts are the statements on a table, as JSON. Names are quoted, as data is a reserved word.
type texts struct{ insert, update, remove []byte }

func textsOf(name string) texts {
	name = `"` + name + `"`
	const where = ` WHERE "pk" = ? AND "sk" = ? AND "r" = ?`
	return texts{
		insert: quoted(`INSERT INTO ` + name + ` VALUE {'pk': ?, 'sk': ?, 'data': ?, 'r': ?, 'm': ?}`),
		update: quoted(`UPDATE ` + name + ` SET "data" = ? SET "r" = ? SET "m" = ?` + where),
		remove: quoted(`DELETE FROM ` + name + where),
	}
}

// appendStatement appends a write.
func (t *texts) appendStatement(b []byte, m table.Marked) []byte {
	key := func() {
		b = appendText(append(appendText(b, m.Partition), ','), m.Sort)
	}
	data := func() {
		b = appendNumber(append(appendBytes(b, m.Data), ','), m.Revision)
		b = appendBytes(append(b, ','), m.Mark[:])
	}
	const parameters = `,"Parameters":[`
	b = append(b, `{"Statement":`...)
	switch {
	case m.Was == 0:
		b = append(append(b, t.insert...), parameters...)
		key()
		b = append(b, ',')
		data()
		return append(b, `]}`...)
	case m.Gone:
		b = append(append(b, t.remove...), parameters...)
	default:
		b = append(append(b, t.update...), parameters...)
		data()
		b = append(b, ',')
	}
	key()
	b = appendNumber(append(b, ','), m.Was)
	return append(b, `],"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`...)
}
