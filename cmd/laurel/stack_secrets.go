//go:build !lean

package main

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
)

// secretVariables are those of functions.
var secretVariables = []string{app.UserSecrets, app.ServiceSecrets, app.HookSecrets, app.EventSecrets}

// secrets compares the secrets that the stack's functions have in their environment with those of the command line, and
// with each other: without a version CloudFormation would read a secret for the functions alone that a deployment
// changes.
func (s *awsStack) secrets(ctx context.Context) (l doctor.Line, err error) {
	functions, err := s.resources(ctx, "AWS::Lambda::Function")
	if err != nil {
		return l, err
	}
	type holder struct{ name, secret string }
	first := map[string]holder{} // by variable
	for _, variable := range secretVariables {
		if text, ok := s.secretFile.Lookup(variable); ok {
			first[variable] = holder{"--secret-file", oneBlank(text)}
		}
	}
	client, differ := lambda.NewFromConfig(s.settings), []string{}
	for _, name := range functions {
		found, err := client.GetFunctionConfiguration(ctx, &lambda.GetFunctionConfigurationInput{FunctionName: &name})
		if err != nil {
			return l, err
		}
		for _, variable := range secretVariables {
			if found.Environment == nil || found.Environment.Variables[variable] == "" {
				continue
			}
			has := holder{strings.TrimPrefix(name, s.name+"-"), oneBlank(found.Environment.Variables[variable])}
			switch other, known := first[variable]; {
			case !known:
				first[variable] = has
			case other.secret != has.secret:
				differ = append(differ, variable+" of "+has.name+" and of "+other.name)
			}
		}
	}
	if len(differ) > 0 {
		const do = "deploy with TokenSecretsVersion, the VersionId of the secret: all functions have it then"
		return doctor.Fail(do, "other secrets: %s", strings.Join(differ, ", ")), nil
	}
	return doctor.Well("%d functions have the same", len(functions)), nil
}

// oneBlank returns a text with a blank in place of any others and of lines.
func oneBlank(text string) string { return strings.Join(strings.Fields(text), " ") }
