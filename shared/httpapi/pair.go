package httpapi

import (
	"context"
	"errors"
	"net/http"

	"laurel/shared/activity"
	"laurel/shared/records"
	"laurel/shared/request"
)

// PairPath is where a forum's plugin gets the secrets. Whoever serves it has to see to it that nobody
// between reads the answer; API Gateway takes TLS alone.
const PairPath = "/v1/pair"

// A Pairing is what a forum's plugin needs beside the address.
type Pairing struct {
	HookSecret string `json:"hookSecret" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" doc:"Signs what the forum reports, for the source standard"`
	UserSecret string `json:"userSecret,omitempty" example:"0f1e2d3c4b5a69788796a5b4c3d2e1f0" doc:"Signs the tokens of its members; left out where Laurel takes none by a secret"`
	Board      string `json:"board" example:"activity" doc:"The first board of the rules"`
	Timezone   string `json:"timezone" example:"Europe/Berlin" doc:"Whose days and months the boards have"`
}

func (a *api) registerPair() {
	register(a, operation{
		id: "pair", method: http.MethodPost, path: PairPath, tag: "service",
		summary: "Exchange a pairing code for the forum's secrets",
		detail: "laurel pair makes the code, which works once, within ten minutes; the fifth wrong one ends it. Codes that " +
			"are wrong, used or expired have the same answer. Over TLS, or from the same machine.",
		body: request.Pair{}, errors: append([]int{http.StatusForbidden, http.StatusNotImplemented}, bodyErrors...),
	}, a.pair)
}

// pair looks for the secret first, as a code that is used up for nothing helps nobody.
func (a *api) pair(ctx context.Context, in *bodyInput) (Pairing, error) {
	var body request.Pair
	if p := problemWith(request.Decode(in.body, &body), in.rest); p != nil {
		return Pairing{}, p
	}
	secrets := a.Hooks[activity.StandardHooks]
	if len(secrets) == 0 {
		return Pairing{}, newProblem(CodeNotSupported, "this Laurel has no secret of webhooks for the source standard: "+
			"HOOK_SECRETS=standard=whsec_..., or laurel pair for a stack")
	}
	answer := Pairing{
		HookSecret: secrets[0], UserSecret: a.UserSecret, Board: a.Ledger.Rules().Boards()[0],
		Timezone: a.Ledger.Calendar().Zone().String(),
	}
	err := a.Records.UsePairing(ctx, body.Code)
	switch {
	case errors.Is(err, records.ErrPairing):
		return Pairing{}, newProblem(CodePairingRefused, "the code is wrong, used or expired")
	case err != nil:
		return Pairing{}, err
	default:
		return answer, nil
	}
}

// TLSRequired answers a request for secrets that somebody between can read.
func TLSRequired(w http.ResponseWriter) {
	newProblem(CodeTLSRequired, "secrets are sent over https, or within this machine").write(w)
}
