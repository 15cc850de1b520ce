//go:build !lean

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/arn"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"

	"laurel/shared/run/doctor"
)

const (
	// watchMinutes is how long CloudFormation watches the alarm after a deployment: it is raised by two periods of five
	// minutes, and CloudWatch gets numbers some minutes late.
	watchMinutes = 20
	// freshBudget is a budget in dollars for a stack that has none.
	freshBudget = 1000
)

// rollback checks that CloudFormation takes back a deployment that raises the alarm ApiFails, and names the command
// that changes this, by the stack's raised alarms. A nested stack is deployed with its root, which has the triggers.
func (s *awsStack) rollback(ctx context.Context, raised []string) (l doctor.Line, err error) {
	alarm, err := s.resource(ctx, "ApiFailsAlarm")
	if err != nil {
		return l, err
	}
	trigger, err := s.alarmARN(alarm)
	if err != nil {
		return l, err
	}
	root := &s.description
	if root.RootId != nil {
		if root, err = describe(ctx, s.settings, *root.RootId); err != nil {
			return l, err
		}
	}
	watch := cmp.Or(root.RollbackConfiguration, &types.RollbackConfiguration{})
	isRaised := slices.Contains(raised, s.nameOf(alarm))
	watched := slices.ContainsFunc(watch.RollbackTriggers, func(t types.RollbackTrigger) bool {
		return aws.ToString(t.Arn) == trigger
	})
	switch size := valueOf(&s.description, "Size"); {
	case watched && isRaised:
		return doctor.Warn("take the alarm off before you deploy, and put it back after: "+update(root),
			"ApiFails is raised: CloudFormation may take a deployment back at once"), nil
	case watched:
		return doctor.Well("ApiFails takes a deployment back, until %d minutes after it",
			aws.ToInt32(watch.MonitoringTimeInMinutes)), nil
	case size != "medium" && size != "large":
		return doctor.Well("not watched, for a forum of the size %s", size), nil
	}
	return doctor.Warn("when ApiFails is not raised: "+update(root, trigger),
		"CloudFormation does not watch ApiFails when it deploys"), nil
}

// alarmARN returns the ARN of an alarm beside the stack.
func (s *awsStack) alarmARN(name string) (string, error) {
	id, err := arn.Parse(aws.ToString(s.description.StackId))
	if err != nil {
		return "", fmt.Errorf("the stack's id: %w", err)
	}
	id.Service, id.Resource = "cloudwatch", "alarm:"+name
	return id.String(), nil
}

// update returns the command that changes a stack's triggers and one parameter, which no function has: CloudFormation
// may refuse an update without a change, and gives parameters that are not named their defaults.
func update(stack *types.Stack, triggers ...string) string {
	name, watch := aws.ToString(stack.StackName), watching(triggers)
	if valueOf(stack, "Size") == "" {
		return "update the stack " + name + ", of another template, with " + watch
	}
	change, value := "MonthlyBudget", strconv.Itoa(freshBudget)
	if budget, _ := strconv.ParseFloat(valueOf(stack, change), 64); budget > 0 {
		value = strconv.FormatFloat(budget+1, 'f', -1, 64)
	}
	if valueOf(stack, "AlarmEmail") == "" { // no budget either
		change, value = "AlarmEmail", "YOUR_ADDRESS"
	}
	words := []string{
		"aws cloudformation update-stack --stack-name", name, "--use-previous-template",
		"--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND --parameters",
	}
	for _, p := range stack.Parameters {
		word := "ParameterKey=" + aws.ToString(p.ParameterKey) + ",UsePreviousValue=true"
		if aws.ToString(p.ParameterKey) == change {
			word = "ParameterKey=" + change + ",ParameterValue=" + value
		}
		words = append(words, word)
	}
	return strings.Join(append(words, watch), " ")
}

// watching returns the option of a command that has CloudFormation watch the triggers, and no others.
func watching(triggers []string) string {
	watch := types.RollbackConfiguration{RollbackTriggers: []types.RollbackTrigger{}}
	minutes := int32(0)
	for _, trigger := range triggers {
		minutes = watchMinutes
		watch.RollbackTriggers = append(watch.RollbackTriggers,
			types.RollbackTrigger{Arn: &trigger, Type: aws.String("AWS::CloudWatch::Alarm")})
	}
	watch.MonitoringTimeInMinutes = &minutes
	text, err := json.Marshal(watch)
	if err != nil {
		panic(err) // it is text and numbers
	}
	return "--rollback-configuration '" + string(text) + "'"
}

// valueOf returns a parameter of a stack, "" if it has none.
func valueOf(stack *types.Stack, name string) string {
	for _, p := range stack.Parameters {
		if aws.ToString(p.ParameterKey) == name {
			return aws.ToString(p.ParameterValue)
		}
	}
	return ""
}
