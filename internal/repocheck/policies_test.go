package repocheck_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// A call is one of AWS's API, on a resource of the template as it is named there; key is
// the partition key that it writes, caller the function whose code makes it.
type call struct{ role, action, resource, key, caller string }

// byLambda are the calls that services make with a role, as AWS documents them: of
// functions in a VPC ("Giving Lambda functions access to resources in an Amazon VPC"), that
// log ("Sending Lambda function logs to CloudWatch Logs"), that read a queue ("Using Lambda
// with Amazon SQS"); of API Gateway and of the scheduler ("Setting up EventBridge Scheduler").
var byLambda = []call{
	{"AuthorizeRole", "logs:PutLogEvents", "AuthorizeLog.Arn", "", ""},
	{"RecordRole", "logs:PutLogEvents", "RecordLog.Arn", "", ""},
	{"RecordRole", "logs:CreateLogStream", "RecordLog.Arn", "", ""},
	{"QueryRole", "logs:PutLogEvents", "QueryLog.Arn", "", ""},
	{"ArchiveRole", "logs:PutLogEvents", "ArchiveLog.Arn", "", ""},
	{"RecordRole", "ec2:CreateNetworkInterface", "*", "", ""},
	{"QueryRole", "ec2:DescribeNetworkInterfaces", "*", "", ""},
	{"ArchiveRole", "ec2:DeleteNetworkInterface", "*", "", ""},
	{"RecordRole", "sqs:ReceiveMessage", "ActivityQueue.Arn", "", ""},
	{"RecordRole", "sqs:DeleteMessage", "ActivityQueue.Arn", "", ""},
	{"RecordRole", "sqs:GetQueueAttributes", "ActivityQueue.Arn", "", ""},
	{"ApiAuthorizeRole", "lambda:InvokeFunction", "AuthorizeFunction.Arn", "", ""},
	{"ApiQueueRole", "sqs:SendMessage", "ActivityQueue.Arn", "", ""},
	{"ScheduleRole", "lambda:InvokeFunction", "ArchiveFunction.Arn", "", ""},
	// The login by IAM, which the tests' Redis does not have: shared/store/view/iam signs it.
	{"RecordRole", "elasticache:Connect", "Cache.ARN", "", "record"},
	{"RecordRole", "elasticache:Connect", "CacheUser.Arn", "", "record"},
	{"QueryRole", "elasticache:Connect", "Cache.ARN", "", "query"},
	{"ArchiveRole", "elasticache:Connect", "CacheUser.Arn", "", "archive"},
	// The calls of the events function, whose role is limited by keys: more than the end-to-end tests record.
	{"EventsRole", "logs:PutLogEvents", "EventsLog.Arn", "", ""},
	{"ScheduleRole", "lambda:InvokeFunction", "EventsFunction.Arn", "", ""},
	{"EventsRole", "dynamodb:Query", "Table.Arn", "EVENTS#badges", "events"},
	{"EventsRole", "dynamodb:PutItem", "Table.Arn", "EVENTS#badges", "events"},
	{"EventsRole", "dynamodb:DeleteItem", "Table.Arn", "EVENTS#badges", "events"},
	{"EventsRole", "dynamodb:BatchGetItem", "Table.Arn", "FORUM", "events"},
	{"EventsRole", "dynamodb:BatchGetItem", "Table.Arn", "PERSON#07", "events"},
}

// isPartOf reports whether a call is a recorded one, of which only the beginning of the key is known.
func (c call) isPartOf(whole call) bool {
	return c.role == whole.role && c.action == whole.action && strings.HasPrefix(whole.key, c.key)
}

// notOfEvents are keys that the function outside the network neither reads nor writes.
var notOfEvents = []string{"LEDGER#2026-11#07", "FOLLOWS#key", "ARTICLE#07", "activity#day"}

// byRuntime are further actions by which Lambda runs and traces functions, on no resource of their own but the log.
const byRuntime = `logs:CreateLogStream ec2:DescribeSubnets ec2:AssignPrivateIpAddresses ec2:UnassignPrivateIpAddresses
xray:PutTraceSegments xray:PutTelemetryRecords`

// TestPolicies checks that the roles allow every call that is made with them, and no action that nothing uses.
func TestPolicies(t *testing.T) {
	t.Parallel()
	resources := under(readTemplate(t), "Resources")
	made := slices.Clone(byLambda)
	for line := range strings.Lines(read(t, "internal/e2e/testdata/calls.golden")) {
		part := append(strings.Fields(line), "")
		role := strings.ToUpper(part[0][:1]) + part[0][1:] + "Role"
		c := call{role, part[1], "Table.Arn", part[2], part[0]}
		if role != "EventsRole" {
			made = append(made, c)
		} else if !slices.ContainsFunc(byLambda, c.isPartOf) {
			t.Error(role + " makes the call " + c.action + " " + c.key)
		}
	}
	for _, c := range made {
		if !allows(statements(resources, c.role), c) {
			t.Errorf("%s is not allowed %s on %s %s", c.role, c.action, c.resource, c.key)
		}
	}
	for _, key := range notOfEvents {
		for action := range strings.FieldsSeq("dynamodb:Query dynamodb:BatchGetItem dynamodb:PutItem dynamodb:DeleteItem") {
			if allows(statements(resources, "EventsRole"), call{"EventsRole", action, "Table.Arn", key, "events"}) {
				t.Error("EventsRole is allowed " + action + " on " + key)
			}
		}
	}
	endpoint(t, resources)
	for _, role := range slices.Sorted(maps.Keys(resources)) {
		if below(resources, role, "Type") != "AWS::IAM::Role" {
			continue
		}
		code := strings.ToLower(strings.TrimSuffix(role, "Role")) // has no way to the network but Lambda's
		if allows(statements(resources, role), call{role, "ec2:CreateNetworkInterface", "*", "", code}) {
			t.Error(role + " is allowed ec2:CreateNetworkInterface by its code")
		}
		elsewhere(t, statements(resources, role), role)
		unused(t, statements(resources, role), role, made)
	}
}

