package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	alarms "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"laurel/shared/doctor"
	"laurel/shared/operate"
)

const (
	sliceSeconds = 30 // for which a slice works, which then tells how far it is
	maxKilled    = 5  // how often a slice is repeated whose function was killed
	retries      = 8  // of a call that Lambda refuses, as too many functions run
)

// awsSettings says as whom and where AWS is called: as the environment says, like the AWS command line.
func awsSettings(ctx context.Context, options ...func(*config.LoadOptions) error) (aws.Config, error) {
	settings, err := config.LoadDefaultConfig(ctx, options...)
	if err != nil {
		return settings, fmt.Errorf("credentials of AWS: %w", err)
	}
	return settings, nil
}

// invoking returns what has a function do slices.
func invoking(ctx context.Context, function string) (operate.Slicer, error) {
	settings, err := awsSettings(ctx, config.WithRetryMaxAttempts(retries))
	if err != nil {
		return nil, err
	}
	client := lambda.NewFromConfig(settings)
	return operate.By(sliceSeconds, func(ctx context.Context, event []byte) ([]byte, error) {
		for killed := 1; ; killed++ {
			answer, err := client.Invoke(ctx, &lambda.InvokeInput{FunctionName: &function, Payload: event})
			if err != nil {
				return nil, fmt.Errorf("invoke %s: %w", function, err)
			}
			if answer.FunctionError == nil {
				return answer.Payload, nil
			}
			if killed == maxKilled {
				return nil, fmt.Errorf("%s failed %d times: %s", function, killed, answer.Payload)
			}
			select { // what it did stays, and is not done twice
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(time.Duration(killed) * time.Second / 2):
			}
		}
	}), nil
}

// alarmsAtOnce is how many alarms CloudWatch describes in a request.
const alarmsAtOnce = 100

// awsStack is a stack of template.yaml in AWS, as whom the environment says.
type awsStack struct {
	name     string
	settings aws.Config
	is       types.Stack
	outputs  map[string]string
}

// openStack finds a stack.
func openStack(ctx context.Context, name string) (*awsStack, error) {
	settings, err := awsSettings(ctx)
	if err != nil {
		return nil, err
	}
	s := &awsStack{name: name, settings: settings, outputs: map[string]string{}}
	found, err := cloudformation.NewFromConfig(settings).DescribeStacks(ctx,
		&cloudformation.DescribeStacksInput{StackName: &name})
	if err != nil {
		return nil, fmt.Errorf("stack %s: %w", name, err)
	}
	if len(found.Stacks) != 1 {
		return nil, fmt.Errorf("stack %s: CloudFormation knows %d of this name", name, len(found.Stacks))
	}
	s.is = found.Stacks[0]
	for _, o := range s.is.Outputs {
		s.outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	return s, nil
}

// State says whether the last deployment is complete.
func (s *awsStack) State(context.Context) (state string, complete bool, err error) {
	state = string(s.is.StackStatus)
	if why := aws.ToString(s.is.StackStatusReason); why != "" {
		state += ": " + why
	}
	return state, slices.Contains([]types.StackStatus{
		types.StackStatusCreateComplete, types.StackStatusUpdateComplete, types.StackStatusUpdateCompleteCleanupInProgress,
	}, s.is.StackStatus), nil
}

// Archive has the archive function show what is due.
func (s *awsStack) Archive(ctx context.Context) (seen string, err error) {
	function := s.outputs["ArchiveFunctionName"]
	if function == "" {
		return "", fmt.Errorf("the output ArchiveFunctionName: %w", doctor.ErrNotNamed)
	}
	invoke, err := invoking(ctx, function)
	if err != nil {
		return "", err
	}
	var due operate.Due
	if err := invoke.Object(ctx, &operate.Archive{DryRun: true}, &due); err != nil {
		return "", err
	}
	return fmt.Sprintf("it answers: %d steps are due, %d periods are left", len(due.Steps), len(due.Left)), nil
}

// Alarms returns the stack's alarms, those that are raised, and those whose metric CloudWatch does not know.
func (s *awsStack) Alarms(ctx context.Context) (all doctor.Alarms, err error) {
	names, err := s.resources(ctx, "AWS::CloudWatch::Alarm")
	if err != nil {
		return all, err
	}
	all.All = len(names)
	client := cloudwatch.NewFromConfig(s.settings)
	for some := range slices.Chunk(names, alarmsAtOnce) {
		found, err := client.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{
			AlarmNames: some, MaxRecords: aws.Int32(alarmsAtOnce),
		})
		if err != nil {
			return all, err
		}
		for i := range found.MetricAlarms {
			alarm := &found.MetricAlarms[i]
			name := strings.TrimPrefix(aws.ToString(alarm.AlarmName), s.name+"-")
			if alarm.StateValue == alarms.StateValueAlarm {
				all.Raised = append(all.Raised, name)
			}
			silent, err := isSilent(ctx, client, alarm)
			if err != nil {
				return all, err
			}
			if silent {
				all.Silent = append(all.Silent, name)
			}
		}
	}
	return all, nil
}

