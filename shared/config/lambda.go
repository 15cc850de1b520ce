package config

import (
	"log/slog"
	"strings"
)

// levels are what a level can be called: LOG_LEVEL's names, and Lambda's.
var levels = map[string]slog.Level{
	"trace": slog.LevelDebug - 4, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	"fatal": slog.LevelError + 4, "": slog.LevelInfo,
}

// level is what the function's own setting in Lambda says; Lambda has one with the
// format JSON alone. Without it LOG_LEVEL decides.
func (e *environment) level() slog.Level {
	name := LambdaLogLevel
	if e.get(name) == "" {
		name = LogLevel
	}
	level, known := levels[strings.ToLower(e.get(name))]
	if !known {
		e.fault(name, "%q is none of trace, debug, info, warn, error and fatal", e.get(name))
	}
	return level
}

// logText is whether Lambda's setting asks for text.
func (e *environment) logText() bool {
	switch text := e.get(LambdaLogFormat); strings.ToLower(text) {
	case "", "json":
		return false
	case "text":
		return true
	default:
		e.fault(LambdaLogFormat, "%q is neither JSON nor Text", text)
		return false
	}
}

// devTokens reads the switch by which a function checks development tokens, whose
// secret everybody knows: nothing must turn it on where it could be reached. sam
// local says AWS_SAM_LOCAL=true. So might somebody in AWS; but the name of the log
// stream is Lambda's own, nobody can set it, and there it has a date and a version
// in brackets.
func (e *environment) devTokens() bool {
	if !e.boolean(DevTokens) {
		return false
	}
	if e.get(SAMLocal) != "true" {
		e.fault(DevTokens, "is for sam local alone, and %s is not true", SAMLocal)
	}
	if strings.ContainsAny(e.get(lambdaLogStream), "/[") {
		e.fault(DevTokens, "is for sam local alone, and this is AWS")
	}
	if e.get(RedisIAMUser) != "" {
		e.fault(DevTokens, "is for sam local alone, and %s is set", RedisIAMUser)
	}
	return true
}
