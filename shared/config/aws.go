package config

import (
	"errors"
	"net/url"
	"strings"
)

// AWS is what its services want to know; "" is what is not set.
type AWS struct {
	Region, AccessKeyID, SecretAccessKey, SessionToken string
}

// IAM is the login to ElastiCache with the function's own role, in place of a
// password. The zero value is none.
type IAM struct {
	User, Cache string
	AWS         AWS
}

// Set is whether there is such a login.
func (i IAM) Set() bool { return i != IAM{} }

func (e *environment) aws() AWS {
	return AWS{
		Region: e.get(AWSRegion), AccessKeyID: e.get(AWSKey), SecretAccessKey: e.get(AWSSecret), SessionToken: e.get(AWSSession),
	}
}

// iam reads the login, and holds it against the rest: a token is not sent in
// plain text, nor beside a password, and is signed with credentials.
func (e *environment) iam() IAM {
	i := IAM{User: e.get(RedisIAMUser), Cache: e.get(RedisIAMCache), AWS: e.aws()}
	switch {
	case i.User == "" && i.Cache == "":
		return IAM{}
	case i.User == "":
		e.fault(RedisIAMUser, "is missing, and %s is set; both are needed, or neither", RedisIAMCache)
	case i.Cache == "":
		e.fault(RedisIAMCache, "is missing, and %s is set; both are needed, or neither", RedisIAMUser)
	}
	if host := url.PathEscape(i.Cache); host != i.Cache || strings.ContainsAny(i.Cache, ":@&=+$") {
		e.fault(RedisIAMCache, "%q is not the name of a cache", i.Cache)
	}
	u, err := url.Parse(e.get(RedisURL))
	if err == nil && u.Scheme != "rediss" {
		e.fault(RedisURL, "has to begin with rediss:// for the login by %s", RedisIAMUser)
	}
	if err == nil && u.User != nil {
		e.fault(RedisURL, "has a user or a password, and %s is set; only one of them can be", RedisIAMUser)
	}
	if err == nil && u.Query().Has("skip_verify") {
		e.fault(RedisURL, "has skip_verify, which would give the token of %s to anybody", RedisIAMUser)
	}
	e.need(AWSRegion, i.AWS.Region, "for the login by "+RedisIAMUser)
	e.need(AWSKey, i.AWS.AccessKeyID, "for the login by "+RedisIAMUser)
	e.need(AWSSecret, i.AWS.SecretAccessKey, "for the login by "+RedisIAMUser)
	return i
}

func (e *environment) need(name, value, why string) {
	if value == "" {
		e.fault(name, "is missing; it is needed %s", why)
	}
}

// needAWS are the faults of a function whose table is in AWS.
func (a Archive) needAWS() error {
	if a.Table == "" || a.Endpoint != "" {
		return nil
	}
	var e environment
	e.need(AWSRegion, a.AWS.Region, "for the table")
	e.need(AWSKey, a.AWS.AccessKeyID, "for the table")
	e.need(AWSSecret, a.AWS.SecretAccessKey, "for the table")
	return errors.Join(e.faults...)
}
