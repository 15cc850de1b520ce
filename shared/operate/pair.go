package operate

import (
	"context"
	"fmt"
	"time"

	"laurel/shared/app"
)

// Pair makes a code for which a forum's plugin gets the secrets, once. Its object is a PairingCode.
type Pair struct{}

// A PairingCode is what an owner types into the plugin's page, beside Laurel's address.
type PairingCode struct {
	Code  string    `json:"code"`
	Until time.Time `json:"until"`
}

func (*Pair) do(ctx context.Context, s *slice) (Result, error) {
	code, err := NewPairingCode(ctx, s.App)
	return ended(code, PairingCode.String, err)
}

// NewPairingCode makes one.
func NewPairingCode(ctx context.Context, a *app.App) (PairingCode, error) {
	code, until, err := a.Records.NewPairing(ctx)
	return PairingCode{code, until.In(a.Calendar.Zone()).Truncate(time.Second)}, err
}

// String says what to do with it.
func (c PairingCode) String() string {
	return fmt.Sprintf(`Pairing code: %s

In the settings of the forum's plugin, type Laurel's address and this code, until %s.
It works once.
`, c.Code, c.Until.Format("15:04 -07:00"))
}