// isSilent says whether a metric of AWS that an alarm looks at is not there. Those of the log's filters, and of
// throttled tables, begin with their first event.
func isSilent(ctx context.Context, client *cloudwatch.Client, alarm *alarms.MetricAlarm) (bool, error) {
	of := &alarms.Metric{Namespace: alarm.Namespace, MetricName: alarm.MetricName, Dimensions: alarm.Dimensions}
	for i := range alarm.Metrics { // one that computes
		if m := alarm.Metrics[i].MetricStat; m != nil && m.Metric != nil && of.MetricName == nil {
			of = m.Metric
		}
	}
	if space := aws.ToString(of.Namespace); !strings.HasPrefix(space, "AWS/") || space == "AWS/DynamoDB" {
		return false, nil
	}
	asked := &cloudwatch.ListMetricsInput{Namespace: of.Namespace, MetricName: of.MetricName}
	for _, d := range of.Dimensions {
		asked.Dimensions = append(asked.Dimensions, alarms.DimensionFilter{Name: d.Name, Value: d.Value})
	}
	found, err := client.ListMetrics(ctx, asked)
	return err == nil && len(found.Metrics) == 0, err
}

// resources returns the ids of the stack's resources of a kind.
func (s *awsStack) resources(ctx context.Context, kind string) (ids []string, err error) {
	pages := cloudformation.NewListStackResourcesPaginator(cloudformation.NewFromConfig(s.settings),
		&cloudformation.ListStackResourcesInput{StackName: &s.name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for i := range page.StackResourceSummaries {
			if r := &page.StackResourceSummaries[i]; aws.ToString(r.ResourceType) == kind {
				ids = append(ids, aws.ToString(r.PhysicalResourceId))
			}
		}
	}
	return ids, nil
}

// Mails returns who is subscribed to the stack's alarms.
func (s *awsStack) Mails(ctx context.Context) (confirmed, pending []string, err error) {
	topic := s.outputs["AlarmTopicArn"]
	if topic == "" {
		return nil, nil, fmt.Errorf("the output AlarmTopicArn: %w", doctor.ErrNotNamed)
	}
	found, err := sns.NewFromConfig(s.settings).ListSubscriptionsByTopic(ctx,
		&sns.ListSubscriptionsByTopicInput{TopicArn: &topic})
	if err != nil {
		return nil, nil, err
	}
	for _, one := range found.Subscriptions {
		to := aws.ToString(one.Endpoint)
		if strings.HasPrefix(aws.ToString(one.SubscriptionArn), "arn:") {
			confirmed = append(confirmed, to)
		} else {
			pending = append(pending, to) // SNS says PendingConfirmation
		}
	}
	return confirmed, pending, nil
}

// Concurrency returns how many functions the account may run at once.
func (s *awsStack) Concurrency(ctx context.Context) (int, error) {
	found, err := lambda.NewFromConfig(s.settings).GetAccountSettings(ctx, &lambda.GetAccountSettingsInput{})
	if err != nil {
		return 0, err
	}
	if found.AccountLimit == nil {
		return 0, errors.New("the answer of Lambda has no AccountLimit")
	}
	return int(found.AccountLimit.ConcurrentExecutions), nil
}

// DeadLetters returns how many messages wait in the stack's dead-letter queue.
func (s *awsStack) DeadLetters(ctx context.Context) (int, error) {
	url := s.outputs["DeadLettersUrl"]
	if url == "" {
		return 0, fmt.Errorf("the output DeadLettersUrl: %w", doctor.ErrNotNamed)
	}
	const depth = sqstypes.QueueAttributeNameApproximateNumberOfMessages
	found, err := sqs.NewFromConfig(s.settings).GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []sqstypes.QueueAttributeName{depth},
	})
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(found.Attributes[string(depth)])
	if err != nil {
		return 0, errors.New("SQS does not say how many messages the queue has")
	}
	return n, nil
}
