package main

import (
	"cmp"
	"fmt"
	"time"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/httpapi/devtoken"
)

type tokenCommand struct {
	User    string        `help:"Whom the token is for (with --service: service)." placeholder:"ID"`
	Service bool          `help:"The token of the forum's own backend, which may do everything."`
	For     time.Duration `default:"24h" help:"How long it is valid (default: 24h)." placeholder:"DURATION"`
}

// Help is what the command's help says beside its flags.
func (tokenCommand) Help() string {
	return `Prints a token that a function takes under sam local with DEV_TOKENS=true, and nowhere else: its secret is
published. The server of laurel dev signs its own, at /dev/token.

  curl -s http://127.0.0.1:3000/v1/activities -H "Authorization: Bearer $(laurel token --user ada)" \
    -H 'Content-Type: application/json' -d '{"activities":[{"action":"like","target":"42"}]}'`
}

// Run prints one token.
func (c tokenCommand) Run(std streams) error {
	user, scope := c.User, ""
	if c.Service {
		user, scope = cmp.Or(user, "service"), auth.ServiceScope
	}
	if code, message := activity.CheckID(user, activity.MaxUserID); code != "" {
		return usageError{textError("--user " + message + ": laurel token --user ada, or laurel token --service")}
	}
	if c.For <= 0 {
		return usageError{textError("--for has to be more than nothing, such as 24h")}
	}
	token, err := devtoken.Local(time.Now).Sign(user, scope, c.For)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.out, token)
	return err
}
