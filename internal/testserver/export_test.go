package testserver

import (
	"context"
	"strconv"
	"strings"
)

// Checked is what LAUREL_TEST_DYNAMODB goes through.
var Checked = checked

// Tables returns the answer that lists the tables.
func Tables(ctx context.Context, endpoint string) (string, error) {
	answer, err := dynamodb(ctx, endpoint, "ListTables", "{}")
	return string(answer), err
}

// Product returns the name of the server's product.
func (s *Server) Product() string {
	name, _, _ := strings.Cut(product(s.about), " ")
	return name
}

// Given returns how many databases the server in the environment lends, or why none.
func Given(ctx context.Context) string {
	k, err := wanted()
	if err != nil {
		return err.Error()
	}
	p, err := given(ctx, k)
	if err != nil {
		return err.Error()
	}
	return strconv.Itoa(len(p.free))
}
