//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	alarms "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"laurel/shared/run/app"
	"laurel/shared/run/doctor"
	"laurel/shared/run/operate"
)

// alarmsAtOnce is how many alarms CloudWatch describes in a request.
const alarmsAtOnce = 100

// awsStack is a stack of template.yaml in AWS, by the environment's credentials.
type awsStack struct {
	name        string
	settings    aws.Config
	description types.Stack
	outputs     map[string]string
	secretFile  *app.SecretFile // of the command line; may be nil
}

// openStack finds a stack.
func openStack(ctx context.Context, name string) (*awsStack, error) {
	settings, err := awsSettings(ctx)
	if err != nil {
		return nil, err
	}
	found, err := describe(ctx, settings, name)
	if err != nil {
		return nil, err
	}
	s := &awsStack{name: name, settings: settings, description: *found, outputs: map[string]string{}}
	for _, o := range s.description.Outputs {
		s.outputs[aws.ToString(o.OutputKey)] = aws.ToString(o.OutputValue)
	}
	return s, nil
}

// describe returns the state of a stack by its name or id.
func describe(ctx context.Context, settings aws.Config, name string) (*types.Stack, error) {
	found, err := cloudformation.NewFromConfig(settings).DescribeStacks(ctx,
		&cloudformation.DescribeStacksInput{StackName: &name})
	if err != nil {
		return nil, fmt.Errorf("stack %s: %w", name, err)
	}
	if len(found.Stacks) != 1 {
		return nil, fmt.Errorf("stack %s: CloudFormation knows %d of this name", name, len(found.Stacks))
	}
	return &found.Stacks[0], nil
}

// parts checks the parts that the stack has beside its API.
func (s *awsStack) parts(ctx context.Context, tell func(part string, l doctor.Line, err error)) {
	tell("stack", s.state(), nil)
	l, err := s.archive(ctx)
	tell("archive function", l, err)
	raised := s.alarms(ctx, tell)
	l, err = s.rollback(ctx, raised)
	tell("rollback", l, err)
	l, err = s.secrets(ctx)
	tell("secrets of functions", l, err)
	l, err = s.concurrency(ctx)
	tell("concurrency", l, err)
	l, err = s.mails(ctx)
	tell("mails of alarms", l, err)
	waiting, err := s.deadLetters(ctx)
	if l = doctor.Well("%d messages", waiting); waiting > 0 {
		l = doctor.Fail("docs/deploy.md says how to read and send them again", "%d messages", waiting)
	}
	tell("dead letters", l, err)
}

// state checks that the last deployment is complete.
func (s *awsStack) state() doctor.Line {
	seen := string(s.description.StackStatus)
	if why := aws.ToString(s.description.StackStatusReason); why != "" {
		seen += ": " + why
	}
	switch s.description.StackStatus {
	case types.StackStatusCreateComplete, types.StackStatusUpdateComplete,
		types.StackStatusUpdateCompleteCleanupInProgress:
		return doctor.Well("%s", seen)
	default:
		return doctor.Fail("look at the stack's events for the failure", "%s", seen)
	}
}

// output returns an output of the stack.
func (s *awsStack) output(name string) (string, error) {
	if s.outputs[name] == "" {
		return "", fmt.Errorf("the output %s: %w", name, doctor.ErrNotNamed)
	}
	return s.outputs[name], nil
}

// archive asks the archive function for the due steps, which changes nothing.
func (s *awsStack) archive(ctx context.Context) (l doctor.Line, err error) {
	function, err := s.output("ArchiveFunctionName")
	if err != nil {
		return l, err
	}
	invoke, err := invoking(ctx, function)
	if err != nil {
		return l, err
	}
	var due operate.Due
	if err := invoke.Object(ctx, &operate.Archive{DryRun: true}, &due); err != nil {
		return l, err
	}
	return doctor.Well("it answers: %d steps are due, %d periods are left", len(due.Steps), len(due.Left)), nil
}

// alarms lists the raised alarms of the stack, and those whose metric CloudWatch does not know. It returns the former.
func (s *awsStack) alarms(ctx context.Context, tell func(part string, l doctor.Line, err error)) (raised []string) {
	all, raised, silent, err := s.lookAtAlarms(ctx)
	l := doctor.Well("none of %d is raised", all)
	if len(raised) > 0 {
		l = doctor.Fail("docs/health.md has a line for each alarm", "raised: %s", strings.Join(raised, ", "))
	}
	tell("alarms", l, err)
	if err != nil {
		return nil
	}
	l = doctor.Well("each alarm has its metric")
	if len(silent) > 0 {
		const do = "a new stack has them within a quarter of an hour; after a day, tell Laurel's authors"
		l = doctor.Warn(do, "there is none yet of %s", strings.Join(silent, ", "))
	}
	tell("metrics of alarms", l, nil)
	return raised
}

// nameOf returns the name of an alarm without that of the stack.
func (s *awsStack) nameOf(alarm string) string { return strings.TrimPrefix(alarm, s.name+"-") }

