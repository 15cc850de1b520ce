package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

// nothingThere is what DynamoDB answers of a table without an item, by operation.
var nothingThere = map[string]string{
	"GetItem": `{}`, "BatchGetItem": `{"Responses":{}}`, "Query": `{"Items":[],"Count":0,"ScannedCount":0}`,
}

// newEmptyTable starts a server that is DynamoDB as far as a first event asks it:
// for a name, for erasures that run. It takes no time worth measuring, so that what
// is in the figures is the client's.
func newEmptyTable() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		answer, asked := nothingThere[operation]
		if !asked { // a first event that writes is none to measure by
			http.Error(w, `{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException"}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_, _ = w.Write([]byte(answer))
	}))
}