// endpoint checks that the network lets through to the table exactly the actions that the functions in it may do.
func endpoint(t *testing.T, resources map[string]any) {
	t.Helper()
	may := map[string]bool{}
	for _, role := range []string{"RecordRole", "QueryRole", "ArchiveRole"} {
		for _, s := range statements(resources, role) {
			for _, action := range texts(below(s, "Action")) {
				may[action] = strings.HasPrefix(action, "dynamodb:")
			}
		}
	}
	policy, _ := below(resources, "TableEndpoint", "Properties", "PolicyDocument").([]any) // of !If
	for _, s := range list(policy[1], "Statement") {
		for _, action := range texts(below(s, "Action")) {
			if !may[action] {
				t.Error("the endpoint lets through " + action + ", a right of no role")
			}
			delete(may, action)
		}
	}
	for action, ofTable := range may {
		if ofTable {
			t.Error("the endpoint does not let through " + action)
		}
	}
}

// elsewhere finds actions that are allowed on every resource, except those that have none.
func elsewhere(t *testing.T, all []any, role string) {
	t.Helper()
	for _, s := range all {
		for _, action := range texts(below(s, "Action")) {
			none := strings.HasPrefix(action, "ec2:") || strings.HasPrefix(action, "xray:")
			if below(s, "Effect") == "Allow" && !none && slices.Contains(texts(below(s, "Resource")), "*") {
				t.Error(role + " is allowed " + action + " on everything")
			}
			if below(s, "Effect") == "Allow" && strings.Contains(action, "*") {
				t.Error(role + " is allowed the actions " + action)
			}
		}
	}
}

// unreached are actions that no end-to-end test uses.
var unreached = map[string]string{
	"ArchiveRole dynamodb:BatchWriteItem": "deletes the rest of an interrupted run: shared/store/table/dynamo/write.go",
}

// unused finds actions that nothing uses: of the table, that the role's function does not, of others that none does.
func unused(t *testing.T, all []any, role string, made []call) {
	t.Helper()
	for _, s := range all {
		for _, action := range texts(below(s, "Action")) {
			used := func(c call) bool {
				return c.action == action && (c.role == role || !strings.HasPrefix(action, "dynamodb:"))
			}
			known := below(s, "Effect") == "Deny" || unreached[role+" "+action] != "" || strings.Contains(byRuntime, action)
			if !known && !slices.ContainsFunc(made, used) {
				t.Error(role + " does not use " + action)
			}
		}
	}
}

// statements are those of a role's own policies and of those that it names.
func statements(resources map[string]any, role string) (all []any) {
	for _, policy := range list(resources, role, "Properties", "Policies") {
		all = append(all, list(policy, "PolicyDocument", "Statement")...)
	}
	for _, name := range texts(below(resources, role, "Properties", "ManagedPolicyArns")) {
		all = append(all, list(resources, name, "Properties", "PolicyDocument", "Statement")...)
	}
	for i, s := range all {
		if branches, ok := s.([]any); ok { // of !If
			all[i] = branches[1]
		}
	}
	return all
}

// allows evaluates statements as IAM does: something allows, and nothing denies.
func allows(all []any, c call) bool {
	allowed := false
	for _, s := range all {
		if !matches(texts(below(s, "Action")), c.action) || !matches(texts(below(s, "Resource")), c.resource) ||
			!holds(s, c) {
			continue
		}
		if below(s, "Effect") == "Deny" {
			return false
		}
		allowed = true
	}
	return allowed
}

// holds reports whether the conditions of a statement do, of the kinds that the template
// has. Another one fails the test: it counts as holding for Allow and not for Deny.
func holds(statement any, c call) bool {
	for kind, keys := range under(statement, "Condition") {
		for key, wanted := range keys.(map[string]any) {
			switch kind + " " + key {
			case "ForAllValues:StringEquals dynamodb:LeadingKeys":
				if !slices.Contains(texts(wanted), c.key) {
					return false
				}
			case "ForAllValues:StringLike dynamodb:LeadingKeys":
				if !matches(texts(wanted), c.key) {
					return false
				}
			case "ArnLike lambda:SourceFunctionArn": // of calls by the function's code alone
				if c.caller == "" {
					return false
				}
			default:
				return below(statement, "Effect") == "Allow"
			}
		}
	}
	return true
}

// matches reports whether a pattern of IAM, in which * is anything, matches.
func matches(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(text))
		return err == nil && ok
	})
}

// texts are one text or many.
func texts(value any) (all []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			all = append(all, texts(one)...)
		}
	}
	return all
}