func (s *awsStack) lookAtAlarms(ctx context.Context) (all int, raised, silent []string, err error) {
	names, err := s.resources(ctx, "AWS::CloudWatch::Alarm")
	if err != nil {
		return 0, nil, nil, err
	}
	client := cloudwatch.NewFromConfig(s.settings)
	for some := range slices.Chunk(names, alarmsAtOnce) {
		found, err := client.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{
			AlarmNames: some, MaxRecords: aws.Int32(alarmsAtOnce),
		})
		if err != nil {
			return 0, nil, nil, err
		}
		for i := range found.MetricAlarms {
			alarm := &found.MetricAlarms[i]
			name := s.nameOf(aws.ToString(alarm.AlarmName))
			if alarm.StateValue == alarms.StateValueAlarm {
				raised = append(raised, name)
			}
			quiet, err := isSilent(ctx, client, alarm)
			if err != nil {
				return 0, nil, nil, err
			}
			if quiet {
				silent = append(silent, name)
			}
		}
	}
	return len(names), raised, silent, nil
}

// isSilent reports whether a metric of AWS that an alarm reads is missing. Metrics of the log's filters, and of
// throttled tables, begin with their first event.
func isSilent(ctx context.Context, client *cloudwatch.Client, alarm *alarms.MetricAlarm) (bool, error) {
	metric := &alarms.Metric{Namespace: alarm.Namespace, MetricName: alarm.MetricName, Dimensions: alarm.Dimensions}
	for i := range alarm.Metrics { // one that computes
		if m := alarm.Metrics[i].MetricStat; m != nil && m.Metric != nil && metric.MetricName == nil {
			metric = m.Metric
		}
	}
	if space := aws.ToString(metric.Namespace); !strings.HasPrefix(space, "AWS/") || space == "AWS/DynamoDB" {
		return false, nil
	}
	asked := &cloudwatch.ListMetricsInput{Namespace: metric.Namespace, MetricName: metric.MetricName}
	for _, d := range metric.Dimensions {
		asked.Dimensions = append(asked.Dimensions, alarms.DimensionFilter{Name: d.Name, Value: d.Value})
	}
	found, err := client.ListMetrics(ctx, asked)
	return err == nil && len(found.Metrics) == 0, err
}

// resources returns the ids of the stack's resources of a kind.
func (s *awsStack) resources(ctx context.Context, kind string) (ids []string, err error) {
	err = s.each(ctx, func(r *types.StackResourceSummary) {
		if aws.ToString(r.ResourceType) == kind {
			ids = append(ids, aws.ToString(r.PhysicalResourceId))
		}
	})
	return ids, err
}

// resource returns the id of the resource with a name of the template.
func (s *awsStack) resource(ctx context.Context, name string) (id string, err error) {
	err = s.each(ctx, func(r *types.StackResourceSummary) {
		if aws.ToString(r.LogicalResourceId) == name {
			id = aws.ToString(r.PhysicalResourceId)
		}
	})
	if err == nil && id == "" {
		err = fmt.Errorf("the resource %s: %w", name, doctor.ErrNotNamed)
	}
	return id, err
}

// each calls do with each resource of the stack.
func (s *awsStack) each(ctx context.Context, do func(*types.StackResourceSummary)) error {
	pages := cloudformation.NewListStackResourcesPaginator(cloudformation.NewFromConfig(s.settings),
		&cloudformation.ListStackResourcesInput{StackName: &s.name})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return err
		}
		for i := range page.StackResourceSummaries {
			do(&page.StackResourceSummaries[i])
		}
	}
	return nil
}

// mails lists the subscribers of the stack's alarms, and those who have not confirmed.
func (s *awsStack) mails(ctx context.Context) (l doctor.Line, err error) {
	topic, err := s.output("AlarmTopicArn")
	if err != nil {
		return l, err
	}
	found, err := sns.NewFromConfig(s.settings).ListSubscriptionsByTopic(ctx,
		&sns.ListSubscriptionsByTopicInput{TopicArn: &topic})
	if err != nil {
		return l, err
	}
	var pending []string
	for _, one := range found.Subscriptions {
		if !strings.HasPrefix(aws.ToString(one.SubscriptionArn), "arn:") { // SNS says PendingConfirmation
			pending = append(pending, aws.ToString(one.Endpoint))
		}
	}
	switch {
	case len(pending) > 0:
		return doctor.Warn("open AWS's mail with the subject \"Subscription Confirmation\", and confirm",
			"not confirmed: %s", strings.Join(pending, ", ")), nil
	case len(found.Subscriptions) == 0:
		return doctor.Warn("set AlarmEmail, or subscribe something else to the output AlarmTopicArn", "nobody gets them"), nil
	}
	return doctor.Well("%d get them", len(found.Subscriptions)), nil
}

// newAccount is the limit of concurrent functions below which an account is a new one, whose visitors get 429 and
// 500.
const newAccount = 100

// concurrency says how many functions the account may run at once.
func (s *awsStack) concurrency(ctx context.Context) (l doctor.Line, err error) {
	found, err := lambda.NewFromConfig(s.settings).GetAccountSettings(ctx, &lambda.GetAccountSettingsInput{})
	if err != nil {
		return l, err
	}
	if found.AccountLimit == nil {
		return l, errors.New("the answer of Lambda has no AccountLimit")
	}
	n := found.AccountLimit.ConcurrentExecutions
	l = doctor.Well("the account may run %d functions at once", n)
	if n < newAccount {
		l = doctor.Warn("ask AWS for more: Service Quotas, Lambda, Concurrent executions", "%s", l.Seen)
	}
	return l, nil
}

// deadLetters returns how many messages wait in the stack's dead-letter queue.
func (s *awsStack) deadLetters(ctx context.Context) (int, error) {
	url, err := s.output("DeadLettersUrl")
	if err != nil {
		return 0, err
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
