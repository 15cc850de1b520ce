//go:build ignore

// Command document writes the OpenAPI document of a deployment with the built-in rules.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

func main() {
	rules := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	answer := httptest.NewRecorder()
	httpapi.New(httpapi.Options{Ledger: rules}, httpapi.Query).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	if _, err := os.Stdout.Write(answer.Body.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
