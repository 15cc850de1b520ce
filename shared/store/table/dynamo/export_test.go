package dynamo

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Client returns a client for the table's DynamoDB.
func (o Options) Client() (*dynamodb.Client, error) {
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	return dynamodb.New(settings), nil
}

// Hurry divides a table's delays by a thousand and shortens its timeout of an attempt. It
// returns the number of attempts.
func (s *Store) Hurry() int {
	s.pace.first, s.pace.most, s.pace.patience = s.pace.first/1000, s.pace.most/1000, time.Second
	return s.pace.attempts
}
