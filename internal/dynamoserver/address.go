package dynamoserver

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"
)

// AddressVariable names the environment variable with the address of a DynamoDB
// Local for the tests, http://host:port or host:port. They make tables of their own
// there and remove them.
const AddressVariable = "LAUREL_TEST_DYNAMODB"

// FromEnvironment is the URL of the server that the environment gives and where
// somebody listens, or nothing when it gives none.
func FromEnvironment(ctx context.Context) (address string, err error) {
	address = os.Getenv(AddressVariable)
	if address == "" {
		return "", nil
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Port() == "" {
		return "", fmt.Errorf("%s: %q is not http://host:port", AddressVariable, address)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return "", fmt.Errorf("%s: %w", AddressVariable, err)
	}
	return strings.TrimSuffix(address, "/"), conn.Close()
}
