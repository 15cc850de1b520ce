package request

import (
	"slices"
	"strings"

	"laurel/shared/activity"
)

// ServiceScope is the scope of the forum's own backend.
const ServiceScope = "laurel/service"

// A Sender is who sent a body.
type Sender struct {
	User    string // whose activities they are; means nothing when Service
	Service bool   // the forum's own backend, which says whose they are
}

// NewSender returns the sender that a checked token's subject and scopes stand
// for.
func NewSender(subject string, scopes []string) Sender {
	return Sender{User: subject, Service: slices.Contains(scopes, ServiceScope)}
}

// Scopes reads a token's claim scope or scp: words in one string, which API Gateway
// puts in brackets when it was a list.
func Scopes(claim string) []string {
	return strings.Fields(strings.TrimSuffix(strings.TrimPrefix(claim, "["), "]"))
}

// Reporter returns as whom the sender reports.
func (s Sender) Reporter() activity.Reporter {
	if s.Service {
		return activity.ByService
	}
	return activity.ByUser
}
