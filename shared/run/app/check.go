package app

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"laurel/shared/core/activity"
)

// check holds settings against each other, and against the needs of the process.
func (r *reader) check() {
	placeless := slices.Contains(r.Needs, NeedPlace) && r.Endpoint == "" && r.Data == ""
	switch {
	case r.RedisURL != "":
		if err := checkRedis(r.RedisURL, r.RedisCluster); r.readable && err != nil {
			r.violation(redisURL, "%w", err)
		}
		r.checkLogin()
		if placeless {
			r.missing(dynamoDBEndpoint,
				errors.New("is missing: the table: http://localhost:8000, or --data DIR for one in a folder"))
		}
	case placeless:
		r.missing(dataFolder, errors.New("is missing: the folder of laurel serve; "+
			"--function names a stack in AWS, --dynamodb and --redis stores of their own"))
	case slices.Contains(r.Needs, NeedRedis) && r.Data == "" && (r.Flags == nil || r.Endpoint == ""):
		r.missing(redisURL, errors.New("is missing: the redis:// or rediss:// URL of Redis"))
	}
	if slices.Contains(r.Needs, NeedTable) && r.Table == "" {
		r.missing(tableName, errors.New("is missing: the name of the table"))
	}
	if err := checkDynamoDB(); r.Endpoint != "" && err != nil {
		r.violation(dynamoDBEndpoint, "%w", err)
	}
	if r.Endpoint != "" && r.Data != "" {
		r.violation(dataFolder, "is set and %s too; there is only one table", r.name(dynamoDBEndpoint))
	}
	if r.LedgerMonths > 0 && r.LedgerMonths <= r.HotMonths {
		r.violation(ledgerMonths, "is %d, and a month is live for %d: it has to be more", r.LedgerMonths, r.HotMonths)
	}
	if slices.Contains(r.Needs, NeedDurable) {
		r.checkDurable()
	}
	if r.Flags == nil {
		r.checkCredentials()
	}
	r.checkTokens()
	r.checkForumLogin()
	r.checkEvents()
}

func (r *reader) missing(variable string, err error) {
	r.violations = append(r.violations, fmt.Errorf("%s %w", r.name(variable), err))
}

// checkDurable holds the stores against each other: acknowledged activities have to be kept, and
// two servers must not have boards of their own.
func (r *reader) checkDurable() {
	if r.Endpoint == "" && r.Data == "" {
		r.missing(dataFolder, errors.New("is missing, and so is --dynamodb: acknowledged activities would be lost"))
	}
	if r.RedisURL == "" && r.Endpoint != "" {
		r.missing(redisURL, errors.New("is missing: boards in memory are for one process with its own --data"+
			"; servers on one DynamoDB share their boards in a Redis"))
	}
}

// checkLogin holds the login by IAM against the rest: a token is not sent in plain text, nor beside a password.
func (r *reader) checkLogin() {
	switch {
	case r.Login == Login{}:
		return
	case r.Login.User == "":
		r.violation(iamUser, "is missing, and %s is set; both are needed, or neither", iamCache)
	case r.Login.Cache == "":
		r.violation(iamCache, "is missing, and %s is set; both are needed, or neither", iamUser)
	}
	cache := r.Login.Cache
	if url.PathEscape(cache) != cache || strings.ContainsAny(cache, ":@&=+$") {
		r.violation(iamCache, "%q is not the name of a cache", cache)
	}
	u, err := url.Parse(r.RedisURL)
	if err != nil {
		return
	}
	if u.Scheme != "rediss" {
		r.violation(redisURL, "has to begin with rediss:// for the login by %s", iamUser)
	}
	if u.User != nil {
		r.violation(redisURL, "has a user or a password, and %s is set; only one of them can be", iamUser)
	}
	if u.Query().Has("skip_verify") {
		r.violation(redisURL, "has skip_verify, which would give the token of %s to anybody", iamUser)
	}
}

// checkCredentials adds a violation if a function lacks credentials to reach AWS.
func (r *reader) checkCredentials() {
	var why string
	switch {
	case r.Login != Login{}:
		why = "for the login by " + iamUser
	case r.Table != "" && (r.Endpoint == "" || isAWS(r.Endpoint)):
		why = "for the table"
	default:
		return
	}
	needed := []string{awsRegion, awsKey, awsSecret}
	if r.AWS.RoleURL != "" && !r.isSet(awsKey) {
		needed = needed[:1]
	}
	for _, variable := range needed {
		if !r.isSet(variable) {
			r.violation(variable, "is missing; it is needed %s", why)
		}
	}
}

// isAWS says whether an endpoint is one of AWS, which takes no invented credentials.
func isAWS(endpoint string) bool {
	u, err := url.Parse(endpoint)
	return err == nil && strings.Contains(u.Hostname()+"/", ".amazonaws.com")
}

// checkTokens holds the settings of access against each other, and the published secrets against where the function
// runs: they must not be taken where it could be reached. sam local says AWS_SAM_LOCAL=true. So might a user in AWS;
// but the name of the log stream is Lambda's own, nobody can set it, and there it has a date and a version in brackets.
func (r *reader) checkTokens() {
	shared := slices.Concat(r.Tokens.UserSecrets, r.Tokens.ServiceSecrets)
	named := []string{jwtIssuer, UserSecrets, UserSecrets + fileOf, ServiceSecrets, ServiceSecrets + fileOf}
	given := slices.ContainsFunc(named, r.isSet) || r.unread // it has a violation of its own
	if slices.Contains(r.Needs, NeedTokens) && len(shared) == 0 && !given {
		r.missing(UserSecrets, ErrTokensMissing)
	}
	for _, secret := range r.Tokens.UserSecrets {
		if slices.Contains(r.Tokens.ServiceSecrets, secret) {
			r.violation(UserSecrets, "has the secret of %s: every user would be the service", ServiceSecrets)
		}
	}
	local := r.samLocal == "true" && !strings.ContainsAny(r.logStream, "/[")
	published := slices.Contains(shared, LocalUserSecret) || slices.Contains(shared, LocalServiceSecret)
	if published && !local && (r.Flags == nil || slices.Contains(r.Needs, NeedDurable)) {
		r.violation(UserSecrets, "has a published secret, which is for sam local alone")
	}
}

// checkForumLogin holds the secrets of a forum's webhooks against the login that the rules offer, in a process that has
// such secrets: any visitor can try a short one at home.
func (r *reader) checkForumLogin() {
	if r.Rules == nil || r.Rules.Hook(activity.DiscourseHooks).Login == "" || len(r.Hooks[activity.DiscourseHooks]) == 0 {
		return
	}
	if r.Hooks.CheckLogin() != nil {
		r.violation(HookSecrets, "has no secret of discourse with 32 bytes or more, and the rules have "+
			"hooks.discourse.login: "+
			"openssl rand -hex 32, and enter it in the forum too")
	}
}

// checkEvents holds the addresses of events against the secrets, in a process that sends events.
func (r *reader) checkEvents() {
	if !slices.ContainsFunc(r.all, func(s Setting) bool { return s.Env == EventSecrets }) {
		return
	}
	for _, a := range r.Rules.Events() {
		if len(r.EventSecrets[a.Name]) == 0 {
			r.violation(EventSecrets, "has no secret of %s, to which the rules have events sent: %s=whsec_...", a.Name, a.Name)
		}
		if !r.EventsPrivate && !strings.HasPrefix(strings.ToLower(a.URL), "https://") {
			r.violation(eventsPrivate, "is not set, and the address of %s in the rules does not begin with https://", a.Name)
		}
	}
}
