package laurel_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	laurel "laurel/integrations/client/go"
)

// sign stands for the forum's own way to sign a token, and secret for that of its events.
func sign(context.Context) (string, error) { return "TOKEN", nil }

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// The example of README.md: a test compares them.
func showLeaders(ctx context.Context) error {
	client := laurel.New("https://boards.example", sign)
	receipts, err := client.Report(ctx, laurel.Activity{User: "ada", Action: "like", Target: "42"})
	if err != nil {
		return err
	}
	fmt.Println(receipts[0].Status, receipts[0].Points)

	board, err := client.Board(ctx, "activity", "month", laurel.BoardQuery{Limit: 10})
	if err != nil {
		return err
	}
	for entry, err := range laurel.All(ctx, client, board) {
		if err != nil {
			return err
		}
		fmt.Println(entry.Rank, entry.User.Name, entry.Score)
	}
	return nil
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil {
		return
	}
	event, err := laurel.Verify(r.Header, body, time.Now(), secret)
	if err != nil {
		http.Error(w, "not signed", http.StatusUnauthorized)
		return
	}
	fmt.Println(event.ID, event.Type, string(event.Data))
}

var _, _ = showLeaders, receive
