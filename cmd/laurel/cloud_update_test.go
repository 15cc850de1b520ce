package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"

	"laurel/internal/harness"
)

const (
	apiFails     = 142 // the alarm's number among the stack's
	idOfStack    = "arn:aws:cloudformation:eu-central-1:123456789012:stack/laurel-test/1"
	alarmOfStack = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:laurel-test-alarm-142"
)

// deployed is the stack as it was deployed last.
type deployed struct {
	defaults, values, patterns map[string]string // of its parameters, those of template.yaml
	trigger, minutes           string            // of rollbacks
}

func newDeployed(tb testing.TB) *deployed {
	tb.Helper()
	d := &deployed{defaults: map[string]string{}, patterns: map[string]string{}}
	template := harness.YAML(tb, "../../template.yaml")
	if harness.Below(template, "Resources", "ApiFailsAlarm") == nil {
		tb.Fatal("template.yaml has no ApiFailsAlarm")
	}
	parameters, _ := template["Parameters"].(map[string]any)
	for name, p := range parameters {
		d.defaults[name] = fmt.Sprint(harness.Below(p, "Default"))
		d.patterns[name], _ = harness.Below(p, "AllowedPattern").(string)
	}
	d.values = maps.Clone(d.defaults)
	return d
}

// described returns the part of an answer of DescribeStacks about it.
func (d *deployed) described() string {
	text := "<StackId>" + idOfStack + "</StackId><Parameters>"
	for _, name := range slices.Sorted(maps.Keys(d.values)) {
		text += "<member><ParameterKey>" + name + "</ParameterKey><ParameterValue>" + d.values[name] +
			"</ParameterValue></member>"
	}
	text += "</Parameters><RollbackConfiguration>"
	if d.trigger != "" {
		text += "<RollbackTriggers><member><Arn>" + d.trigger + "</Arn><Type>AWS::CloudWatch::Alarm</Type></member>" +
			"</RollbackTriggers><MonitoringTimeInMinutes>" + d.minutes + "</MonitoringTimeInMinutes>"
	}
	return text + "</RollbackConfiguration>"
}

// update changes the stack as CloudFormation does, in the strictest reading of its documentation: a parameter that is
// not named gets its default, and an update that changes neither template nor parameters is refused.
func (a *cloud) update(r *http.Request, _ []byte) (kind, answer string) {
	next := maps.Clone(a.stack.defaults)
	for i := 1; r.FormValue(fmt.Sprintf("Parameters.member.%d.ParameterKey", i)) != ""; i++ {
		field := fmt.Sprintf("Parameters.member.%d.", i)
		name := r.FormValue(field + "ParameterKey")
		next[name] = r.FormValue(field + "ParameterValue")
		if r.FormValue(field+"UsePreviousValue") == "true" {
			next[name] = a.stack.values[name]
		}
		if !regexp.MustCompile(a.stack.patterns[name]).MatchString(next[name]) {
			return refused("ValidationError", "Parameter "+name+" failed to satisfy constraint")
		}
	}
	capable := r.FormValue("Capabilities.member.1") + r.FormValue("Capabilities.member.2")
	trigger := r.FormValue("RollbackConfiguration.RollbackTriggers.member.1.Arn")
	switch {
	case r.FormValue("StackName") != "laurel-test" || r.FormValue("UsePreviousTemplate") != "true":
		return refused("ValidationError", "Either Template URL or Template Body must be specified.")
	case capable != "CAPABILITY_IAMCAPABILITY_AUTO_EXPAND":
		return refused("InsufficientCapabilitiesException", "Requires capabilities : [CAPABILITY_AUTO_EXPAND]")
	case maps.Equal(next, a.stack.values):
		return refused("ValidationError", "No updates are to be performed.")
	case trigger != "" && trigger != alarmOfStack:
		return refused("ValidationError", "there is no alarm "+trigger)
	}
	a.stack.values, a.stack.trigger = next, trigger
	a.stack.minutes = r.FormValue("RollbackConfiguration.MonitoringTimeInMinutes")
	return answered("UpdateStack", "<StackId>"+idOfStack+"</StackId>")
}

// refused returns an error of CloudFormation.
func refused(code, message string) (kind, answer string) {
	return "text/xml", `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error>` +
		"<Type>Sender</Type><Code>" + code + "</Code><Message>" + message + "</Message></Error></ErrorResponse>"
}

// pasted [TEXT]: the command aws cloudformation update-stack that laurel has named is run by a shell, or refused with
// the text.
func (s *script) pasted(args []string) {
	_, command, _ := strings.Cut(s.ReadFile("stdout"), "aws cloudformation update-stack ")
	command, _, _ = strings.Cut(command, "\n")
	words := harness.Must(exec.CommandContext(s.tb.Context(), "sh", "-c", `printf '%s\n' `+command).Output())(s.tb)
	var in cloudformation.UpdateStackInput
	option := ""
	for word := range strings.FieldsSeq(string(words)) {
		switch {
		case word == "--use-previous-template":
			in.UsePreviousTemplate = aws.Bool(true)
		case strings.HasPrefix(word, "--"):
			option = word
		case option == "--stack-name":
			in.StackName = &word
		case option == "--capabilities":
			in.Capabilities = append(in.Capabilities, types.Capability(word))
		case option == "--parameters":
			in.Parameters = append(in.Parameters, parsed(word))
		case option == "--rollback-configuration":
			harness.OK(s.tb, json.Unmarshal([]byte(word), &in.RollbackConfiguration))
		default:
			s.Fatalf("%s in %s", word, command)
		}
	}
	_, err := cloudformation.New(cloudformation.Options{
		Region: "eu-central-1", BaseEndpoint: &s.aws.url,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "laurel", SecretAccessKey: "laurel"}, nil
		}),
	}).UpdateStack(s.tb.Context(), &in)
	if want := strings.Join(args, ""); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		s.Fatalf("%s: %v, want %q", command, err, want)
	}
}

// parsed reads a parameter as aws does, in its shorthand.
func parsed(word string) (p types.Parameter) {
	for field := range strings.SplitSeq(word, ",") {
		switch name, value, _ := strings.Cut(field, "="); name {
		case "ParameterKey":
			p.ParameterKey = &value
		case "ParameterValue":
			p.ParameterValue = &value
		case "UsePreviousValue":
			p.UsePreviousValue = aws.Bool(value == "true")
		}
	}
	return p
}
