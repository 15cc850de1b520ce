package httpapi_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

func Example() {
	handler := httpapi.New(httpapi.Options{
		Ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)), // the stores are not asked
		Now:    time.Now,
		Log:    slog.New(slog.DiscardHandler),
	}, httpapi.Record)
	r := httptest.NewRequest(http.MethodPost, "/v1/activities",
		strings.NewReader(`{"activities":[{"action":"like"},{"action":"hug"}]}`))
	r = r.WithContext(auth.WithCaller(r.Context(), auth.Caller{User: "ann"}))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	for part := range strings.SplitSeq(w.Body.String(), ",") {
		if strings.Contains(part, "location") {
			fmt.Println(part)
		}
	}
	// Output:
	// 422 application/problem+json
	// "location":"body.activities[0].target"}
	// "location":"body.activities[1].action"
}
